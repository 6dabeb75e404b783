"""Segments of sorted numbers, reduced to one slice each."""

import torch

from msbridge.core.tensor import Tensor
from msbridge.ops.moving import data_of, long, picked
from msbridge.ops.placing.functions import reduce_segments


def segment_sum(input_x: Tensor, segment_ids: Tensor) -> Tensor:
    """Add up slices that belong to one segment; the numbers are sorted, and the last one says how many there are.

    Follows: mindspore.ops.SegmentSum (2.10).
    """
    return picked(_sorted_segments, "SegmentSum", input_x, segment_ids, "sum")


def segment_mean(input_x: Tensor, segment_ids: Tensor) -> Tensor:
    """Give the mean of each segment; 0 where one is empty.

    Follows: mindspore.ops.SegmentMean (2.10).
    """
    return picked(_means, "SegmentMean", input_x, segment_ids)


def segment_max(input_x: Tensor, segment_ids: Tensor) -> Tensor:
    """Give the maximum of each segment; 0 where one is empty.

    Follows: mindspore.ops.SegmentMax (2.10).
    """
    return picked(_sorted_segments, "SegmentMax", input_x, segment_ids, "amax")


def segment_min(input_x: Tensor, segment_ids: Tensor) -> Tensor:
    """Give the minimum of each segment; 0 where one is empty.

    Follows: mindspore.ops.SegmentMin (2.10).
    """
    return picked(_sorted_segments, "SegmentMin", input_x, segment_ids, "amin")


def segment_prod(input_x: Tensor, segment_ids: Tensor) -> Tensor:
    """Multiply the slices of each segment; 1 where one is empty.

    Follows: mindspore.ops.SegmentProd (2.10).
    """
    return picked(_sorted_segments, "SegmentProd", input_x, segment_ids, "prod")


def sparse_segment_mean(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    """Give the means of segments of the slices that `indices` name.

    Follows: mindspore.ops.sparse_segment_mean (2.10).
    """
    return picked(_sparse_means, "sparse_segment_mean", x, indices, data_of(segment_ids))


def _sorted_segments(data: torch.Tensor, ids: torch.Tensor, reduction: str) -> torch.Tensor:
    result = reduce_segments(data, ids, int(ids[-1]) + 1, reduction)
    if reduction in ("amax", "amin"):
        return torch.where(_counts(ids, result) > 0, result, 0)
    return result


def _means(data: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    total = reduce_segments(data, ids, int(ids[-1]) + 1, "sum")
    return total / _counts(ids, total).clamp(min=1)


def _sparse_means(data: torch.Tensor, indices: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    return _means(data[long(indices)], ids)


def _counts(ids: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """Count the slices of each segment, in a shape that broadcasts against `like`."""
    return torch.bincount(long(ids), minlength=len(like)).view(-1, *[1] * (like.dim() - 1))


__all__ = [
    "sparse_segment_mean",
]
