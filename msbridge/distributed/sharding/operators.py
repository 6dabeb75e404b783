"""Operators with a strategy: their inputs are divided as it says before they compute."""

from collections.abc import Mapping, Sequence
from typing import Any

from torch.distributed.tensor import DTensor

from msbridge.core.autograd.pytree import map_tensors, tensors_of
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.groups.group import communicator
from msbridge.distributed.sharding import parameters
from msbridge.distributed.sharding.devices import Placements, by_labels, by_layout, by_parts, redistribute
from msbridge.distributed.sharding.preceding import put_class_first
from msbridge.distributed.sharding.running import running
from msbridge.distributed.sharding.strategies import parts_of_call

__all__ = ["divided", "redistribute_by_layout"]

Key = tuple[tuple[int, ...], ...]

# Inputs that an operator writes to: the places of the tensors.
_WRITTEN: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("BatchNorm", "InstanceNorm"), (3, 4)),
    **dict.fromkeys(("Assign", "AssignAdd", "AssignSub"), (0,)),
}


class _Divided:
    """Comes before the class of a primitive that has a strategy, in several processes."""

    attrs: dict[str, Any]
    name: str

    def __call__(self, *args: Any) -> Any:
        """Divide the inputs, compute, divide the output."""
        if not running.depth:
            return super().__call__(*args)  # type: ignore[misc]
        tensors = tensors_of(args)
        placements = _placements_of(self.name, self.attrs, args, tuple(tensor.shape for tensor in tensors))
        for place in _WRITTEN.get(self.name, ()):  # a part of a Parameter would not be the Parameter
            _record_request(tensors[place], placements[place])
            placements[place] = None
        wanted = iter(placements)
        output = super().__call__(*map_tensors(lambda tensor: _redistribute_tensor(tensor, next(wanted)), args))  # type: ignore[misc]
        return self._output_divided(output)

    def _output_divided(self, output: Any) -> Any:
        layouts, strategy = self.attrs.get("out_layout"), self.attrs.get("out_strategy")
        if self.name == "OneHot" and not strategy:
            strategy = (self.attrs.get("in_strategy") or ())[:1]
        if not layouts and not strategy:
            return output
        wanted = iter(
            [by_layout(self.name, one) for one in layouts]
            if layouts
            else [by_parts(self.name, parts) for parts in strategy or ()]
        )
        return map_tensors(lambda tensor: _redistribute_tensor(tensor, next(wanted, None)), output)


divided = put_class_first(_Divided)  # has a primitive carry out its strategy


def _placements_of(name: str, attrs: Mapping[str, Any], args: Sequence[Any], shapes: Key) -> list[Placements | None]:
    layouts = attrs.get("in_layout")
    if layouts:
        if len(layouts) != len(shapes):
            raise ValueError(f"For '{name}', there are {len(layouts)} Layouts for {len(shapes)} inputs.")
        return [by_layout(name, layout) for layout in layouts]
    if not attrs.get("in_strategy"):
        return [None] * len(shapes)
    labels, parts = parts_of_call(name, attrs, args, shapes, communicator().size)
    return list(by_labels(name, labels, parts))


def _redistribute_tensor(tensor: Tensor, placements: Placements | None) -> Tensor:
    data = tensor._data
    if placements is None or not isinstance(data, DTensor) or data.placements == placements:
        return tensor
    _record_request(tensor, placements)
    return wrap(redistribute(data, placements))


def _record_request(tensor: Tensor, placements: Placements | None) -> None:
    parameter = parameters.owner_of(tensor)
    if parameter is not None and placements is not None:
        parameters.ask_for(parameter, placements)


def redistribute_by_layout(name: str, tensor: Tensor, layout: Mapping[str, Any]) -> Tensor:
    """Return a Tensor divided as a Layout's dict says; outside a divided network it stays as it is."""
    return _redistribute_tensor(tensor, by_layout(name, layout)) if running.depth else tensor
