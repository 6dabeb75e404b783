"""Functions of `mint` under torch's argument names."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, torch_of
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.faces import face, same
from msbridge.ops.framework.creation import functions as creation
from msbridge.ops.framework.creation import kernels as creation_kernels
from msbridge.ops.framework.grids import functions as grids
from msbridge.ops.framework.inplace.kernels import write_in_place
from msbridge.ops.kernel_calls.families import Number, unary_with
from msbridge.ops.shape.diagonals import functions as diagonals


def full(size: int | Sequence[int], fill_value: Number | Tensor, *, dtype: Type | None = None) -> Tensor:
    """Make a tensor of one value; without `dtype`, ints yield Int64, floats Float32.

    Args:
        size: a length, or the lengths of the axes.
        fill_value: a number, or a Tensor of one element.
        dtype: of the result; None for that of `fill_value`.

    Returns:
        A Tensor of shape `size`.

    Follows: mindspore.mint.full (2.10).
    """
    return creation.fill(dtype, size, fill_value)


@explaining
def empty_like(
    input: Tensor, *, dtype: Type | None = None, device: str | None = None, pin_memory: bool = False
) -> Tensor:
    """Make a tensor of the shape (and dtype) of `input` whose values are not set; `device` and `pin_memory` as `empty`.

    Args:
        input: a Tensor of any shape and dtype.
        dtype: of the result; None for that of `input`.
        device: where it lies; None for the device that is in use.
        pin_memory: as of `empty`.

    Returns:
        A Tensor of the shape of `input`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.empty_like (2.10).
    """
    if device is None and pin_memory is False:
        return wrap(torch.empty_like(input._data, dtype=torch_of(dtype)))
    return creation_kernels.empty(input.shape, dtype=dtype or input.dtype, device=device, pin_memory=pin_memory)


def linspace(start: Number | Tensor, end: Number | Tensor, steps: int, *, dtype: Type | None = None) -> Tensor:
    """Return `steps` numbers at equal distances from `start` to `end`, both included.

    Follows: mindspore.mint.linspace (2.10).
    """
    result = creation.linspace(start, end, steps)
    return result if dtype is None else elementwise.cast(result, dtype)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Spread vectors over a grid, by default with the axes in their order ("ij").

    Args:
        tensors: vectors, or one sequence of them.
        indexing: "xy": the first two axes are exchanged; "ij" or None: axes in the order of the vectors.

    Returns:
        A tuple of Tensors of as many axes as there are vectors, of their dtypes.

    Follows: mindspore.mint.meshgrid (2.10).
    """
    return grids.meshgrid(*tensors, indexing=indexing or "ij")


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Return the diagonal of a matrix, or make a matrix of a diagonal.

    Args:
        input: a vector or matrix, of any dtype.
        diagonal: which one; above 0 it is above the main diagonal.

    Returns:
        A matrix with the vector as its diagonal, or the diagonal of the matrix, in the dtype of `input`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.diag (2.10).
    """
    return unary_with(torch.diag, "diag", input, diagonal)


def addr_(input: Tensor, vec1: Tensor, vec2: Tensor, beta: Number = 1, alpha: Number = 1) -> Tensor:
    """Make `beta * input + alpha * outer(vec1, vec2)` of `input`, in place.

    Args:
        input: changed in place; shape (n, m).
        vec1: shape (n,).
        vec2: shape (m,).
        beta: what `input` is multiplied by.
        alpha: what the product is multiplied by.

    Returns:
        `input` itself.

    Follows: mindspore.mint.addr_ (2.10).
    """
    return write_in_place(torch.Tensor.addr_, "addr_", input, vec1, vec2, beta=beta, alpha=alpha)


@explaining
def item(input: Tensor) -> Any:
    """Return the only element as a Python number.

    Args:
        input: a Tensor of one element.

    Returns:
        A bool, int, float or complex.

    Follows: mindspore.mint.item (2.10).
    """
    return input.item()


@explaining
def clone(input: Tensor) -> Tensor:
    """Return a Tensor of the same values in memory of its own; gradients flow through.

    Args:
        input: any shape and dtype.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.clone (2.10).
    """
    return wrap(input._data.clone())


FACES = (
    face("zeros", creation.zeros, "size * dtype"),
    face("ones", creation.ones, "size * dtype"),
    face("zeros_like", creation.zeros_like, "input * dtype"),
)
SAME = same(creation_kernels, "empty") | same(creation, "arange eye full_like ones_like") | same(diagonals, "tril triu")
