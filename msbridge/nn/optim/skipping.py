"""Updates that are left out after an overflow, without the host's looking whether there was one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from msbridge.core.context import context
from msbridge.core.context.grad_state import in_place
from msbridge.core.parameter import step_scalars
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.optim.engine import Engine
from msbridge.ops.training.optimizer_updates import lists

__all__ = ["SKIPPING", "undo_after", "update_unless"]

SKIPPING: set[Callable[..., Any]] = {Engine.construct}  # those that leave everything as it is within `scalars.unless`


def update_unless(overflow: Tensor, optimizer: Cell, gradients: Sequence[Tensor]) -> None:
    """Update with `gradients`, but leave parameters and state as they are where there was an `overflow`.

    In PyNative mode, where an optimizer that a script defines may hold more than Parameters, the host looks, as
    MindSpore's does.
    """
    is_own = type(optimizer).construct not in SKIPPING
    if is_own and context.get_context("mode") == context.PYNATIVE_MODE:
        if not overflow:
            optimizer(gradients)
        return
    with undo_after(overflow, optimizer):
        optimizer(gradients)


@contextmanager
def undo_after(overflow: Tensor, changed: Cell) -> Iterator[None]:
    """Leave the Parameters of a Cell as they are, where there was an `overflow`: those that the block changes.

    Optimizers of msbridge change nothing in the first place; for others, everything is kept, and put back.
    """
    failed = overflow._data.reshape(()).to(torch.bool)
    if type(changed).construct in SKIPPING:
        with step_scalars.unless(failed):
            yield
        return
    held = [parameter._data for parameter in _parameters_of(changed)]
    before = [data.clone() for data in held]
    with step_scalars.on_device():
        yield
    # What lies on the host, as a rate that is constant does, is the same as a rule; only where not, the host waits.
    pairs = [
        (data, old)
        for data, old in zip(held, before, strict=True)
        if data.device == failed.device or not torch.equal(data, old)
    ]
    with in_place():
        lists.restore_on_overflow([data for data, _ in pairs], [old for _, old in pairs], failed)


def _parameters_of(top: Cell) -> Iterable[Parameter]:
    """Return every Parameter that a Cell or one below it holds in an attribute, in any container, once."""
    by_id: dict[int, Parameter] = {}
    for _, cell in top.cells_and_names():
        for parameter in _parameters_inside(vars(cell)):
            by_id[id(parameter)] = parameter
    return by_id.values()


def _parameters_inside(value: Any) -> Iterator[Parameter]:
    if isinstance(value, Parameter):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _parameters_inside(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _parameters_inside(item)
