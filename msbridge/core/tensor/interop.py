"""Tensors of other libraries' memory, and of each other's."""

from typing import Any

import torch
import torch.utils.dlpack as dlpack_module

from msbridge.core.checks.arguments import is_int
from msbridge.core.tensor.construction import place
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, dtype_to_torch

__all__ = ["from_dlpack", "frombuffer", "reuse_data_ptr", "swap_tensors", "to_dlpack"]


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Exchange what two Tensors are: values, dtype, shape, class and attributes. The objects stay.

    Args:
        t1: a Tensor.
        t2: the other.

    Raises:
        TypeError: one of them is not a Tensor.

    Follows: mindspore.swap_tensors (2.10).
    """
    if not isinstance(t1, Tensor) or not isinstance(t2, Tensor):
        raise TypeError(f"For 'swap_tensors', two Tensors are expected, got {t1!r} and {t2!r}.")
    t1.__class__, t2.__class__ = t2.__class__, t1.__class__
    t1.__dict__, t2.__dict__ = t2.__dict__, t1.__dict__
    t1._data, t2._data = t2._data, t1._data


def reuse_data_ptr(dst: Tensor, src: Tensor, offset: int) -> None:
    """Let a Tensor share memory with another, from its element `offset` on.

    Raises:
        TypeError: one of them is not a Tensor, or `offset` is not an int.
        ValueError: there is no room for it behind `offset`; MindSpore looks at its first element only.

    Follows: mindspore.utils._reuse_data_ptr (2.10).
    """
    if not isinstance(dst, Tensor) or not isinstance(src, Tensor) or not is_int(offset) or offset < 0:
        raise TypeError(
            f"For '_reuse_data_ptr', two Tensors and an int >= 0 are expected, got {dst!r}, {src!r}, {offset!r}."
        )
    data, memory = dst._data, src._data
    first, end = offset * memory.element_size(), memory.nbytes
    if first + data.nbytes > end:
        raise ValueError(
            f"For '_reuse_data_ptr', {data.nbytes} bytes from {first} on are more than the {end} that are there."
        )
    shared = memory.detach().reshape(-1).view(torch.uint8)[first : first + data.nbytes]
    dst._data = shared.view(data.dtype).reshape(data.shape)


def from_dlpack(dlpack: Any) -> Tensor:
    """Return a Tensor that shares memory with another library's array.

    Args:
        dlpack: an array with `__dlpack__`, or a capsule.

    Returns:
        A Tensor of its shape and dtype.

    Follows: mindspore.from_dlpack, mindspore.utils.dlpack (2.10).
    """
    return wrap(dlpack_module.from_dlpack(dlpack))


def to_dlpack(tensor: Tensor) -> Any:
    """Return the DLPack capsule of a Tensor.

    Args:
        tensor: any shape and dtype.

    Returns:
        A capsule, for once.

    Follows: mindspore.to_dlpack (2.10).
    """
    return tensor._data.detach().__dlpack__()


def frombuffer(buffer: Any, dtype: Type, count: int = -1, offset: int = 0) -> Tensor:
    """Return a Tensor (n,) that shares memory with a buffer (on CPU).

    Args:
        buffer: bytes, a bytearray, an array or the like; what cannot be written is copied.
        dtype: of the elements.
        count: how many; -1 for all.
        offset: how many bytes come before.

    Returns:
        A Tensor of shape (n,) and `dtype`.

    Raises:
        TypeError: `buffer` is not one, or `dtype` no dtype.
        RuntimeError: there are not so many bytes, or no whole number of elements.

    Follows: mindspore.frombuffer (2.10).
    """
    bytes_of = memoryview(buffer).cast("B")
    data_type = dtype_to_torch(dtype)
    if not is_int(count) or not is_int(offset):
        raise TypeError(f"For 'frombuffer', count and offset must be ints, got {count!r} and {offset!r}.")
    try:
        shared = bytearray(bytes_of) if bytes_of.readonly else bytes_of
        data = torch.frombuffer(shared, dtype=data_type, count=count, offset=offset)
    except (RuntimeError, ValueError) as error:
        raise RuntimeError(
            f"For 'frombuffer', {len(bytes_of)} bytes from {offset} on do not make "
            f"{'elements' if count == -1 else f'{count} elements'} of {dtype}."
        ) from error
    return wrap(place(data, None))
