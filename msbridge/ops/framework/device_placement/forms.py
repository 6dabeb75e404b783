"""The forms of `to`, for a Tensor and for a Cell: a device and a dtype, a dtype, or a Tensor that has both."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from msbridge.core.context.context import device_named
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, dtype_to_torch

__all__ = ["Destination", "destination"]


@dataclass(frozen=True, slots=True)
class Destination:
    """The destination of a tensor, and what it becomes; None leaves it as it is.

    Attributes:
        device, dtype: torch's.
        flags: the switches that follow, by position.
    """

    device: torch.device | None
    dtype: torch.dtype | None
    flags: tuple[bool, ...]


def destination(
    arguments: Sequence[Any], device: Any, dtype: Any, other: Any, names: Sequence[str], flags: Sequence[Any]
) -> Destination:
    """Read a call of `to`.

    Args:
        arguments: what is given by position.
        device: the name of a device, given by keyword; None where it is not.
        dtype: a MindSpore dtype, likewise.
        other: a Tensor, likewise.
        names: the switches that may follow by position, such as "non_blocking".
        flags: their values by keyword, or their defaults.

    Raises:
        TypeError: arguments of other types, or too many.
        ValueError: there is no such device.
    """
    rest = list(arguments)
    if rest:
        first = rest.pop(0)
        if isinstance(first, Type):
            dtype = first
        elif isinstance(first, Tensor):
            other = first
        else:
            device = first
            dtype = rest.pop(0) if rest and (rest[0] is None or isinstance(rest[0], Type)) else dtype
    switches = (*rest, *flags[len(rest) :])
    kinds = {"device": (device, str), "dtype": (dtype, Type), "other": (other, Tensor)}
    wrong = [value for value, kind in kinds.values() if not isinstance(value, kind | None)]
    wrong += [value for value in switches if not isinstance(value, bool)] or list(rest[len(names) :])
    if wrong:
        raise TypeError(
            f"For 'to', the forms are to(device, dtype), to(dtype) and to(other), each with {' and '.join(names)}; "
            f"got {wrong[0]!r}."
        )
    place = None if other is None else other._data.device
    kind = None if other is None else other._data.dtype
    return Destination(
        place if device is None else device_named(device), kind if dtype is None else dtype_to_torch(dtype), switches
    )
