"""Functions of `mint` under torch's argument names."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, torch_of
from msbridge.ops.contents import same
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.framework.creation import functions, kernels
from msbridge.ops.kernel_calls.families import Number, unary_with


def zeros(size: int | Sequence[int], *, dtype: Type | None = None) -> Tensor:
    """Make a tensor of zeros, Float32 by default.

    Follows: mindspore.mint.zeros (2.10).
    """
    return functions.zeros(size, dtype)


def ones(size: int | Sequence[int], *, dtype: Type | None = None) -> Tensor:
    """Make a tensor of ones, Float32 by default.

    Follows: mindspore.mint.ones (2.10).
    """
    return functions.ones(size, dtype)


def full(size: int | Sequence[int], fill_value: Number | Tensor, *, dtype: Type | None = None) -> Tensor:
    """Make a tensor of one value; without `dtype`, ints give Int64, floats Float32.

    Follows: mindspore.mint.full (2.10).
    """
    return functions.fill(dtype, size, fill_value)


@explaining
def empty_like(
    input: Tensor, *, dtype: Type | None = None, device: str | None = None, pin_memory: bool = False
) -> Tensor:
    """Make a tensor of the shape (and dtype) of `input` whose values are not set; `device` and `pin_memory` as `empty`.

    Follows: mindspore.mint.empty_like (2.10).
    """
    if device is None and pin_memory is False:
        return wrap(torch.empty_like(input._data, dtype=torch_of(dtype)))
    return kernels.empty(input.shape, dtype=dtype or input.dtype, device=device, pin_memory=pin_memory)


def linspace(start: Number | Tensor, end: Number | Tensor, steps: int, *, dtype: Type | None = None) -> Tensor:
    """Return `steps` numbers at equal distances from `start` to `end`, both included.

    Follows: mindspore.mint.linspace (2.10).
    """
    result = functions.linspace(start, end, steps)
    return result if dtype is None else elementwise.cast(result, dtype)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Spread vectors over a grid, by default with the axes in their order ("ij").

    Follows: mindspore.mint.meshgrid (2.10).
    """
    return functions.meshgrid(*tensors, indexing=indexing or "ij")


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Return the diagonal of a matrix, or make a matrix of a diagonal.

    Follows: mindspore.mint.diag (2.10).
    """
    return unary_with(torch.diag, "diag", input, diagonal)


SAME = same(kernels, "empty") | same(functions, "arange eye full_like ones_like tril triu zeros_like")
