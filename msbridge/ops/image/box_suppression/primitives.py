"""Primitives that choose boxes by their scores; how many there are depends on the values, so they are read on the host.

Follows: mindspore.ops.NonMaxSuppressionV3, NonMaxSuppressionWithOverlaps, CombinedNonMaxSuppression (2.10).
"""

from collections.abc import Callable, Sequence

import numpy as np
import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.primitive.primitive import derive

Overlap = Callable[[int, int], float]


def _select_boxes(scores: np.ndarray, overlap: Overlap, most: int, threshold: float, least_score: float) -> list[int]:
    """Return the boxes in the order of their scores, less those that overlap a chosen one by more than `threshold`."""
    kept: list[int] = []
    for place in np.argsort(-scores, kind="stable"):
        if len(kept) >= most or not scores[place] > least_score:
            break
        if all(overlap(int(place), other) <= threshold for other in kept):
            kept.append(int(place))
    return kept


def _overlap_of(boxes: np.ndarray) -> Overlap:
    """Return the function that computes intersection over union of two boxes, given by any two opposite corners."""
    low, high = np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])
    areas = (high - low).prod(1)

    def overlap(one: int, other: int) -> float:
        sides = np.minimum(high[one], high[other]) - np.maximum(low[one], low[other])
        shared = float(sides.clip(0).prod())
        both = float(areas[one] + areas[other]) - shared
        return shared / both if both > 0 else 0.0

    return overlap


def _array(data: torch.Tensor) -> np.ndarray:
    return data.detach().float().cpu().numpy()


def _suppress(
    boxes: Tensor, scores: Tensor, max_output_size: Tensor, iou_threshold: Tensor, score_threshold: Tensor
) -> Tensor:
    """Return the places of the boxes (N, 4) that are kept, best first, int32.

    Args:
        boxes: opposite corners, (N, 4); Float16 or Float32.
        scores: shape (N,), of the dtype of `boxes`.
        max_output_size: how many are kept at most, 0-d; Int32 or Int64.
        iou_threshold: a box that overlaps a better one by more is dropped, 0-d.
        score_threshold: boxes of lower scores are dropped, 0-d.

    Returns:
        A Tensor of shape (kept,); Int32.
    """

    def places(where: torch.Tensor, *others: torch.Tensor) -> torch.Tensor:
        return _select_by_overlap(_overlap_of(_array(where)), *others)

    inputs = (boxes, scores, max_output_size, iou_threshold, score_threshold)
    return call_kernel(places, "NonMaxSuppressionV3", *inputs)  # type: ignore[no-any-return]


def _suppress_by(
    overlaps: Tensor, scores: Tensor, max_output_size: Tensor, overlap_threshold: Tensor, score_threshold: Tensor
) -> Tensor:
    """Return the places that are kept, best first, by a table (N, N) of overlaps, int32.

    Args:
        overlaps: shape (N, N); Float32.
        scores: shape (N,); Float32.
        max_output_size: how many are kept at most, 0-d; Int32.
        overlap_threshold: a box that overlaps a better one by more is dropped, 0-d.
        score_threshold: boxes of lower scores are dropped, 0-d.

    Returns:
        A Tensor of shape (kept,); Int32.
    """

    def places(table: torch.Tensor, *others: torch.Tensor) -> torch.Tensor:
        return _select_by_overlap(lambda one, other: _array(table)[one, other], *others)

    inputs = (overlaps, scores, max_output_size, overlap_threshold, score_threshold)
    return call_kernel(places, "NonMaxSuppressionWithOverlaps", *inputs)  # type: ignore[no-any-return]


def _select_by_overlap(
    overlap: Overlap, scores: torch.Tensor, most: object, threshold: object, least: object
) -> torch.Tensor:
    limits = (max(int(most), 0), float(threshold), float(least))  # type: ignore[call-overload, arg-type]
    return torch.tensor(_select_boxes(_array(scores), overlap, *limits), dtype=torch.int32, device=scores.device)


def _combine(
    boxes: Tensor,
    scores: Tensor,
    max_output_size_per_class: Tensor,
    max_total_size: Tensor,
    iou_threshold: Tensor,
    score_threshold: Tensor,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return boxes, scores and classes of the best of every class, and how many they are; the rest is zeros.

    `boxes` is (batch, N, 1 or classes, 4), `scores` (batch, N, classes).

    Args:
        boxes: opposite corners, (batch, N, 1 or classes, 4); Float32.
        scores: shape (batch, N, classes); Float32.
        max_output_size_per_class: how many are kept of a class, 0-d; Int32.
        max_total_size: how many are kept of an image, (1,) or 0-d; Int32.
        iou_threshold: a box that overlaps a better one by more is dropped, 0-d.
        score_threshold: boxes of lower scores are dropped, 0-d.
        pad_per_class: whether the results are as long as the classes' boxes at most.
        clip_boxes: whether boxes are cut to [0, 1].

    Returns:
        (boxes, scores, classes, counts): (batch, n, 4), (batch, n) twice, all Float32, and (batch,), Int32.
    """

    def combine(where: torch.Tensor, how: torch.Tensor, *limits: torch.Tensor) -> Sequence[torch.Tensor]:
        per_class, total = (int(limit) for limit in limits[:2])
        thresholds = [float(limit) for limit in limits[2:]]
        size = min(total, per_class * how.shape[2]) if pad_per_class else total
        rows = [_best(*pair, per_class, size, *thresholds) for pair in zip(_array(where), _array(how), strict=True)]
        kept = np.zeros((len(rows), size, 6), np.float32)
        for place, row in enumerate(rows):
            kept[place, : len(row)] = row
        corners = kept[..., :4].clip(0, 1) if clip_boxes else kept[..., :4]
        counts = np.array([len(row) for row in rows], np.int32)
        parts = (corners, kept[..., 4], kept[..., 5], counts)
        return [torch.from_numpy(np.ascontiguousarray(part)).to(where.device) for part in parts]

    inputs = (boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold)
    return call_kernel(combine, "CombinedNonMaxSuppression", *inputs)  # type: ignore[no-any-return]


def _best(
    boxes: np.ndarray, scores: np.ndarray, per_class: int, size: int, threshold: float, least: float
) -> np.ndarray:
    """Return (corners, score, class) of the best boxes of one image, best first."""
    best = []
    for kind in range(scores.shape[1]):
        of_kind = boxes[:, kind if boxes.shape[1] > 1 else 0]
        kept = _select_boxes(scores[:, kind], _overlap_of(of_kind), per_class, threshold, least)
        best += [(*of_kind[place], scores[place, kind], kind) for place in kept]
    best.sort(key=lambda row: -row[4])
    return np.array(best[:size], np.float32).reshape(-1, 6)


DERIVED = (
    derive("CombinedNonMaxSuppression", _combine, "pad_per_class clip_boxes"),
    derive("NonMaxSuppressionV3", _suppress),
    derive("NonMaxSuppressionWithOverlaps", _suppress_by),
)
