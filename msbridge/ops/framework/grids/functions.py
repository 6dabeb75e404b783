"""Grids and combinations of vectors' elements, powers, and the places of triangles."""

from typing import Any

import torch

from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, dtype_to_torch, int64
from msbridge.ops.kernel_calls.families import many, unary, unary_with


def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Type = int64) -> Tensor:
    """Return rows and columns, shape (2, n), of what is on and below a diagonal.

    Args:
        row: how many rows the matrix has.
        col: how many columns.
        offset: of the diagonal; above 0 it is above the main one.
        dtype: of the result, Int32 or Int64.

    Returns:
        A Tensor of shape (2, n): the rows, and the columns.

    Follows: mindspore.ops.tril_indices (2.10).
    """
    return _indices(torch.tril_indices, "tril_indices", row, col, offset, dtype)


def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Type = int64) -> Tensor:
    """Return rows and columns, shape (2, n), of what is on and above a diagonal.

    Args:
        row: how many rows the matrix has.
        col: how many columns.
        offset: of the diagonal; above 0 it is above the main one.
        dtype: of the result, Int32 or Int64.

    Returns:
        A Tensor of shape (2, n): the rows, and the columns.

    Follows: mindspore.ops.triu_indices (2.10).
    """
    return _indices(torch.triu_indices, "triu_indices", row, col, offset, dtype)


def meshgrid(*inputs: Any, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Spread vectors over a grid, one tensor for each.

    Args:
        inputs: vectors, or one sequence of them.
        indexing: "xy": the first two axes are exchanged; "ij": axes in the order of the vectors.

    Returns:
        A tuple of Tensors of as many axes as there are vectors, of their dtypes.

    Follows: mindspore.ops.meshgrid (2.10).
    """
    vectors = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], list | tuple) else inputs
    try:
        if not inputs:
            return ()
        return tuple(map(wrap, torch.meshgrid([vector._data for vector in vectors], indexing=indexing)))
    except Exception as error:
        raise explain(error, "meshgrid", tensors=vectors, indexing=indexing) from error


def cartesian_prod(*inputs: Tensor) -> Tensor:
    """Return all combinations of one element of each vector, a row each.

    Args:
        inputs: Tensors of one axis, of one dtype.

    Returns:
        A Tensor of shape (combinations, vectors); of one vector, itself.

    Follows: mindspore.ops.cartesian_prod (2.10).
    """
    return many(_all_combinations, "cartesian_prod", inputs)


def _all_combinations(vectors: list[torch.Tensor]) -> torch.Tensor:
    found = torch.cartesian_prod(*vectors)
    return found.reshape(-1, 1) if len(vectors) == 1 else found


def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """Return all combinations of `r` elements of a vector, a row each.

    Args:
        input: shape (n,).
        r: how many in a row.
        with_replacement: whether an element may come twice.

    Returns:
        A Tensor of shape (combinations, r) and the dtype of `input`.

    Follows: mindspore.ops.combinations (2.10).
    """
    return unary_with(torch.combinations, "combinations", input, r, with_replacement)


def vander(x: Tensor, N: int | None = None) -> Tensor:
    """Return the powers N-1 … 0 of each element, a row each.

    Args:
        x: shape (n,).
        N: how many powers; None for n.

    Returns:
        A Tensor of shape (n, N) and the dtype of `x`.

    Follows: mindspore.ops.vander (2.10).
    """
    return unary(lambda data: torch.linalg.vander(data, N=N).flip(-1), "vander", x)


def _indices(fn: Any, op: str, row: int, col: int, offset: int, dtype: Type) -> Tensor:
    try:
        return wrap(fn(row, col, offset, dtype=dtype_to_torch(dtype), device=torch_device()))
    except Exception as error:
        raise explain(error, op, row=row, col=col, offset=offset) from error
