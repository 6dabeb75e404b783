"""Norms of vectors and matrices."""

from typing import Any

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type
from msbridge.ops.kernel_calls.families import Axis, Function, Number
from msbridge.ops.linalg.products_and_norms.norm_orders import is_of_vectors, norm_dtype, unknown_order_error


def norm(
    A: Tensor,
    ord: Number | str | None = None,
    dim: Axis = None,
    keepdim: bool = False,
    *,
    dtype: Type | None = None,
    axis: Axis = None,
    p: Number | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Return the norm of a matrix or vector.

    Args:
        A: any shape.
        ord: None for the 2-norm of all elements; a number p, inf, -inf, "fro" or "nuc".
        dim: an axis for vector norms, two for matrix norms; None takes all.
        keepdim: keep the reduced axes with length 1.
        dtype: cast to this first.
        axis: the axes of a p-norm of vectors, also where there are two.
        p: its order; 2, where `axis` or `keep_dims` is given without it.
        keep_dims: whether it keeps the axes.

    Returns:
        A Tensor of the shape of `A` without the reduced axes; its dtype, real, or `dtype`.

    Follows: mindspore.ops.norm (2.10), and of 1.10 for `axis`, `p` and `keep_dims`.
    """
    if axis is not None or p is not None or keep_dims is not None:
        return vector_norm(A, 2 if p is None else p, axis, bool(keep_dims), dtype=dtype)
    return _norm(torch.linalg.norm, "norm", A, ord, dim, keepdim, dtype)


def vector_norm(
    x: Tensor, ord: Number = 2, axis: Axis = None, keepdims: bool = False, *, dtype: Type | None = None
) -> Tensor:
    """Return the p-norm of vectors along axes.

    Args:
        x: any shape; floats or complex numbers.
        ord: the order p; inf, -inf and 0 as well.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keepdims: keep the reduced axes with length 1.
        dtype: what to cast to first.

    Returns:
        A Tensor of the shape of `x` without the reduced axes; its dtype, real, or `dtype`.

    Follows: mindspore.ops.vector_norm (2.10).
    """
    return _norm(torch.linalg.vector_norm, "vector_norm", x, ord, axis, keepdims, dtype)


def matrix_norm(
    A: Tensor,
    ord: Number | str = "fro",
    axis: tuple[int, int] = (-2, -1),
    keepdims: bool = False,
    *,
    dtype: Type | None = None,
) -> Tensor:
    """Return the norm of matrices over two axes.

    Args:
        A: at least two axes; floats or complex numbers.
        ord: "fro", "nuc", inf, -inf, 1, -1, 2 or -2.
        axis: the axes of rows and columns.
        keepdims: keep the reduced axes with length 1.
        dtype: what to cast to first.

    Returns:
        A Tensor of the shape of `A` without the two axes; its dtype, real, or `dtype`.

    Follows: mindspore.ops.matrix_norm (2.10).
    """
    return _norm(torch.linalg.matrix_norm, "matrix_norm", A, ord, axis, keepdims, dtype)


def _norm(fn: Function, op: str, input: Tensor, ord: Any, axes: Axis, keep: bool, dtype: Type | None) -> Tensor:
    try:
        data = input._data if dtype is None else input._data.to(dtype.torch)
        is_real = data.is_floating_point()
        if not (is_real or data.is_complex()):
            data = (
                torch.true_divide(data, 1) if ord in (None, 2, "fro") else data.float()
            )  # see core/tensor/integer_gradients.py
        axes = tuple(axes) if isinstance(axes, list) else axes
        if data.is_complex() and fn is not torch.linalg.vector_norm and not is_of_vectors(data, ord, axes):
            data = data.real  # singular values are those of real matrices there
        found = fn(data, ord, axes, keep)
        if is_real or found.requires_grad:  # of integers, whose gradients are those of the numbers
            return wrap(found)
        return wrap(found.to(norm_dtype(op, input._data.dtype if dtype is None else data.dtype, ord, axes, data)))
    except Exception as error:
        if isinstance(ord, str) and isinstance(input, Tensor):
            raise unknown_order_error(op, ord, axes, input.ndim) from error
        raise explain(error, op, input=input, ord=ord, axis=axes) from error
