"""Updates that are left out after an overflow, without the host's looking whether there was one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch

from msbridge.core import context, scalars
from msbridge.core.parameter import Parameter
from msbridge.core.recording import in_place
from msbridge.core.tensor import Tensor
from msbridge.nn.cell import Cell
from msbridge.nn.optim import lists
from msbridge.nn.optim.engine import Engine

__all__ = ["SKIPPING", "update_unless"]

SKIPPING: set[Callable[..., Any]] = {Engine.construct}  # those that leave everything as it is within `scalars.unless`


def update_unless(overflow: Tensor, optimizer: Cell, gradients: Sequence[Tensor]) -> None:
    """Update with `gradients`, but leave parameters and state as they are where there was an `overflow`.

    An optimizer that a script defines updates in any case; then whatever Parameters it holds get back what they had.
    In PyNative mode, where it may hold more than Parameters, the host looks, as MindSpore's does.
    """
    failed = overflow._data.reshape(()).to(torch.bool)
    if type(optimizer).construct in SKIPPING:
        with scalars.unless(failed):
            optimizer(gradients)
    elif context.get_context("mode") == context.PYNATIVE_MODE:
        if not overflow:
            optimizer(gradients)
    else:
        held = [parameter._data for parameter in _parameters_of(optimizer)]
        before = [data.clone() for data in held]
        with scalars.on_device():
            optimizer(gradients)
        with in_place():
            lists.put_back(held, before, failed)


def _parameters_of(optimizer: Cell) -> Iterable[Parameter]:
    """Return every Parameter that an optimizer holds in an attribute, in whatever container, once."""
    found: dict[int, Parameter] = {}
    for cell in (optimizer, *optimizer.cells()):
        for parameter in (*cell.get_parameters(), *_in(vars(cell))):
            found[id(parameter)] = parameter
    return found.values()


def _in(value: Any) -> Iterator[Parameter]:
    if isinstance(value, Parameter):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _in(item)
