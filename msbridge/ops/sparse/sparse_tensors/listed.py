"""Operators on lists of coordinates: indices of shape (n, rank), values of shape (n,), and a shape."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core.sparse import kernels
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.sparse.sparse_tensors import coordinates
from msbridge.ops.sparse.sparse_tensors.computing import compute
from msbridge.ops.sparse.sparse_tensors.coordinates import sizes

__all__ = [
    "sparse_add",
    "sparse_concat",
    "sparse_count",
    "sparse_fill_empty_rows",
    "sparse_maximum",
    "sparse_minimum",
    "sparse_reorder",
    "sparse_reshape",
    "sparse_slice",
    "sparse_softmax",
    "sparse_split",
    "sparse_to_dense",
    "sspaddmm",
]

Data = torch.Tensor
Three = tuple[Tensor, Tensor, Tensor]


def sparse_add(
    x1_indices: Tensor,
    x1_values: Tensor,
    x1_shape: Tensor,
    x2_indices: Tensor,
    x2_values: Tensor,
    x2_shape: Tensor,
    thresh: Tensor,
) -> Three:
    """Add two sparse tensors; a sum of two values whose magnitude is below `thresh` is left out.

    Follows: mindspore.ops.operations.sparse_ops.SparseAdd (2.10).
    """
    found: Three = compute(_add, "SparseAdd", x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape, thresh)
    return found


def _add(at: Data, values: Data, shape: Data, at2: Data, values2: Data, shape2: Data, least: Data) -> tuple[Data, ...]:
    whole = _same_shape(shape, shape2)
    return *kernels.coo_sum((at, values), (at2, values2), whole, least), shape


def sparse_maximum(
    x1_indices: Tensor, x1_values: Tensor, x1_shape: Tensor, x2_indices: Tensor, x2_values: Tensor, x2_shape: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the greater of two sparse tensors at every place that one of them keeps.

    Follows: mindspore.ops.operations.sparse_ops.SparseSparseMaximum (2.10).
    """
    inputs = (x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape)
    return compute(_of_both, "SparseSparseMaximum", *inputs, choose=torch.maximum)  # type: ignore[no-any-return]


def sparse_minimum(
    x1_indices: Tensor, x1_values: Tensor, x1_shape: Tensor, x2_indices: Tensor, x2_values: Tensor, x2_shape: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the lesser of two sparse tensors at every place that one of them keeps.

    Follows: mindspore.ops.operations.sparse_ops.SparseSparseMinimum (2.10).
    """
    inputs = (x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape)
    return compute(_of_both, "SparseSparseMinimum", *inputs, choose=torch.minimum)  # type: ignore[no-any-return]


def _of_both(
    at: Data, values: Data, shape: Data, at2: Data, values2: Data, shape2: Data, choose: Callable[..., Data]
) -> tuple[Data, Data]:
    whole = _same_shape(shape, shape2)
    keys = [kernels.keys_of(one, whole) for one in (at, at2)]
    union, places = torch.unique(torch.cat(keys), return_inverse=True)
    left = kernels.row_sums(places[: len(at)], values, len(union))
    right = kernels.row_sums(places[len(at) :], values2, len(union))
    return kernels.places_of(union, whole, at.dtype), choose(left, right)


def _same_shape(shape: Data, other: Data) -> tuple[int, ...]:
    if sizes(shape) != sizes(other):
        raise ValueError(f"the shapes must be the same, got {sizes(shape)} and {sizes(other)}.")
    return sizes(shape)


def sparse_concat(
    sp_input_indices: Sequence[Tensor],
    sp_input_values: Sequence[Tensor],
    sp_input_shapes: Sequence[Tensor],
    concat_dim: int = 0,
) -> Three:
    """Join sparse tensors along an axis.

    Follows: mindspore.ops.operations.sparse_ops.SparseConcat (2.10).
    """
    inputs = (list(sp_input_indices), list(sp_input_values), list(sp_input_shapes))
    return compute(_concat, "SparseConcat", *inputs, axis=concat_dim)  # type: ignore[no-any-return]


def _concat(indices: list[Data], values: list[Data], shapes: list[Data], axis: int) -> tuple[Data, ...]:
    pairs = list(zip(indices, values, strict=True))
    at, joined, shape = coordinates.concatenate(pairs, list(map(sizes, shapes)), axis)
    return at, joined, shapes[0].new_tensor(shape)


def sparse_slice(indices: Tensor, values: Tensor, shape: Tensor, start: Tensor, size: Tensor) -> Three:
    """Cut a block out of a sparse tensor.

    Args:
        indices: shape (n, rank).
        values: shape (n,).
        shape: shape (rank,).
        start: shape (rank,), where the block begins.
        size: shape (rank,), its size; it ends where the tensor ends.

    Returns:
        (indices, values, shape) of the block: the coordinates count from its corner.

    Follows: mindspore.ops.SparseSlice (2.10).
    """
    return compute(_slice, "SparseSlice", indices, values, shape, start, size)  # type: ignore[no-any-return]


def _slice(at: Data, values: Data, shape: Data, start: Data, size: Data) -> tuple[Data, ...]:
    is_inside = ((at >= start) & (at < start + size)).all(1)
    return at[is_inside] - start, values[is_inside], torch.minimum(size, shape - start).clamp(min=0)


def sparse_split(
    split_dim: Tensor, indices: Tensor, values: Tensor, shape: Tensor, num_split: int = 1
) -> tuple[tuple[Tensor, ...], ...]:
    """Cut a sparse tensor into blocks along an axis; the first ones are longer by one where it does not go out.

    Follows: mindspore.ops.operations.sparse_ops.SparseSplit (2.10), which the CPU has no kernel for; its documentation.
    """
    found: tuple[tuple[Tensor, ...], ...] = compute(
        _split, "SparseSplit", split_dim, indices, values, shape, count=num_split
    )
    return found


def _split(axis: Data, at: Data, values: Data, shape: Data, count: int) -> tuple[tuple[Data, ...], ...]:
    dim = int(axis)
    least, longer = divmod(int(shape[dim]), count)
    pieces, first = [], 0
    for number in range(count):
        start, size = torch.zeros_like(shape), shape.clone()
        start[dim], size[dim] = first, least + (number < longer)
        first += int(size[dim])
        pieces.append(_slice(at, values, shape, start, size))
    return tuple(zip(*pieces, strict=True))


def sparse_reorder(indices: Tensor, values: Tensor, shape: Tensor) -> tuple[Tensor, Tensor]:
    """Sort the coordinates.

    Follows: mindspore.ops.operations.sparse_ops.SparseReorder (2.10).
    """
    return compute(_reorder, "SparseReorder", indices, values, shape)  # type: ignore[no-any-return]


def _reorder(at: Data, values: Data, shape: Data) -> tuple[Data, Data]:
    order = kernels.keys_of(at, sizes(shape)).argsort(stable=True)
    return at[order], values[order]


def sparse_reshape(indices: Tensor, shape: Tensor, new_shape: Tensor) -> tuple[Tensor, Tensor]:
    """Return the coordinates that the same elements have in another shape, of which one size may be -1, and that shape.

    Follows: mindspore.ops.operations.sparse_ops.SparseReshape (2.10); the judge is numpy.
    """
    return compute(_reshape, "SparseReshape", indices, shape, new_shape)  # type: ignore[no-any-return]


def _reshape(at: Data, shape: Data, new_shape: Data) -> tuple[Data, Data]:
    whole = sizes(shape)
    wanted = tuple(torch.empty(whole, device="meta").reshape(sizes(new_shape)).shape)
    return kernels.places_of(kernels.keys_of(at, whole), wanted, at.dtype), new_shape.new_tensor(wanted)


def sparse_softmax(indices: Tensor, values: Tensor, shape: Tensor) -> Tensor:
    """Return the exponentials of the values, scaled to sum to one along the last axis.

    Follows: mindspore.ops.operations.sparse_ops.SparseSoftmax (2.10).
    """
    return compute(_softmax, "SparseSoftmax", indices, values, shape)  # type: ignore[no-any-return]


def _softmax(at: Data, values: Data, shape: Data) -> Data:
    rows, places = torch.unique(kernels.keys_of(at[:, :-1], sizes(shape)[:-1]), return_inverse=True)
    return kernels.row_softmax(places, values, len(rows))


def sparse_to_dense(
    indices: Tensor, output_shape: Tensor, values: Tensor, default_value: Tensor, validate_indices: bool = True
) -> Tensor:
    """Put values into a tensor that is filled with another one.

    Args:
        indices: shape (n, rank), (n,) or ().
        output_shape: shape (rank,).
        values: shape (n,), or ().
        default_value: 0-d.
        validate_indices: refuse a place that is named twice.

    Raises:
        ValueError: a place is named twice.

    Follows: mindspore.ops.operations.sparse_ops.SparseToDenseV2 (2.10).
    """
    inputs = (indices, output_shape, values, default_value)
    return compute(_to_dense, "SparseToDenseV2", *inputs, is_checked=validate_indices)  # type: ignore[no-any-return]


def _to_dense(at: Data, shape: Data, values: Data, default: Data, is_checked: bool) -> Data:
    whole = sizes(shape)
    at = at.reshape(-1, len(whole))
    if is_checked and len(torch.unique(kernels.keys_of(at, whole))) < len(at):
        raise ValueError("a place is named twice.")
    return default.to(values.dtype).expand(whole).clone().index_put(at.long().unbind(1), values)


def sparse_fill_empty_rows(
    indices: Tensor, values: Tensor, dense_shape: Tensor, default_value: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Put a value at the beginning of every row that has none.

    Returns:
        Coordinates, values, whether each row was empty, and where each given value went.

    Follows: mindspore.ops.operations.sparse_ops.SparseFillEmptyRows (2.10).
    """
    inputs = (indices, values, dense_shape, default_value)
    return compute(_fill, "SparseFillEmptyRows", *inputs)  # type: ignore[no-any-return]


def _fill(at: Data, values: Data, shape: Data, default: Data) -> tuple[Data, ...]:
    is_empty = torch.bincount(at[:, 0], minlength=int(shape[0])) == 0
    added = torch.zeros(int(is_empty.sum()), at.shape[1], dtype=at.dtype, device=at.device)
    added[:, 0] = is_empty.nonzero()[:, 0]
    every = torch.cat((at, added))
    order = every[:, 0].argsort(stable=True)
    filled = torch.cat((values, default.to(values.dtype).expand(len(added))))[order]
    return every[order], filled, is_empty, order.argsort()[: len(at)]


def sspaddmm(
    x1_indices: Tensor,
    x1_values: Tensor,
    x1_shape: Tensor,
    x2_indices: Tensor,
    x2_values: Tensor,
    x2_shape: Tensor,
    x3_dense: Tensor,
    alpha: Tensor,
    beta: Tensor,
) -> Three:
    """Return beta·x1 + alpha·(x2 times x3), where x1 and x2 are sparse: x1's values, then the rows of the product.

    Args:
        x1_indices: shape (2, n), as are `x2_indices`.
        x1_values: shape (n,).
        x1_shape: shape (2,).
        x2_indices: of the left factor.
        x2_values: of the left factor.
        x2_shape: of the left factor.
        x3_dense: the right factor.
        alpha: of the product.
        beta: of `x1`.

    Follows: mindspore.ops.operations.sparse_ops.Sspaddmm (2.10).
    """
    inputs = (x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape, x3_dense, alpha, beta)
    return compute(_sspaddmm, "Sspaddmm", *inputs)  # type: ignore[no-any-return]


def _sspaddmm(
    at: Data, values: Data, shape: Data, at2: Data, values2: Data, _: Data, dense: Data, alpha: Data, beta: Data
) -> tuple[Data, ...]:
    rows, places = torch.unique(at2[0].long(), return_inverse=True)
    product = kernels.row_products(places, at2[1].long(), values2, dense, len(rows))
    width = dense.shape[1]
    columns = torch.arange(width, device=rows.device).repeat(len(rows))
    indices = torch.cat((at.long(), torch.stack((rows.repeat_interleave(width), columns))), 1)
    return indices, torch.cat((beta * values, alpha * product.reshape(-1))), shape


def sparse_count(
    indices: Tensor,
    values: Tensor,
    dense_shape: Tensor,
    weights: Tensor,
    binary_output: bool = False,
    minlength: int = -1,
    maxlength: int = -1,
) -> Three:
    """Count how often each number occurs in each row.

    Args:
        indices: shape (n, 1) or (n, 2).
        values: shape (n,), the numbers, from 0.
        dense_shape: shape (1,) or (2,).
        weights: shape (n,), what each counts; an empty tensor for ones.
        binary_output: say 1 for everything that occurs.
        minlength: the least number of columns.
        maxlength: the number of columns; greater numbers are left out. -1 for no limit.

    Returns:
        Coordinates, counts in the dtype of `weights`, and shape.

    Follows: mindspore.ops.operations.sparse_ops.SparseCountSparseOutput (2.10).
    """
    limits = {"is_binary": binary_output, "least": minlength, "most": maxlength}
    inputs = (indices, values, dense_shape, weights)
    return compute(_count, "SparseCountSparseOutput", *inputs, **limits)  # type: ignore[no-any-return]


def _count(at: Data, numbers: Data, shape: Data, weights: Data, is_binary: bool, least: int, most: int) -> Any:
    numbers = numbers.long()
    width = most if most >= 0 else max(int(numbers.max()) + 1 if len(numbers) else 0, least)
    weights = weights if weights.numel() else torch.ones_like(numbers, dtype=weights.dtype)
    is_kept = numbers < width
    has_rows = at.shape[1] > 1
    rows = at[is_kept, 0].long() if has_rows else torch.zeros_like(numbers[is_kept])
    keys, places = torch.unique(rows * width + numbers[is_kept], return_inverse=True)
    counts = kernels.row_sums(places, weights[is_kept], len(keys))
    whole = (int(shape[0]), width) if has_rows else (width,)
    return (
        kernels.places_of(keys, whole, at.dtype),
        torch.ones_like(counts) if is_binary else counts,
        at.new_tensor(whole),
    )
