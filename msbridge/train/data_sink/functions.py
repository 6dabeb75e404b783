"""Functions whose inputs come from a sink."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from msbridge.core.checks.arguments import instance
from msbridge.core.context import context
from msbridge.core.jit import JitConfig, jit
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype
from msbridge.device.sink import SinkExecutor, can_sink
from msbridge.nn.cell.cell import Cell
from msbridge.train.data_sink.feed import Feed, is_fed
from msbridge.train.data_sink.plan import SinkSize, check_sink_size, plan_function

__all__ = ["data_sink"]

_POSITIVE = "The 'sink_size' must be positive, but got sink_size {}."


def data_sink(
    fn: Callable[..., Any],
    dataset: Any,
    sink_size: SinkSize = 1,
    jit_config: JitConfig | None = None,
    input_signature: Tensor | Sequence[Tensor | None] | None = None,
) -> Callable[..., Any]:
    """Return a function that runs `fn` on the next `sink_size` batches, as often as it is called.

    Args:
        fn: called with the Tensors of a batch.
        dataset: traversed as often as needed; no other network or function may have used it in a sink.
        sink_size: batches per call. "auto", which MindSpore does not know, is as many as divide a traversal into calls
            of at most 100.
        jit_config: how `fn` is compiled, as `mindspore.jit` takes it; None runs it as it is.
        input_signature: Tensors whose dtypes and shapes the batches must have; -1 means any length, None
            anything.

    Returns:
        A function that returns what `fn` returned for the last batch of the call.

    Raises:
        TypeError: `sink_size` is not an int, or a dtype is not that of `input_signature`.
        ValueError: `sink_size` is not positive, the device target is the CPU, the dataset is in use, or a shape is
            not that of `input_signature`.

    Follows: mindspore.data_sink (2.10), and what its code does on an Ascend.
    """
    sink_size = check_sink_size(sink_size, _POSITIVE)
    if sink_size == -1:
        raise ValueError(_POSITIVE.format(sink_size))
    if not can_sink():
        raise ValueError(
            f"Data sinking supports ascend or gpu device target, but device target is {context.device_target()}."
        )
    if is_fed(dataset):
        raise ValueError("The dataset has been used with network.")
    if input_signature is not None:
        _check_signature(input_signature, dataset)
    step = fn
    if jit_config is not None:
        step = jit(fn, jit_config=instance(jit_config, "jit_config", "data_sink", JitConfig))
    plan, feed = plan_function(dataset, sink_size), Feed(dataset, -1)
    executor = SinkExecutor(step, feed, plan.call_steps, list(fn.get_parameters()) if isinstance(fn, Cell) else ())

    @functools.wraps(fn, updated=())
    def run(*_: Any, **__: Any) -> Any:
        return executor.run(plan.steps_from(feed.position))

    return run


def _check_signature(signature: Tensor | Sequence[Tensor | None], dataset: Any) -> None:
    wanted = (signature,) if isinstance(signature, Tensor) else signature
    found = zip(dataset.output_types(), dataset.output_shapes(), strict=True)
    for number, (expected, (kind, shape)) in enumerate(zip(wanted, found, strict=True), 1):
        if expected is None:
            continue
        if expected.dtype != dtype.from_numpy(kind):
            raise TypeError(
                f"The {number}th input type of 'set_inputs' must be the same as network's input, but got "
                f"'set_inputs': {expected.dtype} and network's input: {dtype.from_numpy(kind)}."
            )
        if len(expected.shape) != len(shape):
            raise ValueError(
                f"The {number}th input dims of 'set_inputs' must be the same as network's input, but got "
                f"'set_inputs': {len(expected.shape)} and network's input: {len(shape)}."
            )
        if any(length not in (-1, None, given) for length, given in zip(expected.shape, shape, strict=True)):
            raise ValueError(
                f"The {number}th input shape of 'set_inputs' must be the same as network's input, but got "
                f"'set_inputs': {list(expected.shape)} and network's input: {list(shape)}."
            )
