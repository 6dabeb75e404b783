"""Training as 1.10 had it: what callbacks are told, and sinking that counts all steps."""

from collections.abc import Callable
from typing import Any, ClassVar

from msbridge.core.jit import JitConfig
from msbridge.core.releases.overrides import Part
from msbridge.train import model
from msbridge.train.legacy import r2_0
from msbridge.train.sinking import functions


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


OVERRIDES = {
    "train.Model": Part(model, "InternalCallbackParam", InternalCallbackParam),
    "train.data_sink": data_sink,
}
