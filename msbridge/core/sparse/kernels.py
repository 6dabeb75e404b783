"""Computations on sparse matrices: torch tensors in, torch tensors out; gradients flow through the values."""

import math

import torch

from msbridge.core.types.promotion import promote

__all__ = [
    "Compressed",
    "Listed",
    "add_to_dense",
    "coalesce",
    "compress_rows",
    "coo_sum",
    "csr_product",
    "csr_sum",
    "keys_of",
    "places_of",
    "row_numbers",
    "row_products",
    "row_softmax",
    "row_starts",
    "row_sums",
]

Listed = tuple[torch.Tensor, torch.Tensor]
Compressed = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def add_to_dense(
    dense: torch.Tensor | None, indices: torch.Tensor, values: torch.Tensor, shape: tuple[int, ...]
) -> torch.Tensor:
    """Add values at coordinates of shape (n, rank) to `dense`, or to zeros."""
    if dense is None:
        dense = values.new_zeros(shape)
    elif dense.dtype is not values.dtype:
        dense, values = promote(dense, values)
    return dense.index_put(indices.long().unbind(-1), values, accumulate=True)


def keys_of(indices: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """Number coordinates of shape (n, rank) in the order of rows."""
    steps = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    return (indices.long() * torch.tensor(steps, device=indices.device)).sum(-1)


def places_of(keys: torch.Tensor, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Return the coordinates of shape (n, rank) that `keys_of` numbered."""
    columns = []
    for size in reversed(shape):
        columns.append(keys % size)
        keys = keys // size
    return torch.stack(columns[::-1], -1).to(dtype)


def coalesce(indices: torch.Tensor, values: torch.Tensor, shape: tuple[int, ...]) -> Listed:
    """Sort coordinates, and add up values of the same ones."""
    keys, places = torch.unique(keys_of(indices, shape), return_inverse=True)
    return places_of(keys, shape, indices.dtype), row_sums(places, values, len(keys))


def coo_sum(left: Listed, right: Listed, shape: tuple[int, ...], least: torch.Tensor) -> Listed:
    """Add two lists of coordinates; where both have a value and the sum's magnitude is below `least`, none is kept."""
    left_at, right_at = promote(left[0], right[0])
    left_values, right_values = promote(left[1], right[1])
    every = torch.cat((keys_of(left_at, shape), keys_of(right_at, shape)))
    keys, places, counts = torch.unique(every, return_inverse=True, return_counts=True)
    sums = row_sums(places, torch.cat((left_values, right_values)), len(keys))
    is_kept = (sums.detach().abs() >= least.to(sums.device)) | (counts < 2)
    return places_of(keys[is_kept], shape, left_at.dtype), sums[is_kept]


def compress_rows(indices: torch.Tensor, values: torch.Tensor, height: int) -> Compressed:
    """Turn coordinates of shape (n, 2) into compressed rows; within a row, their order stays."""
    rows, order = indices[:, 0].sort(stable=True)
    return row_starts(rows, height), indices[:, 1][order], values[order]


def row_starts(rows: torch.Tensor, height: int) -> torch.Tensor:
    """Return the start of each of `height` rows among sorted row numbers, and the end of the last one."""
    bounds = torch.arange(height + 1, dtype=rows.dtype, device=rows.device)
    return torch.searchsorted(rows.contiguous(), bounds).to(rows.dtype)


def row_numbers(starts: torch.Tensor, count: int) -> torch.Tensor:
    """Return the row of each of `count` values, given where the rows begin."""
    places = torch.arange(count, dtype=starts.dtype, device=starts.device)
    return (torch.searchsorted(starts.contiguous(), places, right=True) - 1).to(starts.dtype)


def row_sums(rows: torch.Tensor, values: torch.Tensor, height: int) -> torch.Tensor:
    """Add up the values of each row."""
    return values.new_zeros((height, *values.shape[1:])).index_add(0, rows, values)


def row_products(
    rows: torch.Tensor, columns: torch.Tensor, values: torch.Tensor, dense: torch.Tensor, height: int
) -> torch.Tensor:
    """Multiply a sparse matrix with a dense one, of shape (columns, k)."""
    return row_sums(rows, values.unsqueeze(-1) * dense[columns], height)


def row_softmax(rows: torch.Tensor, values: torch.Tensor, height: int) -> torch.Tensor:
    """Return the exponentials of the values, scaled to sum to one within each row."""
    lowest = values.new_full((height,), -math.inf)
    highest = lowest.scatter_reduce(0, rows, values.detach(), "amax")
    powers = (values - highest[rows]).exp()
    return powers / row_sums(rows, powers, height)[rows]


def csr_sum(
    left: Compressed, right: Compressed, alpha: torch.Tensor, beta: torch.Tensor, shape: tuple[int, ...]
) -> Compressed:
    """Return alpha·left + beta·right; zeros that come out are kept."""
    starts, other_starts = promote(left[0], right[0])
    columns, other_columns = promote(left[1], right[1])
    values, other_values = promote(left[2], right[2])
    every = torch.cat((_csr_keys(starts, columns, shape[1]), _csr_keys(other_starts, other_columns, shape[1])))
    keys, places = torch.unique(every, return_inverse=True)
    alpha, beta = alpha.to(values).reshape(()), beta.to(values).reshape(())
    sums = row_sums(places, torch.cat((alpha * values, beta * other_values)), len(keys))
    return _rows_of_keys(keys, sums, shape[0], shape[1], columns.dtype)


def csr_product(left: Compressed, right: Compressed, width: int) -> Compressed:
    """Multiply two sparse matrices; `width` is the number of columns of the result."""
    starts, columns, values = left
    other_starts = right[0].long()
    values, other_values = promote(values, right[2])
    inner = columns.long()
    first = other_starts[inner]
    counts = other_starts[inner + 1] - first
    pairs = torch.repeat_interleave(counts)  # which value of `left` each product takes
    within = torch.arange(len(pairs), device=pairs.device) - (counts.cumsum(0) - counts)[pairs]
    others = first[pairs] + within
    rows = row_numbers(starts.long(), len(columns))[pairs]
    keys, places = torch.unique(rows * width + right[1].long()[others], return_inverse=True)
    products = row_sums(places, values[pairs] * other_values[others], len(keys))
    return _rows_of_keys(keys, products, len(starts) - 1, width, columns.dtype)


def _csr_keys(starts: torch.Tensor, columns: torch.Tensor, width: int) -> torch.Tensor:
    return row_numbers(starts.long(), len(columns)) * width + columns.long()


def _rows_of_keys(keys: torch.Tensor, values: torch.Tensor, height: int, width: int, dtype: torch.dtype) -> Compressed:
    return row_starts(keys // width, height).to(dtype), (keys % width).to(dtype), values
