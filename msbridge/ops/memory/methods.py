"""Tensor methods about memory, layout and single elements, and those that make tensors like this one."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.dtype import Type
from msbridge.core.host import read
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.creation import functions as creation
from msbridge.ops.decomposition import functions as decomposition
from msbridge.ops.families import Number
from msbridge.ops.linalg import functions as linalg
from msbridge.ops.random import functions as random
from msbridge.ops.reshaping import functions as reshaping


def numel(self: Tensor) -> int:
    """Give the number of elements.

    Follows: mindspore.Tensor.numel (2.10).
    """
    return self._data.numel()


def unsqueeze(self: Tensor, dim: int | None = None, *, axis: int | None = None) -> Tensor:
    """Insert an axis of length 1; `axis` is another name of `dim`.

    Raises:
        TypeError: neither is given.

    Follows: mindspore.Tensor.unsqueeze (2.10).
    """
    return reshaping.unsqueeze(self, axis if dim is None else dim)  # type: ignore[arg-type]


def is_contiguous(self: Tensor) -> bool:
    """Say whether the elements lie in order without gaps.

    Follows: mindspore.Tensor.is_contiguous (2.10).
    """
    return self._data.is_contiguous()


def contiguous(self: Tensor) -> Tensor:
    """Give the tensor with its elements in order without gaps.

    Follows: mindspore.Tensor.contiguous (2.10).
    """
    return wrap(self._data.contiguous())


def stride(self: Tensor, dim: int | None = None) -> Any:
    """Give the elements to step along an axis, or a list for all axes.

    Follows: mindspore.Tensor.stride (2.10).
    """
    return list(self._data.stride()) if dim is None else self._data.stride(dim)


def storage_offset(self: Tensor) -> int:
    """Give where in its memory the tensor begins, in elements.

    Follows: mindspore.Tensor.storage_offset (2.10).
    """
    return int(self._data.storage_offset())


def data_ptr(self: Tensor) -> int:
    """Give the address of the first element.

    Follows: mindspore.Tensor.data_ptr (2.10).
    """
    return self._data.data_ptr()


def data_sync(self: Tensor, wait: bool = False) -> None:
    """Do nothing: values are brought to the host when they are read.

    Follows: mindspore.Tensor.data_sync (2.10).
    """


def is_signed(self: Tensor) -> bool:
    """Say whether the elements have a sign.

    Follows: mindspore.Tensor.is_signed (2.10).
    """
    return self._data.is_signed()


def get_bytes(self: Tensor) -> bytes:
    """Give the elements as raw bytes.

    Follows: mindspore.Tensor.get_bytes (2.10).
    """
    return read(self._data).contiguous().flatten().view(torch.uint8).numpy().tobytes()


def clone(self: Tensor) -> Tensor:
    """Give a Tensor of the same values in memory of its own; gradients flow through.

    Follows: mindspore.Tensor.clone (2.10).
    """
    return wrap(self._data.clone())


def value(self: Tensor) -> Tensor:
    """Give this tensor; of a Parameter, its values.

    Follows: mindspore.Tensor.value (2.10).
    """
    return self


def set_const_arg(self: Tensor, const_arg: bool = True) -> Tensor:
    """Give this tensor; graph constants are not kept apart here.

    Follows: mindspore.Tensor.set_const_arg (2.10).
    """
    return self


def itemset(self: Tensor, *args: Any) -> Tensor:
    """Give a copy with one element changed: `itemset(value)` or `itemset(index, value)`.

    Raises:
        ValueError: no index is given, and there is more than one element.

    Follows: mindspore.Tensor.itemset (2.10).
    """
    *index, value = args
    result = self._data.clone()
    if not index:
        if result.numel() != 1:
            raise ValueError(f"For 'itemset', a tensor of shape {self.shape} needs an index.")
        result.fill_(value)
    elif isinstance(index[0], int):
        result.view(-1)[index[0]] = value
    else:
        result[tuple(index[0])] = value
    return wrap(result)


def matrix_transposed(self: Tensor) -> Tensor:
    """The tensor with its last two axes exchanged; a view."""
    return wrap(self._data.mT)


def data(self: Tensor) -> Tensor:
    """The values, sharing memory, apart from gradients."""
    return wrap(self._data.detach())


def new_zeros(self: Tensor, size: int | Sequence[int], dtype: Type | None = None) -> Tensor:
    """Make a tensor of zeros of this dtype.

    Follows: mindspore.Tensor.new_zeros (2.10).
    """
    return creation.zeros(size, dtype or self.dtype)


def new_ones(self: Tensor, size: int | Sequence[int], dtype: Type | None = None) -> Tensor:
    """Make a tensor of ones of this dtype.

    Follows: mindspore.Tensor.new_ones (2.10).
    """
    return creation.ones(size, dtype or self.dtype)


def new_full(self: Tensor, size: int | Sequence[int], fill_value: Number, *, dtype: Type | None = None) -> Tensor:
    """Make a tensor of one value of this dtype.

    Follows: mindspore.Tensor.new_full (2.10).
    """
    return creation.full(size, fill_value, dtype=dtype or self.dtype)


def new_empty(self: Tensor, size: int | Sequence[int], *, dtype: Type | None = None) -> Tensor:
    """Make a tensor of this dtype whose values are not set.

    Follows: mindspore.Tensor.new_empty (2.10).
    """
    return creation.empty(size, dtype=dtype or self.dtype)


def diagonal(self: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Give the diagonal over two axes, as the last axis.

    Follows: mindspore.Tensor.diagonal (2.10).
    """
    return creation.diagonal(self, offset, axis1, axis2)


def qr(self: Tensor, some: bool = True) -> tuple[Tensor, Tensor]:
    """Give Q with orthonormal columns and the upper triangular R.

    Follows: mindspore.Tensor.qr (2.10).
    """
    return decomposition.qr(self, "reduced" if some else "complete")


def outer(self: Tensor, vec2: Tensor) -> Tensor:
    """Give the products of all pairs of elements, both flattened.

    Follows: mindspore.Tensor.outer (2.10).
    """
    return linalg.outer(self.reshape(-1), vec2.reshape(-1))  # type: ignore[attr-defined]


def cauchy(self: Tensor, median: float = 0.0, sigma: float = 1.0) -> Tensor:
    """Draw a tensor of this shape from the Cauchy distribution, Float32.

    Follows: mindspore.Tensor.cauchy (2.10).
    """
    return wrap(torch.empty_like(self._data, dtype=torch.float32).cauchy_(median, sigma))


def log_normal(self: Tensor, mean: float = 1.0, std: float = 2.0) -> Tensor:
    """Draw a tensor of this shape from the log-normal distribution.

    Follows: mindspore.Tensor.log_normal (2.10).
    """
    return wrap(torch.empty_like(self._data).log_normal_(mean, std))


def uniform(self: Tensor, from_: float = 0.0, to: float = 1.0, generator: Any = None) -> Tensor:
    """Draw a tensor of this shape and dtype from [from_, to).

    Follows: mindspore.Tensor.uniform (2.10).
    """
    return random.uniform_(clone(self), from_, to, generator=generator)


def bernoulli(self: Tensor, *, generator: Any = None) -> Tensor:
    """Draw 1 with the probability that each element gives, else 0.

    Follows: mindspore.Tensor.bernoulli (2.10).
    """
    return random.bernoulli(self, self, generator)


def is_pinned(self: Tensor) -> bool:
    """Say whether the memory is page-locked.

    Follows: mindspore.Tensor.is_pinned (2.10).
    """
    return self._data.is_pinned()


def is_shared(self: Tensor) -> bool:
    """Say whether the memory is shared between processes.

    Follows: mindspore.Tensor.is_shared (2.10).
    """
    return self._data.is_shared()


def pin_memory(self: Tensor) -> Tensor:
    """Give the values in page-locked memory.

    Follows: mindspore.Tensor.pin_memory (2.10).
    """
    return wrap(self._data.pin_memory())


def set_(self: Tensor, source: Tensor) -> Tensor:
    """Take over the memory, shape and strides of another Tensor.

    Follows: mindspore.Tensor.set_ (2.10).
    """
    self._data = source._data
    return self


def kthvalue(self: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Give the k-th smallest element along an axis: (values, indices), indices Int64.

    Follows: mindspore.Tensor.kthvalue (2.10).
    """
    values, indices = self._data.kthvalue(k, dim, keepdim)
    return wrap(values), wrap(indices)


def triangular_solve(
    self: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Tensor, Tensor]:
    """Solve A x = self for a triangular matrix: (x, A).

    Follows: mindspore.Tensor.triangular_solve (2.10).
    """
    return decomposition.triangular_solve(self, A, upper, transpose, unitriangular)


def index(self: Tensor, indices: Sequence[Tensor]) -> Tensor:
    """Take elements, one index Tensor for each axis.

    Follows: mindspore.Tensor.index (2.10).
    """
    return self[tuple(indices)]


def requires_grad_(self: Tensor, requires_grad: bool = True) -> None:
    """Say whether optimizers train this parameter; without effect on other tensors.

    Follows: mindspore.Tensor.requires_grad_ (2.10).
    """
    if hasattr(self, "requires_grad"):
        self.requires_grad = requires_grad
