"""Segments of sorted numbers, reduced to one slice each."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import data_of, long, select_at
from msbridge.ops.reduce.segments.kernels import reduce_segments, segment_means


def sparse_segment_mean(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    """Return the means of segments of the slices that `indices` name.

    Args:
        x: shape (n, ...); floats.
        indices: the slices along axis 0 that are taken, (m,); Int32 or Int64.
        segment_ids: the segment of each, (m,), sorted.

    Returns:
        A Tensor of shape (last segment + 1, ...) and the dtype of `x`.

    Follows: mindspore.ops.sparse_segment_mean (2.10).
    """
    return select_at(_sparse_means, "sparse_segment_mean", x, indices, data_of(segment_ids))


def _sparse_means(data: torch.Tensor, indices: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    return segment_means(data[long(indices)], ids)


def unsorted_segment_sum(input_x: Tensor, segment_ids: Tensor, num_segments: int) -> Tensor:
    """Add up slices that belong to one segment.

    Args:
        input_x: its first axes have the shape of `segment_ids`.
        segment_ids: in [0, num_segments); slices of negative ids count nowhere.
        num_segments: how many.

    Returns:
        shape (num_segments, ...); 0 where a segment is empty.

    Follows: mindspore.ops.unsorted_segment_sum (2.10).
    """
    return select_at(reduce_segments, "unsorted_segment_sum", input_x, segment_ids, num_segments, "sum")


def unsorted_segment_max(x: Tensor, segment_ids: Tensor, num_segments: int) -> Tensor:
    """Return the maximum of each segment; the lowest number where one is empty.

    Args:
        x: any shape; integers or floats.
        segment_ids: the segment of each slice, of the shape of leading axes of `x`; Int32 or Int64.
        num_segments: how many segments there are.

    Returns:
        A Tensor of shape (num_segments, ...) and the dtype of `x`.

    Follows: mindspore.ops.unsorted_segment_max (2.10).
    """
    return select_at(reduce_segments, "unsorted_segment_max", x, segment_ids, num_segments, "amax")


def unsorted_segment_min(x: Tensor, segment_ids: Tensor, num_segments: int) -> Tensor:
    """Return the minimum of each segment; the highest number where one is empty.

    Args:
        x: any shape; integers or floats.
        segment_ids: the segment of each slice, of the shape of leading axes of `x`; Int32 or Int64.
        num_segments: how many segments there are.

    Returns:
        A Tensor of shape (num_segments, ...) and the dtype of `x`.

    Follows: mindspore.ops.unsorted_segment_min (2.10).
    """
    return select_at(reduce_segments, "unsorted_segment_min", x, segment_ids, num_segments, "amin")


def unsorted_segment_prod(x: Tensor, segment_ids: Tensor, num_segments: int) -> Tensor:
    """Multiply the slices of each segment; 1 where one is empty.

    Args:
        x: any shape; integers or floats.
        segment_ids: the segment of each slice, of the shape of leading axes of `x`; Int32 or Int64.
        num_segments: how many segments there are.

    Returns:
        A Tensor of shape (num_segments, ...) and the dtype of `x`.

    Follows: mindspore.ops.unsorted_segment_prod (2.10).
    """
    return select_at(reduce_segments, "unsorted_segment_prod", x, segment_ids, num_segments, "prod")
