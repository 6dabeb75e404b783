"""Parameters over several processes: each becomes a DTensor, divided as the operators that take it ask for.

An operator's strategy says how its weight is divided, but only the first call shows which Parameter that is. So a
Parameter is whole in every process at first; the first call notes what is asked for it, and when the call is done the
other parts are let go. What optimizers hold for it follows.
"""

from collections.abc import Iterable
from typing import Any
from weakref import WeakValueDictionary

import torch
from torch.distributed.tensor import DTensor

from msbridge.core.parameter import Parameter
from msbridge.core.recording import state
from msbridge.core.tensor import Tensor
from msbridge.distributed.holding import refuse_in_use, slots_of
from msbridge.distributed.sharding.devices import Placements, distributed, moved, undivided

__all__ = ["ask_for", "divide_as_asked", "follow_parameters", "owner_of", "take_in"]

_known: WeakValueDictionary[int, Parameter] = WeakValueDictionary()
_asked: dict[int, Placements] = {}  # by the identity of a Parameter
_CASTS = ("ToCopyBackward0", "AliasBackward0")


def take_in(parameters: Iterable[Parameter]) -> None:
    """Make DTensors of Parameters that are none yet; every process has the whole of them."""
    for parameter in parameters:
        if isinstance(parameter._data, DTensor) or not isinstance(parameter, Parameter):
            continue
        refuse_in_use(parameter)
        parameter._data = distributed(parameter._data, undivided())
        _known[id(parameter)] = parameter


def owner_of(tensor: Tensor) -> Parameter | None:
    """Return the Parameter that an operator's input is, or a cast of it."""
    if isinstance(tensor, Parameter):
        return tensor
    data = tensor._data
    node = data.grad_fn
    while node is not None and node.name() in _CASTS:
        node = node.next_functions[0][0]
    leaf = getattr(node, "variable", None) if node is not None else data
    return next((one for one in list(_known.values()) if one._data is leaf), None)


def ask_for(parameter: Parameter, placements: Placements) -> None:
    """Note how an operator needs a Parameter; the first that asks is served."""
    _asked.setdefault(id(parameter), placements)


def divide_as_asked() -> None:
    """Let every process keep the part of the Parameters that operators asked for."""
    for key in list(_asked):
        parameter = _known.get(key)
        if parameter is not None and key in state.lent:
            continue
        placements = _asked.pop(key)
        if parameter is not None:
            parameter._data = moved(parameter._data.detach(), placements)  # type: ignore[arg-type]


def follow_parameters(optimizer: Any) -> None:
    """Divide what an optimizer holds for its Parameters as these are divided."""
    for one, parameter in slots_of(optimizer):
        if one.shape == parameter.shape and isinstance(parameter._data, DTensor):
            one._data = _like(one._data, parameter._data)


def _like(data: torch.Tensor, model: DTensor) -> DTensor:
    return moved(data, model.placements) if isinstance(data, DTensor) else distributed(data, model.placements)
