"""The memory of a Tensor as bytes."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import wrap
from msbridge.core.types.dtype import Type, from_torch

__all__ = ["UntypedStorage"]


class UntypedStorage:
    """The memory that one or several Tensors share.

    Args:
        data: a torch tensor of the memory.

    Follows: mindspore.UntypedStorage (2.10).
    """

    def __init__(self, data: torch.Tensor) -> None:
        self._data = data
        self._storage = data.untyped_storage()

    @property
    def dtype(self) -> Type:
        """Dtype of the Tensor that it was asked of."""
        return from_torch(self._data.dtype)

    @property
    def device(self) -> str:
        """MindSpore's name of the device."""
        return wrap(self._data).device

    def data_ptr(self) -> int:
        """Return the address of the first byte."""
        return self._storage.data_ptr()

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return self._storage.nbytes()

    def size(self) -> int:
        """Return the number of bytes."""
        return self._storage.nbytes()

    def element_size(self) -> int:
        """Return 1: its elements are bytes."""
        return 1

    def is_shared(self) -> bool:
        """Whether it is shared between processes."""
        return self._storage.is_shared()

    def copy_(self, src: "UntypedStorage", non_blocking: bool = False) -> "UntypedStorage":
        """Copy the bytes of another one of the same size."""
        self._storage.copy_(src._storage, non_blocking)
        return self

    def resize_(self, size: int) -> "UntypedStorage":
        """Change the number of bytes; 0 frees the memory, which Tensors that share it must not read any more."""
        if not self._storage.resizable():  # an array's memory: the Tensor gets its own
            self._data.data = self._data.clone()
            self._storage = self._data.untyped_storage()
        self._storage.resize_(size)
        return self

    def __len__(self) -> int:
        return self._storage.nbytes()

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, UntypedStorage) and self._storage._cdata == other._storage._cdata

    def __hash__(self) -> int:
        return hash(self._storage._cdata)
