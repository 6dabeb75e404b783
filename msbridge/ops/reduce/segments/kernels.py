"""Computations that the faces of segments share."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import index_of, long, select_at
from msbridge.ops.kernel_calls.families import Number


def segment_sum(input_x: Tensor, segment_ids: Tensor) -> Tensor:
    """Add up slices that belong to one segment; the numbers are sorted, and the last one says how many there are.

    Args:
        input_x: shape (n, ...); integers or floats.
        segment_ids: the segment of each slice, (n,), sorted; Int32 or Int64.

    Returns:
        A Tensor of shape (last segment + 1, ...) and the dtype of `input_x`.

    Follows: mindspore.ops.SegmentSum (2.10).
    """
    return select_at(_reduce_sorted, "SegmentSum", input_x, segment_ids, "sum")


def segment_mean(input_x: Tensor, segment_ids: Tensor) -> Tensor:
    """Return the mean of each segment; 0 where one is empty.

    Args:
        input_x: shape (n, ...); integers or floats.
        segment_ids: the segment of each slice, (n,), sorted; Int32 or Int64.

    Returns:
        A Tensor of shape (last segment + 1, ...) and the dtype of `input_x`.

    Follows: mindspore.ops.SegmentMean (2.10).
    """
    return select_at(segment_means, "SegmentMean", input_x, segment_ids)


def segment_max(input_x: Tensor, segment_ids: Tensor) -> Tensor:
    """Return the maximum of each segment; 0 where one is empty.

    Args:
        input_x: shape (n, ...); integers or floats.
        segment_ids: the segment of each slice, (n,), sorted; Int32 or Int64.

    Returns:
        A Tensor of shape (last segment + 1, ...) and the dtype of `input_x`.

    Follows: mindspore.ops.SegmentMax (2.10).
    """
    return select_at(_reduce_sorted, "SegmentMax", input_x, segment_ids, "amax")


def segment_min(input_x: Tensor, segment_ids: Tensor) -> Tensor:
    """Return the minimum of each segment; 0 where one is empty.

    Args:
        input_x: shape (n, ...); integers or floats.
        segment_ids: the segment of each slice, (n,), sorted; Int32 or Int64.

    Returns:
        A Tensor of shape (last segment + 1, ...) and the dtype of `input_x`.

    Follows: mindspore.ops.SegmentMin (2.10).
    """
    return select_at(_reduce_sorted, "SegmentMin", input_x, segment_ids, "amin")


def segment_prod(input_x: Tensor, segment_ids: Tensor) -> Tensor:
    """Multiply the slices of each segment; 1 where one is empty.

    Args:
        input_x: shape (n, ...); integers or floats.
        segment_ids: the segment of each slice, (n,), sorted; Int32 or Int64.

    Returns:
        A Tensor of shape (last segment + 1, ...) and the dtype of `input_x`.

    Follows: mindspore.ops.SegmentProd (2.10).
    """
    return select_at(_reduce_sorted, "SegmentProd", input_x, segment_ids, "prod")


def _reduce_sorted(data: torch.Tensor, ids: torch.Tensor, reduction: str) -> torch.Tensor:
    result = reduce_segments(data, ids, int(ids[-1]) + 1, reduction)
    if reduction in ("amax", "amin"):
        return torch.where(_counts(ids, result) > 0, result, 0)
    return result


def segment_means(data: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    """Return the mean of each segment; 0 where one is empty."""
    total = reduce_segments(data, ids, int(ids[-1]) + 1, "sum")
    rounding = None if total.is_floating_point() or total.is_complex() else "trunc"
    return total.div(_counts(ids, total).clamp(min=1), rounding_mode=rounding)


def _counts(ids: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """Count the slices of each segment, in a shape that broadcasts against `like`."""
    return torch.bincount(long(ids), minlength=len(like)).view(-1, *[1] * (like.dim() - 1))


def reduce_segments(data: torch.Tensor, ids: torch.Tensor, count: int, reduction: str) -> torch.Tensor:
    """Return `count` slices, each the reduction of the slices of one segment."""
    count = index_of(count)
    rest = data.shape[ids.dim() :]
    ids = long(ids).reshape(-1)
    ids = torch.where(ids < 0, count, ids)
    rows = data.reshape(-1, *rest)
    shape = (count + 1, *rest)
    if reduction == "sum":
        return rows.new_zeros(shape).index_add(0, ids, rows)[:count]
    start = rows.new_full(shape, _empty(data.dtype, reduction))
    return start.scatter_reduce(0, ids.view(-1, *[1] * len(rest)).expand_as(rows), rows, reduction)[:count]


def _empty(dtype: torch.dtype, reduction: str) -> Number:
    if reduction == "prod":
        return 1
    limits = torch.finfo(dtype) if dtype.is_floating_point else torch.iinfo(dtype)
    return limits.min if reduction == "amax" else limits.max
