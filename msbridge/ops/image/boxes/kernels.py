"""Computations that the faces of boxes share."""

import functools
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.image.boxes.regions import align


def overlaps(left: torch.Tensor, right: torch.Tensor, offset: float, by_left_area: bool = False) -> torch.Tensor:
    """Return the overlap of each box of `left` with each of `right`: (len(left), len(right))."""
    low = torch.maximum(left[:, None, :2], right[None, :, :2])
    high = torch.minimum(left[:, None, 2:4], right[None, :, 2:4])
    both = (high - low + offset).clamp_min(0).prod(-1)
    area = (left[:, 2:4] - left[:, :2] + offset).prod(-1)[:, None]
    if by_left_area:
        return both / area
    return both / (area + (right[:, 2:4] - right[:, :2] + offset).prod(-1)[None, :] - both)


def suppress(bboxes: Tensor, iou_threshold: float) -> tuple[Tensor, Tensor, Tensor]:
    """Sort boxes by score, and mark those that overlap a better one by more than `iou_threshold`.

    Args:
        bboxes: shape (N, 5): boxes and scores.
        iou_threshold: the most overlap that is kept.

    Returns:
        The sorted boxes, their positions (Int32, 0 to N - 1), and which are kept (Bool).
    """
    try:
        compute = nms_operator() if torch_private.is_exporting() else _suppress
        ordered, positions, kept = compute(bboxes._data, iou_threshold)
        return wrap(ordered), wrap(positions), wrap(kept)
    except Exception as error:
        raise explain(error, "NMSWithMask", bboxes=bboxes) from error


@functools.cache
def nms_operator() -> Any:
    """Return the suppression as an operator of torch's, which exported graphs have as one node or as a loop."""
    global _library
    _library = torch.library.Library("msbridge", "FRAGMENT")
    _library.define("nms_with_mask(Tensor boxes, float iou_threshold) -> (Tensor, Tensor, Tensor)")
    _library.impl("nms_with_mask", _suppress, "CompositeImplicitAutograd")
    return torch.ops.msbridge.nms_with_mask.default


_library: torch.library.Library | None = None  # torch forgets the operators of a library that nothing holds


def _suppress(data: torch.Tensor, iou_threshold: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    order = torch.argsort(data[:, 4], descending=True, stable=True)
    ordered = data[order]
    is_looked = data.device.type == "cpu" and not torch.compiler.is_compiling()
    if is_looked and bool((ordered[1:, 4] == ordered[:-1, 4]).any()):
        ordered = data[_bitonic(data[:, 4])]
    kept = _find_kept_boxes(overlaps(ordered, ordered, 0) > iou_threshold)
    return ordered, torch.arange(len(ordered), dtype=torch.int32, device=data.device), kept


def _bitonic(scores: torch.Tensor) -> torch.Tensor:
    """Return the order of scores from the best on; equal ones are as MindSpore's, by K. E. Batcher's network."""
    count = len(scores)
    size = 1 << (count - 1).bit_length()
    values = torch.nn.functional.pad(scores, (0, size - count), value=float("inf"))
    order, places = torch.arange(size), torch.arange(size)
    block = 2
    while block <= size:
        step = block // 2
        while step:
            first = places[(places ^ step) > places]
            second = first ^ step
            is_up = (first & block) == 0
            swaps = torch.where(is_up, values[first] > values[second], values[first] < values[second])
            here, there = torch.cat((first[swaps], second[swaps])), torch.cat((second[swaps], first[swaps]))
            values[here], order[here] = values[there], order[there]
            step //= 2
        block *= 2
    return order[:count].flip(0)


def _find_kept_boxes(overlaps: torch.Tensor) -> torch.Tensor:
    """Find who is kept, from the best on: row i is kept unless a kept row before it overlaps.

    Row i is right once the rows before it are, so that repeating settles; in a few rounds, not one for each box.
    """
    before = overlaps.triu(1)

    def suppress(kept: torch.Tensor) -> torch.Tensor:
        return ~(before & kept[:, None]).any(0)

    kept = torch.ones(len(overlaps), dtype=torch.bool, device=overlaps.device)
    if torch_private.is_exporting():  # a loop that its graph can hold
        step = lambda kept, _: (suppress(kept), kept.clone())  # noqa: E731
        ends = torch.while_loop(lambda kept, last: (kept != last).any(), step, (kept, ~kept))
        return ends[0]  # type: ignore[no-any-return]
    while True:
        settled = suppress(kept)
        if torch.equal(settled, kept):
            return kept
        kept = settled


def align_regions(
    features: Tensor,
    rois: Tensor,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sample_num: int = 2,
    roi_end_mode: int = 1,
) -> Tensor:
    """Pool regions of images to one size, at places between the pixels.

    Args:
        features: shape (N, C, H, W).
        rois: shape (M, 5): which image, and the box; gets no gradient.
        pooled_height: height of the result.
        pooled_width: width of the result.
        spatial_scale: from the coordinates of `rois` to those of `features`.
        sample_num: samples along each axis of a cell; 0 takes as many as the cell has pixels, rounded down.
        roi_end_mode: whether (1) the last pixel of a box counts in, or (0) not.

    Returns:
        A Tensor of shape (M, C, pooled_height, pooled_width) and the dtype of `features`.

    Follows: mindspore.ops.ROIAlign (2.10).
    """
    try:
        pooled = (pooled_height, pooled_width)
        return wrap(align(features._data, rois._data, pooled, spatial_scale, roi_end_mode, sample_num))
    except Exception as error:
        raise explain(error, "ROIAlign", features=features, rois=rois) from error
