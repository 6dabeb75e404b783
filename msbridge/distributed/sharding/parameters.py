"""Parameters over several processes: each becomes a DTensor, divided as the operators that take it ask for.

An operator's strategy says how its weight is divided, but only the first call shows which Parameter that is. So a
Parameter is whole in every process at first; the first call notes what is asked for it, and when the call is done the
other parts are let go. What optimizers hold for it follows.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from weakref import WeakValueDictionary

from torch.distributed.tensor import DTensor, Shard

from msbridge.core.context import context
from msbridge.core.context.grad_state import state
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.sharded_parameters import refuse_in_use, slots_of
from msbridge.distributed.sharding.devices import (
    Placements,
    make_dtensor,
    redistribute,
    replicas,
    replicate_everywhere,
    world_mesh,
)

__all__ = ["ask_for", "divide_as_asked", "follow_parameters", "further", "owner_of", "take_in", "update_further"]

_known: WeakValueDictionary[int, Parameter] = WeakValueDictionary()
_asked: dict[int, Placements] = {}  # by the identity of a Parameter
_CASTS = ("ToCopyBackward0", "AliasBackward0")


def take_in(parameters: Iterable[Parameter]) -> None:
    """Make DTensors of Parameters that are none yet; every process has the whole of them."""
    for parameter in parameters:
        if isinstance(parameter._data, DTensor) or not isinstance(parameter, Parameter):
            continue
        refuse_in_use(parameter)
        parameter._data = make_dtensor(parameter._data, replicate_everywhere())
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
            parameter._data = redistribute(parameter._data.detach(), placements)  # type: ignore[arg-type]


def follow_parameters(optimizer: Any) -> None:
    """Divide what an optimizer holds for its Parameters as these are divided, or further."""
    for slot, parameter in slots_of(optimizer):
        if slot.shape == parameter.shape and isinstance(parameter._data, DTensor):
            placements = further(parameter)
            data = slot._data
            slot._data = redistribute(data, placements) if isinstance(data, DTensor) else make_dtensor(data, placements)


def further(parameter: Parameter) -> Placements:
    """Return the division of a Parameter's gradient and of its state in an optimizer.

    With `enable_parallel_optimizer` the processes that hold the same part of a Parameter divide it among them, along
    the first axis that is whole and long enough; small ones they do not.
    """
    data: Any = parameter._data
    placements: Placements = data.placements
    if not (context.get_auto_parallel_context("enable_parallel_optimizer") and parameter.parallel_optimizer):
        return placements
    copies = replicas(data)
    threshold = context.get_auto_parallel_context("parallel_optimizer_config").get("parallel_optimizer_threshold", 64)
    if copies == 1 or data.nbytes * copies < threshold * 1024 * world_mesh().size():
        return placements
    taken = {place.dim for place in placements if isinstance(place, Shard)}
    whole = (axis for axis, length in enumerate(data.shape) if axis not in taken and length % copies == 0)
    axis = next(whole, None)
    return placements if axis is None else tuple(Shard(axis) if one.is_replicate() else one for one in placements)


def update_further(
    update: Callable[..., Any], optimizer: Any, gradients: Sequence[Tensor], *rest: Any, **options: Any
) -> Any:
    """Call an optimizer on the parts of its Parameters for which it holds state, and put these together again."""
    parts = [(one, one._data.placements, further(one)) for one in optimizer.parameters]
    for parameter, _, placements in parts:
        parameter._data = redistribute(parameter._data.detach(), placements)
    try:
        own = [
            _like_gradient(gradient, placements) for gradient, (_, _, placements) in zip(gradients, parts, strict=True)
        ]
        return update(optimizer, own, *rest, **options)
    finally:
        for parameter, placements, _ in parts:
            parameter._data = redistribute(parameter._data, placements)


def _like_gradient(gradient: Any, placements: Placements) -> Any:
    data = getattr(gradient, "_data", None)
    return wrap(redistribute(data, placements)) if isinstance(data, DTensor) else gradient
