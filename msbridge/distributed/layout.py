"""Layout: how the axes of a tensor are divided over an array of devices."""

import copy
import math
from typing import Any

from msbridge.core.checks.arguments import instance, require_type

__all__ = ["Layout"]

_WHOLE = "None"
_INTERLEAVED = "interleaved_parallel"  # what one device computes in several parts


class Layout:
    """The devices as an array whose axes have names; called with the names along which a tensor's axes are divided.

    Args:
        device_matrix: lengths of the array's axes.
        alias_name: their names.
        rank_list: the devices' numbers, in order; None for 0, 1, 2 …

    Raises:
        TypeError: `device_matrix` or `alias_name` is not a tuple, or holds something of another type.
        ValueError: lengths do not agree, or a name occurs twice, is empty or "None", or "interleaved_parallel" is not
            the last.

    Follows: mindspore.Layout (2.10).
    """

    def __init__(
        self, device_matrix: tuple[int, ...], alias_name: tuple[str, ...], rank_list: list[int] | None = None
    ) -> None:
        for argument, value, kind in (("device_matrix", device_matrix, int), ("alias_name", alias_name, str)):
            instance(value, argument, "Layout", tuple)
            for element in value:
                if not isinstance(element, kind):
                    raise TypeError(
                        f"For 'Layout', the element of {argument} must be {kind.__name__} type, got: {type(element)}."
                    )
        if len(device_matrix) != len(alias_name):
            raise ValueError(
                "For 'Layout', device_matrix length should be equal to alias_name length, "
                f"got {len(device_matrix)} and {len(alias_name)}."
            )
        if len(set(alias_name)) != len(alias_name):
            raise ValueError(f"For 'Layout', each element of alias_name {alias_name} should be different.")
        if _WHOLE in alias_name:
            raise ValueError("For 'Layout', the element of alias_name can not be 'None', which means no division.")
        if "" in alias_name:
            raise ValueError("For 'Layout', the element of alias_name can not be empty.")
        if _INTERLEAVED in alias_name[:-1]:
            raise ValueError(f"For 'Layout', {_INTERLEAVED!r} must be the last of alias_name, got {alias_name}.")
        count = math.prod(device_matrix)
        if rank_list is not None:
            require_type(rank_list, "rank_list", list)
            for rank in rank_list:
                require_type(rank, "rank_list's element", int)
        if rank_list is not None and len(rank_list) != count:
            raise ValueError(
                "For 'Layout', the length of rank_list should be equal to the product of device_matrix, "
                f"but got {len(rank_list)} and {count}."
            )
        self._device_shape = device_matrix
        self._alias_name = alias_name
        self._rank_list = list(range(count)) if rank_list is None else list(rank_list)
        self._tensor_map: tuple[int | tuple[int, ...], ...] | None = None

    def __call__(self, *tensor_map: str | tuple[str, ...]) -> "Layout":
        """Return the layout of a tensor.

        Args:
            tensor_map: for each axis of the tensor, the name of the devices' axis that divides it, several of them,
                or "None".

        Raises:
            ValueError: a name is not one of `alias_name`, or occurs twice.
        """
        seen: set[str] = set()

        def place(name: str) -> int:
            if name == _WHOLE:
                return -1
            if name not in self._alias_name:
                raise ValueError(f"For 'Layout', the axis {name} is not found in {self._alias_name}.")
            if name in seen:
                raise ValueError(f"For 'Layout', the axis {name} has been set more than once in {tensor_map}.")
            seen.add(name)
            return len(self._alias_name) - 1 - self._alias_name.index(name)

        result = copy.copy(self)
        result._tensor_map = tuple(
            tuple(map(place, axis)) if isinstance(axis, tuple) else place(axis) for axis in tensor_map
        )
        return result

    def to_dict(self) -> dict[str, Any]:
        """Return the layout as a dict; "tensor_map" counts the devices' axes from the last one.

        Raises:
            ValueError: it is not the layout of a tensor yet.
        """
        if self._tensor_map is None:
            raise ValueError("For 'Layout', the tensor_map of layout is None: call it with the names of the axes.")
        return {
            "device_matrix": self._device_shape,
            "tensor_map": self._tensor_map,
            "interleaved_parallel": _INTERLEAVED in self._alias_name,
            "alias_name": self._alias_name,
            "rank_list": self._rank_list,
        }
