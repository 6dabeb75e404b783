"""Segments of slices that are picked by index first; each number of `segment_ids` belongs to a picked slice."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import data_of, long, select_at
from msbridge.ops.reduce.segments.kernels import reduce_segments

__all__ = ["mean_of_count", "root", "root_of_count", "total", "total_of_count"]

Data = torch.Tensor


def total(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    """Add up the slices of each segment.

    Args:
        x: the slices lie along its first axis.
        indices: shape (n,), which slices are picked.
        segment_ids: shape (n,), the segment of each: sorted, and none is left out.

    Raises:
        ValueError: `segment_ids` are not so.

    Follows: mindspore.ops.operations.sparse_ops.SparseSegmentSum (2.10).
    """
    return select_at(_reduce_segments, "SparseSegmentSum", x, indices, data_of(segment_ids), None, 0.0)


def total_of_count(x: Tensor, indices: Tensor, segment_ids: Tensor, num_segments: Tensor) -> Tensor:
    """Add up the slices of each of `num_segments` segments; zeros where one is empty.

    Follows: mindspore.ops.operations.sparse_ops.SparseSegmentSumWithNumSegments (2.10).
    """
    return select_at(
        _reduce_segments, "SparseSegmentSumWithNumSegments", x, indices, *map(data_of, (segment_ids, num_segments)), 0.0
    )


def root(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    """Add up the slices of each segment, and divide by the square root of their number; as `total`.

    Follows: mindspore.ops.operations.sparse_ops.SparseSegmentSqrtN (2.10).
    """
    return select_at(_reduce_segments, "SparseSegmentSqrtN", x, indices, data_of(segment_ids), None, 0.5)


def root_of_count(x: Tensor, indices: Tensor, segment_ids: Tensor, num_segments: Tensor) -> Tensor:
    """Add up the slices of each of `num_segments` segments, and divide by the square root of their number.

    Follows: mindspore.ops.operations.sparse_ops.SparseSegmentSqrtNWithNumSegments (2.10).
    """
    count = data_of(num_segments)
    return select_at(
        _reduce_segments, "SparseSegmentSqrtNWithNumSegments", x, indices, data_of(segment_ids), count, 0.5
    )


def mean_of_count(x: Tensor, indices: Tensor, segment_ids: Tensor, num_segments: Tensor) -> Tensor:
    """Return the mean of the slices of each of `num_segments` segments; zeros where one is empty.

    Follows: mindspore.ops.operations.sparse_ops.SparseSegmentMeanWithNumSegments (2.10).
    """
    count = data_of(num_segments)
    return select_at(_reduce_segments, "SparseSegmentMeanWithNumSegments", x, indices, data_of(segment_ids), count, 1.0)


def _reduce_segments(data: Data, indices: Data, ids: Data, count: Data | None, power: float) -> Data:
    """Add up picked slices, and divide by a power of their number."""
    steps = ids.diff()
    if bool((steps < 0).any()):
        raise ValueError("segment_ids must be sorted.")
    if count is None and bool((steps > 1).any()):
        raise ValueError("segment_ids must leave no segment out.")
    size = int(ids[-1]) + 1 if count is None else int(count)
    sums = reduce_segments(data[long(indices)], ids, size, "sum")
    if not power:
        return sums
    numbers = torch.bincount(long(ids), minlength=size).clamp(min=1).to(sums.dtype) ** power
    return sums / numbers.view(-1, *[1] * (sums.dim() - 1))
