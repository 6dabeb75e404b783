"""Training as 1.10 had it: what callbacks see, and sinking that counts all steps."""

from collections.abc import Callable
from typing import Any, ClassVar

from msbridge.core.context.graph_mode import is_graph
from msbridge.core.jit import JitConfig
from msbridge.core.releases.overrides import Part
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.ops.framework.composite.functions import mixed_precision_cast
from msbridge.train import amp, model
from msbridge.train.data_sink import functions
from msbridge.train.legacy import r2_0


class InternalCallbackParam(r2_0.InternalCallbackParam):
    """The parameters of a run for its callbacks, without the rows of an evaluation."""

    _later: ClassVar = (*r2_0.InternalCallbackParam._later, "eval_dataset_element")


def data_sink(
    fn: Callable[..., Any], dataset: Any, steps: int, sink_size: int = 1, jit: bool = False
) -> Callable[..., Any]:
    """Return a function that runs `fn` on the next `sink_size` batches.

    Args:
        fn: called with the Tensors of a batch.
        dataset: traversed as often as needed.
        steps: how many batches there will be in all.
        sink_size: batches per call.
        jit: whether `fn` is compiled.

    Raises:
        ValueError: `steps` or `sink_size` is not positive.

    Follows: mindspore.data_sink (1.10).
    """
    if sink_size <= 0 or steps <= 0:
        raise ValueError(f"The 'steps' and 'sink_size' must be positive, but got steps {steps} sink_size {sink_size}.")
    return functions.data_sink(fn, dataset, sink_size, JitConfig() if jit else None)


def _to_float32(x: Any) -> Any:
    """Cast the floating Tensors in `x` to Float32; those in lists stay as they are in graphs."""
    if is_graph() and isinstance(x, list):
        return x
    if is_graph() and isinstance(x, dict):
        return {key: _to_float32(element) for key, element in x.items()}
    return tuple(map(_to_float32, x)) if isinstance(x, list | tuple) else _today_to_float32(x)


class _OutputTo16(Cell):
    """A Cell that computes in Float32, within a network that continues in a narrower type."""

    def __init__(self, op: Cell, dtype: Type = mstype.float16) -> None:
        super().__init__(auto_prefix=False)
        self._op = op
        self.dtype = dtype

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        return mixed_precision_cast(self.dtype, self._op(*args, **kwargs))


_today_to_float32 = amp._to_float32
OVERRIDES = {
    "amp.auto_mixed_precision": [Part(amp, "_to_float32", _to_float32), Part(amp, "_OutputTo16", _OutputTo16)],
    "train.Model": Part(model, "InternalCallbackParam", InternalCallbackParam),
    "train.data_sink": data_sink,
}
