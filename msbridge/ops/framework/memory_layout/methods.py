"""Methods of Tensor."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.errors.explain import explaining
from msbridge.core.runtime.device_to_host import read
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.framework.device_placement.storage import UntypedStorage


def numel(self: Tensor) -> int:
    """Return the number of elements.

    Returns:
        An int.

    Follows: mindspore.Tensor.numel (2.10).
    """
    return self._data.numel()


def is_contiguous(self: Tensor) -> bool:
    """Return whether the elements lie in order without gaps.

    Returns:
        True or False.

    Follows: mindspore.Tensor.is_contiguous (2.10).
    """
    return self._data.is_contiguous()


def contiguous(self: Tensor) -> Tensor:
    """Return the tensor with its elements in order without gaps: itself, if they are.

    Returns:
        A Tensor of the same shape and dtype.

    Follows: mindspore.Tensor.contiguous (2.10).
    """
    data = self._data.contiguous()
    return self if data is self._data else wrap(data)


def stride(self: Tensor, dim: int | None = None) -> Any:
    """Return the elements to step along an axis, or a list for all axes.

    Args:
        self: the tensor.
        dim: which axis; None asks for all.

    Returns:
        An int, or a list of them.

    Follows: mindspore.Tensor.stride (2.10).
    """
    return list(self._data.stride()) if dim is None else self._data.stride(dim)


def storage_offset(self: Tensor) -> int:
    """Return the offset of the tensor in its memory, in elements.

    Returns:
        An int.

    Follows: mindspore.Tensor.storage_offset (2.10).
    """
    return int(self._data.storage_offset())


def data_ptr(self: Tensor) -> int:
    """Return the address of the first element.

    Returns:
        An int.

    Follows: mindspore.Tensor.data_ptr (2.10).
    """
    return self._data.data_ptr()


def data_sync(self: Tensor, wait: bool = False) -> None:
    """Do nothing: values are brought to the host when they are read.

    Args:
        self: the tensor.
        wait: without effect.

    Returns:
        None.

    Follows: mindspore.Tensor.data_sync (2.10).
    """


def is_signed(self: Tensor) -> bool:
    """Return whether the elements have a sign; False for Float16, as there.

    Returns:
        True or False.

    Follows: mindspore.Tensor.is_signed (2.10).
    """
    return self._data.is_signed() and self._data.dtype is not torch.float16


def get_bytes(self: Tensor) -> bytes:
    """Return the elements as raw bytes.

    Returns:
        Bytes, in the order of the elements.

    Follows: mindspore.Tensor.get_bytes (2.10).
    """
    return read(self._data).contiguous().flatten().view(torch.uint8).numpy().tobytes()


def clone(self: Tensor) -> Tensor:
    """Return a Tensor of the same values in memory of its own; gradients flow through.

    Returns:
        A Tensor of the same shape and dtype.

    Follows: mindspore.Tensor.clone (2.10).
    """
    return wrap(self._data.clone())


def value(self: Tensor) -> Tensor:
    """Return this tensor; of a Parameter, its values.

    Returns:
        This Tensor itself, or one of the same shape and dtype.

    Follows: mindspore.Tensor.value (2.10).
    """
    return self


def set_const_arg(self: Tensor, const_arg: bool = True) -> Tensor:
    """Return this tensor; graph constants are not kept apart here.

    Args:
        self: the tensor.
        const_arg: without effect.

    Returns:
        This Tensor itself.

    Follows: mindspore.Tensor.set_const_arg (2.10).
    """
    return self


def itemset(self: Tensor, *args: Any) -> Tensor:
    """Return a copy with one element changed: `itemset(value)` or `itemset(index, value)`.

    Args:
        self: any shape and dtype.
        args: the index, an int or a tuple, if any, and the value.

    Returns:
        A Tensor of the same shape and dtype.

    Raises:
        IndexError: no index is given, and there is more than one element.

    Follows: mindspore.Tensor.itemset (2.10).
    """
    *index, value = args
    result = self._data.clone()
    if not index:
        if result.numel() != 1:
            raise IndexError(f"For 'itemset', a tensor of shape {self.shape} needs an index.")
        result.fill_(value)
    elif isinstance(index[0], int):
        result.view(-1)[index[0]] = value
    else:
        result[tuple(index[0])] = value
    return wrap(result)


@explaining
def set_(
    self: Tensor,
    source: Tensor | UntypedStorage | None = None,
    storage_offset: int = 0,
    size: Sequence[int] | None = None,
    stride: Sequence[int] | None = None,
) -> Tensor:
    """Take over the memory of another Tensor, with its shape and strides or others.

    Args:
        self: this Tensor.
        source: the Tensor of the same dtype, or the memory of one; None for an empty one.
        storage_offset: where the first element lies, in elements, if `size` is given.
        size: the shape; None for that of `source`, or for all that is in the memory.
        stride: the elements to step along each axis; None for a shape without gaps.

    Returns:
        This Tensor itself.

    Raises:
        RuntimeError: the dtypes differ.
        TypeError: `source` is neither a Tensor nor a memory; an offset or strides without a size.

    Follows: mindspore.Tensor.set_ (2.10).
    """
    if not isinstance(source, Tensor | UntypedStorage | None):
        raise TypeError(f"For 'set_', source must be a Tensor or its storage, got {source!r}.")
    if size is None and (storage_offset or stride is not None):
        raise TypeError("For 'set_', storage_offset and stride need size beside them.")
    if isinstance(source, Tensor) and source.dtype != self.dtype:
        raise RuntimeError(f"For 'set_', source has the dtype {source.dtype}, and this Tensor {self.dtype}.")
    if isinstance(source, Tensor) and size is None:
        self._data = source._data
        return self
    bare = torch.empty(0, dtype=self._data.dtype, device=self._data.device)
    if source is None:
        self._data = bare
    else:
        memory = source._storage if isinstance(source, UntypedStorage) else source._data.untyped_storage()
        self._data = bare.set_(memory) if size is None else bare.set_(memory, storage_offset, size, stride or ())
    return self


def requires_grad_(self: Tensor, requires_grad: bool = True) -> None:
    """Return whether optimizers train this parameter; without effect on other tensors.

    Args:
        self: the parameter.
        requires_grad: whether optimizers train it.

    Returns:
        None.

    Follows: mindspore.Tensor.requires_grad_ (2.10).
    """
    if hasattr(self, "requires_grad"):
        self.requires_grad = requires_grad


SAME = {"ndimension": Tensor.dim, "nelement": numel}
