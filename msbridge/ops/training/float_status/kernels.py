"""Overflow flags: of one tensor, and of all gradients since the flag was cleared, as Ascend's cores keep it."""

from collections.abc import Iterable, Sequence

import torch

from msbridge.core import torch_private
from msbridge.core.autograd import backward
from msbridge.core.context.context import torch_device
from msbridge.core.tensor.memory import overwrite
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.families import unary

_LENGTH = 8  # floats in the status that a core keeps
_found: list[torch.Tensor] = []


def float_status(x: Tensor) -> Tensor:
    """Return 1 if an element is infinite or NaN, else 0: Float32 of shape (1,).

    Args:
        x: any shape; floats.

    Returns:
        A Tensor of shape (1,); Float32.

    Follows: mindspore.ops.FloatStatus (2.10).
    """
    return unary(_status, "FloatStatus", x)


def allocate_status() -> Tensor:
    """Return an empty status, and watch the gradients from here on: Float32 of shape (8,).

    Returns:
        A Tensor of shape (8,); Float32.

    Follows: mindspore.ops.NPUAllocFloatStatus (2.10).
    """
    _watch()
    return wrap(torch.zeros(_LENGTH, device=torch_device()))


def clear_status(status: Tensor) -> Tensor:
    """Forget what was found, and watch the gradients from here on.

    Args:
        status: what `NPUAllocFloatStatus` returned; changed in place.

    Returns:
        A Tensor that shares its memory.

    Follows: mindspore.ops.NPUClearFloatStatus (2.10).
    """
    _watch()
    overwrite(status, torch.zeros_like(status._data))
    return wrap(status._data)


def read_status(status: Tensor) -> Tensor:
    """Write into `status` whether a gradient was infinite or NaN since the flag was cleared, and stop watching.

    Args:
        status: what `NPUAllocFloatStatus` returned; changed in place.

    Returns:
        A Tensor that shares its memory.

    Follows: mindspore.ops.NPUGetFloatStatus (2.10).
    """
    if _note in backward.observers:
        backward.observers.remove(_note)
    flag = torch.stack(_found).any() if _found else torch.zeros((), dtype=torch.bool)
    overwrite(status, flag.to(status._data).expand_as(status._data))
    return wrap(status._data)


def _watch() -> None:
    _found.clear()
    if _note not in backward.observers:
        backward.observers.append(_note)


def are_finite(datas: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return whether all values of one or more tensors are finite, as a 0-d bool tensor; those of none are."""
    floats = [data for data in datas if data.is_floating_point() and data.numel()]
    flags = [torch.isfinite(data).all() for data in datas if data.is_complex()]
    if floats:  # in few kernels
        norms = torch_private.foreach_norm(floats, float("inf"))
        flags.append(torch.isfinite(torch.stack([norm.float() for norm in norms])).all())
    return torch.stack(flags).all() if flags else torch.ones((), dtype=torch.bool, device=datas[0].device)


def _note(gradients: Iterable[torch.Tensor]) -> None:
    if found := list(gradients):
        _found.append(~are_finite(found))


def _status(data: torch.Tensor) -> torch.Tensor:
    return (~torch.isfinite(data).all()).float().reshape(1)
