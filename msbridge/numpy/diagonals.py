"""Diagonals and triangles of matrices."""

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import int32
from msbridge.numpy._faces import Array, compute, data_of, tensor_of, value_error
from msbridge.numpy.dtypes import DType, type_of
from msbridge.ops.framework.creation import functions as creation
from msbridge.ops.framework.grids import functions as grids
from msbridge.ops.shape.diagonals import functions as diagonals


def diag(v: Array, k: int = 0) -> Tensor:
    """Return a diagonal of a matrix, or make a matrix of a diagonal.

    Args:
        v: shape (n,) or (n, m); any dtype.
        k: as in every diagonal.

    Returns:
        A Tensor of the dtype of `v`, of two axes or one.

    Raises:
        ValueError: `v` has neither one nor two axes.

    Follows: mindspore.numpy.diag (2.10).
    """
    tensor = tensor_of(v, "diag", "v")
    if tensor.ndim not in (1, 2):
        raise value_error(f"For 'diag', v must have one or two axes, got shape {tensor.shape}.")
    return compute(torch.diag, "diag", tensor, diagonal=k)


def diagflat(v: Array, k: int = 0) -> Tensor:
    """Make a matrix with all elements of `v` on a diagonal.

    Args:
        v: any shape and dtype.
        k: as in every diagonal.

    Returns:
        A Tensor of shape (n + |k|, n + |k|) and the dtype of `v`.

    Follows: mindspore.numpy.diagflat (2.10).
    """
    return diagonals.diagflat(tensor_of(v, "diagflat", "v"), k)


def diagonal(a: Array, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return a diagonal over two axes, as the last axis.

    Args:
        a: two axes or more; any dtype.
        offset, axis1, axis2: as in every diagonal.

    Returns:
        A Tensor of the dtype of `a`, with one axis less.

    Follows: mindspore.numpy.diagonal (2.10).
    """
    tensor = tensor_of(a, "diagonal", "a")
    if tensor.ndim < 2:
        raise value_error(f"For 'diagonal', a must have two axes or more, got shape {tensor.shape}.")
    return diagonals.diagonal(tensor, offset, axis1, axis2)


def trace(a: Array, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DType | None = None) -> Tensor:
    """Add up a diagonal over two axes; integers yield Int64.

    Args:
        a: two axes or more; any dtype.
        offset, axis1, axis2: as in every diagonal.
        dtype: as in every function.

    Returns:
        A Tensor with two axes less; of the dtype of floats and complex numbers, otherwise Int64.

    Follows: mindspore.numpy.trace (2.10).
    """
    target = None if dtype is None else type_of(dtype).torch
    return compute(lambda data: data.sum(-1, dtype=target), "trace", diagonal(a, offset, axis1, axis2))


def tril(m: Array, k: int = 0) -> Tensor:
    """Keep what is on and below a diagonal; a vector represents equal rows.

    Args:
        m: shape (..., n, m) or (m,); any dtype.
        k: as in every diagonal.

    Returns:
        A Tensor of the dtype of `m`, of two axes or more.

    Raises:
        ValueError: `m` has no axes.

    Follows: mindspore.numpy.tril (2.10).
    """
    return diagonals.tril(_rows("tril", m), k)


def triu(m: Array, k: int = 0) -> Tensor:
    """Keep what is on and above a diagonal; a vector represents equal rows.

    Args:
        m: shape (..., n, m) or (m,); any dtype.
        k: as in every diagonal.

    Returns:
        A Tensor of the dtype of `m`, of two axes or more.

    Raises:
        ValueError: `m` has no axes.

    Follows: mindspore.numpy.triu (2.10).
    """
    return diagonals.triu(_rows("triu", m), k)


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, Tensor]:
    """Return rows and columns of what is on and below a diagonal of an (n, m) matrix, Int32.

    Args:
        n: how many rows.
        k: as in every diagonal.
        m: how many columns; None for as many.

    Returns:
        A pair of Int32 Tensors of one shape (count,).

    Follows: mindspore.numpy.tril_indices (2.10).
    """
    rows, columns = grids.tril_indices(n, n if m is None else m, k, dtype=int32)._data
    return wrap(rows), wrap(columns)


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, Tensor]:
    """Return rows and columns of what is on and above a diagonal of an (n, m) matrix, Int32.

    Args:
        n: how many rows.
        k: as in every diagonal.
        m: how many columns; None for as many.

    Returns:
        A pair of Int32 Tensors of one shape (count,).

    Follows: mindspore.numpy.triu_indices (2.10).
    """
    rows, columns = grids.triu_indices(n, n if m is None else m, k, dtype=int32)._data
    return wrap(rows), wrap(columns)


def tril_indices_from(arr: Array, k: int = 0) -> tuple[Tensor, Tensor]:
    """Return rows and columns of what is on and below a diagonal of this matrix, Int32.

    Args:
        arr: shape (n, m).
        k: as in every diagonal.

    Returns:
        A pair of Int32 Tensors of one shape (count,).

    Follows: mindspore.numpy.tril_indices_from (2.10).
    """
    rows, columns = _matrix_shape("tril_indices_from", arr)
    return tril_indices(rows, k, columns)


def triu_indices_from(arr: Array, k: int = 0) -> tuple[Tensor, Tensor]:
    """Return rows and columns of what is on and above a diagonal of this matrix, Int32.

    Args:
        arr: shape (n, m).
        k: as in every diagonal.

    Returns:
        A pair of Int32 Tensors of one shape (count,).

    Follows: mindspore.numpy.triu_indices_from (2.10).
    """
    rows, columns = _matrix_shape("triu_indices_from", arr)
    return triu_indices(rows, k, columns)


def diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """Return the indices of the diagonal of an array of `ndim` axes of `n`, Int32.

    Args:
        n: the length of each axis.
        ndim: how many axes.

    Returns:
        A tuple of `ndim` Int32 Tensors of shape (n,).

    Follows: mindspore.numpy.diag_indices (2.10).
    """
    return (creation.arange(n, dtype=int32),) * ndim


def _rows(op: str, m: Array) -> Tensor:
    data = data_of(m, op, "m")
    if data.dim() == 0:
        raise value_error(f"For '{op}', m must have one axis or more, got a number.")
    return wrap(data if data.dim() > 1 else data.expand(len(data), len(data)))


def _matrix_shape(op: str, arr: Array) -> tuple[int, int]:
    shape = tensor_of(arr, op, "arr").shape
    if len(shape) != 2:
        raise value_error(f"For '{op}', arr must have two axes, got shape {shape}.")
    return shape[0], shape[1]
