"""The memory of what graphs return: values of that moment, which later changes of Parameters and inputs leave alone.

What runs here is Python, which returns the Parameters and inputs themselves, and views of them. They are copied where a
graph ends, and nothing else is: whether somebody else holds the memory of a result is seen by Python's references to
its torch tensor, and to the one that it is a view of.
"""

import sys
from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.context.grad_state import state
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap

__all__ = ["apart", "graph_result"]


def graph_result(value: Any, inputs: Sequence[Any], effects: int) -> Any:
    """Return the value of a graph's result for its caller.

    A Parameter or input that is all of the result is itself, unless the graph does more than return it.

    Args:
        value: the result.
        inputs: what the graph was called with.
        effects: `state.effects` when it began.
    """
    is_itself = isinstance(value, Parameter) or (type(value) is Tensor and _is_among(inputs, value))
    return value if is_itself and effects == state.effects else apart(value, inputs)


def apart(value: Any, inputs: Sequence[Any]) -> Any:
    """Return the same values, in memory that no Parameter, no input and nothing outside has."""
    kind = type(value)
    if kind is Tensor:
        is_held = id(value) in state.rebound or _is_shared(value) or _is_among(inputs, value)
        return wrap(value._data.clone()) if is_held else value
    if kind is tuple or kind is list:
        found = [apart(one, inputs) for one in value]
        return value if all(map(_is_same, found, value)) else kind(found)
    if kind is dict:
        named = {key: apart(one, inputs) for key, one in value.items()}
        return value if all(map(_is_same, named.values(), value.values())) else named
    return wrap(value._data.clone()) if isinstance(value, Parameter) else value


def _is_same(one: Any, other: Any) -> bool:
    return one is other


def _is_among(inputs: Sequence[Any], value: Any) -> bool:
    return any(one is value for one in inputs)


def _references(tensor: Tensor) -> tuple[int, int]:
    """Count Python's references to the torch tensor of a Tensor, and to the one that it is a view of."""
    data = tensor._data
    base = data._base
    return sys.getrefcount(data), sys.getrefcount(base)


_ALONE = _references(wrap(torch.empty(1).view(1)))  # what this very code adds to them


def _is_shared(tensor: Tensor) -> bool:
    if not isinstance(tensor._data, torch.Tensor):
        return False
    of_data, of_base = _references(tensor)
    return of_data > _ALONE[0] or (tensor._data._base is not None and of_base > _ALONE[1])
