"""Methods of Tensor."""

import builtins
from typing import Any

from msbridge.core.context.context import device_named, torch_device
from msbridge.core.context.grad_state import state
from msbridge.core.tensor.memory import twin
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, dtype_to_torch
from msbridge.ops.framework.device_placement.forms import destination
from msbridge.ops.framework.device_placement.storage import UntypedStorage


def to(
    self: Tensor,
    *arguments: Any,
    device: str | None = None,
    dtype: Type | None = None,
    other: Tensor | None = None,
    non_blocking: bool = False,
    copy: bool = False,
) -> Tensor:
    """Change the dtype, move to another device, or both.

    Args:
        self: the tensor.
        arguments: a device and a dtype, or a dtype, or another Tensor; then `non_blocking` and `copy`.
        device: "CPU", "GPU" or "Ascend", or one of several such as "GPU:1"; without a number that of the context.
        dtype: a MindSpore dtype.
        other: a Tensor whose device and dtype are taken.
        non_blocking: do not wait for a copy between page-locked memory and the device.
        copy: copy in any case; else a tensor that is there already, and has the dtype, shares its memory.

    Returns:
        A Tensor of the same shape.

    Raises:
        TypeError: arguments of other types.
        ValueError: there is no such device.

    Follows: mindspore.Tensor.to (2.10).
    """
    is_plain = other is None and not (device or dtype or non_blocking or copy)
    if is_plain and len(arguments) == 1 and isinstance(arguments[0], Type):
        data = self._data.to(dtype_to_torch(arguments[0]))  # the form that steps of a training use
        return wrap(data) if state.depth or data is not self._data else twin(self)
    found = destination(arguments, device, dtype, other, ("non_blocking", "copy"), (non_blocking, copy))
    source = self._data
    data = source.to(found.device or source.device, found.dtype or source.dtype, *found.flags)
    return twin(self) if data is source else wrap(data)


def to_(self: Tensor, device: str | None = None, non_blocking: bool = False) -> Tensor:
    """Move this Tensor itself to "CPU", or to the device of the context.

    Args:
        self: moved in place.
        device: "CPU", "GPU" or "Ascend".
        non_blocking: do not wait for a copy between page-locked memory and the device.

    Returns:
        This Tensor itself.

    Raises:
        ValueError: there is no such device.

    Follows: mindspore.Tensor.to_ (2.10).
    """
    if not isinstance(device, str):
        raise ValueError(f"For 'to_', device must be 'CPU', 'GPU' or 'Ascend', got {device!r}.")
    self._data = self._data.to(device_named(device), non_blocking=non_blocking)
    return self


def move_to(self: Tensor, to: str, blocking: bool = True) -> Tensor:
    """Move to "CPU", or to the device of the context ("Ascend", "GPU").

    Args:
        self: any shape and dtype.
        to: the device.
        blocking: whether the call waits until the elements are there.

    Returns:
        A Tensor of the same shape and dtype.

    Raises:
        ValueError: there is no such device, or `blocking` is not a bool.

    Follows: mindspore.Tensor.move_to (2.10).
    """
    if not isinstance(to, str):
        raise ValueError(f"For 'move_to', to must be 'CPU', 'GPU' or 'Ascend', got {to!r}.")
    if not isinstance(blocking, builtins.bool):
        raise ValueError(f"For 'move_to', blocking must be a bool, got {blocking!r}.")
    return wrap(self._data.to(device_named(to), non_blocking=not blocking))


def delete_(self: Tensor, non_blocking: bool = False) -> Tensor:
    """Free the memory; the Tensor keeps its shape and dtype, and is 0 everywhere.

    Args:
        self: the tensor.
        non_blocking: without effect: torch frees memory when the device has done with it.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.delete_ (2.10).
    """
    self._data = self._data.new_zeros(()).expand(self._data.shape)
    return self


def is_pinned(self: Tensor) -> bool:
    """Return whether the memory is page-locked.

    Returns:
        True or False.

    Follows: mindspore.Tensor.is_pinned (2.10).
    """
    return self._data.is_pinned()


def is_shared(self: Tensor) -> bool:
    """Return whether the memory is shared between processes.

    Returns:
        True or False.

    Follows: mindspore.Tensor.is_shared (2.10).
    """
    return self._data.is_shared()


def pin_memory(self: Tensor) -> Tensor:
    """Return the values in page-locked memory of the host, which a device reads faster.

    Returns:
        A Tensor of the same shape and dtype.

    Raises:
        RuntimeError: torch has no device that would read it.

    Follows: mindspore.Tensor.pin_memory (2.10).
    """
    try:
        return wrap(self._data.pin_memory())
    except RuntimeError as error:
        device = torch_device()
        raise RuntimeError(
            f"For 'pin_memory', memory is page-locked for a GPU or NPU; this runs on {device}."
        ) from error


def storage(self: Tensor) -> UntypedStorage:
    """Return the memory that holds the elements, in bytes.

    Returns:
        The memory as a sequence of bytes.

    Follows: mindspore.Tensor.storage (2.10).
    """
    return UntypedStorage(self._data)


def untyped_storage(self: Tensor) -> UntypedStorage:
    """Return the memory that holds the elements, in bytes; Tensors that share it have equal ones.

    Returns:
        The memory as a sequence of bytes.

    Follows: mindspore.Tensor.untyped_storage (2.10).
    """
    return UntypedStorage(self._data)
