"""Computations that the faces of boxes share."""

import functools
from typing import Any

import torch

from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, wrap


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
        compute = nms_operator() if torch.compiler.is_exporting() else _suppressed
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
    _library.impl("nms_with_mask", _suppressed, "CompositeImplicitAutograd")
    return torch.ops.msbridge.nms_with_mask.default


_library: torch.library.Library | None = None  # torch forgets the operators of a library that nothing holds


def _suppressed(data: torch.Tensor, iou_threshold: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    order = torch.argsort(data[:, 4], descending=True, stable=True)
    ordered = data[order]
    is_looked = data.device.type == "cpu" and not torch.compiler.is_compiling()
    if is_looked and bool((ordered[1:, 4] == ordered[:-1, 4]).any()):
        ordered = data[_bitonic(data[:, 4])]
    kept = _kept(overlaps(ordered, ordered, 0) > iou_threshold)
    return ordered, torch.arange(len(ordered), dtype=torch.int32, device=data.device), kept


def _bitonic(scores: torch.Tensor) -> torch.Tensor:
    """Return the order of scores from the best on; equal ones stand as MindSpore's, by K. E. Batcher's network."""
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


def _kept(overlaps: torch.Tensor) -> torch.Tensor:
    """Find who is kept, from the best on: row i is kept unless a kept row before it overlaps.

    Row i is right once the rows before it are, so that repeating settles; in a few rounds, not one for each box.
    """
    before = overlaps.triu(1)

    def settle(kept: torch.Tensor) -> torch.Tensor:
        return ~(before & kept[:, None]).any(0)

    kept = torch.ones(len(overlaps), dtype=torch.bool, device=overlaps.device)
    if torch.compiler.is_exporting():  # a loop that its graph can hold
        step = lambda kept, _: (settle(kept), kept.clone())  # noqa: E731
        ends = torch.while_loop(lambda kept, last: (kept != last).any(), step, (kept, ~kept))
        return ends[0]  # type: ignore[no-any-return]
    while True:
        settled = settle(kept)
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
        rois: shape (M, 5): which image, and the box.
        pooled_height: height of the result.
        pooled_width: width of the result.
        spatial_scale: from the coordinates of `rois` to those of `features`.
        sample_num: samples along each axis of a cell; 0 takes as many as the cell has pixels, rounded down.
        roi_end_mode: whether (1) the last pixel of a box counts in, or (0) not.

    Follows: mindspore.ops.ROIAlign (2.10).
    """
    try:
        data, regions = features._data, rois._data
        settings = ((pooled_height, pooled_width), spatial_scale, roi_end_mode)
        if sample_num > 0:
            return wrap(_align(data, regions, *settings, (sample_num, sample_num)))
        size = (regions[:, 3:5] + roi_end_mode - regions[:, 1:3]) * spatial_scale
        size = size.clamp_min(1).flip(-1)
        counts = (size / size.new_tensor([pooled_height, pooled_width])).long().clamp_min(1).tolist()
        pooled = [_align(data, regions[i : i + 1], *settings, tuple(count)) for i, count in enumerate(counts)]
        return wrap(torch.cat(pooled))
    except Exception as error:
        raise explain(error, "ROIAlign", features=features, rois=rois) from error


def _align(
    data: torch.Tensor,
    regions: torch.Tensor,
    pooled: tuple[int, int],
    scale: float,
    end_mode: int,
    samples: tuple[int, int],
) -> torch.Tensor:
    start = regions[:, 1:3] * scale
    size = (regions[:, 3:5] + end_mode) * scale - start
    if not end_mode:
        size = size.clamp_min(1)
    rows = _sample_places(start[:, 1], size[:, 1], pooled[0], samples[0])
    columns = _sample_places(start[:, 0], size[:, 0], pooled[1], samples[1])
    values = _between_pixels(data, regions[:, 0].long(), rows, columns)
    count, channels = len(regions), data.shape[1]
    cells = values.reshape(count, pooled[0], samples[0], pooled[1], samples[1], channels)
    return cells.mean((2, 4)).permute(0, 3, 1, 2).contiguous()


def _sample_places(start: torch.Tensor, size: torch.Tensor, cells: int, samples: int) -> torch.Tensor:
    """Return the places of all samples along one axis: shape (M, cells·samples)."""
    steps = (torch.arange(cells * samples, device=start.device, dtype=start.dtype) + 0.5) / (cells * samples)
    return start[:, None] + steps * size[:, None]


def _between_pixels(data: torch.Tensor, which: torch.Tensor, rows: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
    """Sample bilinearly; more than one pixel outside is zero: shape (M, rows, columns, C)."""
    height, width = data.shape[2:]
    inside = ((rows >= -1) & (rows <= height))[:, :, None] & ((columns >= -1) & (columns <= width))[:, None, :]
    rows, columns = rows.clamp(0, height - 1)[:, :, None], columns.clamp(0, width - 1)[:, None, :]
    top, left = rows.floor().long(), columns.floor().long()
    bottom, right = (top + 1).clamp_max(height - 1), (left + 1).clamp_max(width - 1)
    down, along = (rows - top)[..., None].to(data.dtype), (columns - left)[..., None].to(data.dtype)
    picked, pixels = which[:, None, None], data.permute(0, 2, 3, 1)
    upper = torch.lerp(pixels[picked, top, left], pixels[picked, top, right], along)
    lower = torch.lerp(pixels[picked, bottom, left], pixels[picked, bottom, right], along)
    return torch.lerp(upper, lower, down) * inside[..., None]
