"""Operators of a list of coordinates beside a dense tensor."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.sparse import kernels
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.promotion import promote
from msbridge.ops.kernel_calls.data_movement import data_of
from msbridge.ops.sparse.sparse_tensors.coordinates import sizes

__all__ = [
    "sparse_addmm",
    "sparse_dense_add",
    "sparse_dense_div",
    "sparse_dense_mul",
    "sparse_tensor_dense_add",
    "sparse_tensor_dense_matmul",
]

Shape = Tensor | Sequence[int]


def sparse_tensor_dense_matmul(
    indices: Tensor,
    values: Tensor,
    sparse_shape: Shape,
    dense: Tensor,
    adjoint_st: bool = False,
    adjoint_dt: bool = False,
) -> Tensor:
    """Multiply a sparse matrix with a dense one.

    Args:
        indices: shape (n, 2), row and column of each value.
        values: shape (n,).
        sparse_shape: of the sparse matrix.
        dense: the dense matrix.
        adjoint_st: transpose the sparse matrix first.
        adjoint_dt: transpose the dense matrix first.

    Returns:
        A Tensor of the product's shape and the promoted dtype.

    Follows: mindspore.ops.SparseTensorDenseMatmul (2.10).
    """
    try:
        height, width = sizes(data_of(sparse_shape))
        rows, columns = indices._data.long().unbind(1)
        elements, matrix = promote(values._data, dense._data)
        if adjoint_st:
            rows, columns, height, width, elements = columns, rows, width, height, elements.conj()
        matrix = matrix.mH if adjoint_dt else matrix
        if len(matrix) < width:
            raise ValueError(f"a matrix of {width} columns and one of {len(matrix)} rows cannot be multiplied.")
        return wrap(kernels.row_products(rows, columns, elements, matrix, height))
    except Exception as error:
        raise explain(error, "SparseTensorDenseMatmul", indices=indices, values=values, dense=dense) from error


def sparse_addmm(
    indices: Tensor,
    values: Tensor,
    sparse_shape: Shape,
    x2_dense: Tensor,
    x3_dense: Tensor,
    alpha: Tensor,
    beta: Tensor,
) -> Tensor:
    """Return beta·x3 + alpha·(sparse matrix times x2).

    Follows: mindspore.ops.operations.sparse_ops.SparseAddmm (2.10).
    """
    product = sparse_tensor_dense_matmul(indices, values, sparse_shape, x2_dense)
    try:
        return wrap(beta._data * x3_dense._data + alpha._data * product._data)
    except Exception as error:
        raise explain(error, "SparseAddmm", x3_dense=x3_dense, alpha=alpha, beta=beta) from error


def sparse_tensor_dense_add(x1_indices: Tensor, x1_values: Tensor, x1_shape: Shape, x2: Tensor) -> Tensor:
    """Add a sparse tensor to a dense one.

    Args:
        x1_indices: coordinates, (n, rank); Int32 or Int64.
        x1_values: shape (n,).
        x1_shape: that of the sparse tensor.
        x2: the dense one, of that shape and the dtype of `x1_values`.

    Returns:
        A Tensor of the shape and dtype of `x2`.

    Follows: mindspore.ops.SparseTensorDenseAdd (2.10).
    """
    try:
        return wrap(kernels.add_to_dense(x2._data, x1_indices._data, x1_values._data, sizes(data_of(x1_shape))))
    except Exception as error:
        raise explain(error, "SparseTensorDenseAdd", x1_indices=x1_indices, x1_values=x1_values, x2=x2) from error


def sparse_dense_add(x1_indices: Tensor, x1_values: Tensor, x1_shape: Shape, x2: Tensor) -> Tensor:
    """Add to each value what a dense tensor, broadcast to the shape, has at its place.

    Follows: mindspore.ops.operations.sparse_ops.SparseDenseCwiseAdd (2.10).
    """
    return _at_places(torch.add, "SparseDenseCwiseAdd", x1_indices, x1_values, x1_shape, x2)


def sparse_dense_mul(x1_indices: Tensor, x1_values: Tensor, x1_shape: Shape, x2: Tensor) -> Tensor:
    """Multiply each value with what a dense tensor, broadcast to the shape, has at its place.

    Follows: mindspore.ops.operations.sparse_ops.SparseDenseCwiseMul (2.10).
    """
    return _at_places(torch.mul, "SparseDenseCwiseMul", x1_indices, x1_values, x1_shape, x2)


def sparse_dense_div(x1_indices: Tensor, x1_values: Tensor, x1_shape: Shape, x2: Tensor) -> Tensor:
    """Divide each value by what a dense tensor, broadcast to the shape, has at its place; integers round to zero.

    Follows: mindspore.ops.operations.sparse_ops.SparseDenseCwiseDiv (2.10).
    """
    return _at_places(_divide, "SparseDenseCwiseDiv", x1_indices, x1_values, x1_shape, x2)


def _divide(values: torch.Tensor, taken: torch.Tensor) -> torch.Tensor:
    is_inexact = values.is_floating_point() or values.is_complex()
    return torch.div(values, taken, rounding_mode=None if is_inexact else "trunc")


def _at_places(fn: Callable[..., Any], op: str, indices: Tensor, values: Tensor, shape: Shape, dense: Tensor) -> Tensor:
    try:
        whole = dense._data.broadcast_to(sizes(data_of(shape)))
        return wrap(fn(values._data, whole[indices._data.long().unbind(-1)]))
    except Exception as error:
        raise explain(error, op, indices=indices, values=values, x2=dense) from error
