"""The memory in which a graph finds Parameters: what is given to one again is written there.

`set_data`, and in PyNative mode an assignment to an attribute, bind other memory to a Parameter, of which a graph knows
nothing. Before a replay, and behind a step that is compared with one, the Parameter gets its former memory back, with
the values that it has by now: a rate that a callback sets does not cost a graph.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

import torch

from msbridge.core.parameter.parameter import Parameter

__all__ = ["Memory"]

_NO_OWNERS = (FunctionType, ModuleType, type)


class Memory:
    """The memory that the Parameters of a step have now.

    Args:
        step: the Cell, function or method.
    """

    def __init__(self, step: Callable[..., Any]) -> None:
        found = {id(parameter): parameter for parameter in _parameters(step)}
        self._held = [(parameter, parameter._data) for parameter in found.values()]

    def restore(self) -> None:
        """Restore the former memory of Parameters that have other memory by now, with their new values."""
        for parameter, data in self._held:
            now = parameter._data
            if now is not data and _fits(now, data):
                data.copy_(now)
                parameter._data = data


def _fits(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape == other.shape and one.dtype is other.dtype and one.device == other.device


def _parameters(step: Callable[..., Any]) -> Iterator[Parameter]:
    function = step.__func__ if isinstance(step, MethodType) else step
    if isinstance(function, FunctionType):
        seen = inspect.getclosurevars(function)
        yield from _among([*seen.nonlocals.values(), *seen.globals.values()])
    yield from _among([step.__self__ if isinstance(step, MethodType) else step])


def _among(values: Iterable[Any], is_inside: bool = False) -> Iterator[Parameter]:
    """Yield the Parameters among values, in tuples and lists of them, in Cells and in the attributes of objects."""
    for value in values:
        if isinstance(value, Parameter):
            yield value
        elif isinstance(value, tuple | list):
            yield from _among(value, is_inside=True)
        elif isinstance(value, _NO_OWNERS):
            continue
        elif hasattr(value, "cells_and_names"):
            for _, cell in value.cells_and_names():
                yield from _among(list(cell._params.values()), is_inside=True)
        elif not is_inside and hasattr(value, "__dict__"):
            yield from _among(list(vars(value).values()), is_inside=True)
