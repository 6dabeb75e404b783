"""Boxes of detection: overlap, suppression, coding, validity, pooling.

A box is (x1, y1, x2, y2); where MindSpore counts the last pixel in, its width is x2 - x1 + 1.
"""

import math
from collections.abc import Sequence

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.image.boxes.kernels import overlaps


def iou(anchor_boxes: Tensor, gt_boxes: Tensor, mode: str = "iou") -> Tensor:
    """Return the overlap of boxes.

    Args:
        anchor_boxes: shape (N, 4).
        gt_boxes: shape (M, 4).
        mode: "iou" divides the intersection by the union, "iof" by the area of `gt_boxes`.

    Returns:
        A Tensor of shape (M, N).

    Raises:
        KeyError: another `mode`.

    Follows: mindspore.ops.iou (2.10).
    """
    if mode not in ("iou", "iof"):
        raise KeyError(f"For 'IOU', mode must be 'iou' or 'iof', got {mode!r}.")
    try:
        return wrap(overlaps(gt_boxes._data, anchor_boxes._data, 1, mode == "iof"))
    except Exception as error:
        raise explain(error, "IOU", anchor_boxes=anchor_boxes, gt_boxes=gt_boxes) from error


def check_valid(bboxes: Tensor, img_metas: Tensor) -> Tensor:
    """Return whether each box of (N, 4) lies within the image; `img_metas` is (height, width, ratio).

    Args:
        bboxes: shape (N, 4): left, top, right, bottom.
        img_metas: shape (3,): height, width and ratio.

    Returns:
        A Tensor of shape (N,); Bool.

    Follows: mindspore.ops.check_valid (2.10).
    """
    try:
        boxes, (height, width, ratio) = bboxes._data, img_metas._data.unbind()
        low = (boxes[:, 0] >= 0) & (boxes[:, 1] >= 0)
        return wrap(low & (boxes[:, 2] <= width * ratio - 1) & (boxes[:, 3] <= height * ratio - 1))
    except Exception as error:
        raise explain(error, "CheckValid", bboxes=bboxes, img_metas=img_metas) from error


def bounding_box_encode(
    anchor_box: Tensor,
    groundtruth_box: Tensor,
    means: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    stds: Sequence[float] = (1.0, 1.0, 1.0, 1.0),
) -> Tensor:
    """Return boxes (N, 4) relative to anchors (N, 4): (dx, dy, log dw, log dh), less `means`, over `stds`.

    Args:
        anchor_box: shape (N, 4): left, top, right, bottom; floats.
        groundtruth_box: likewise.
        means: one for each of the four.
        stds: likewise.

    Returns:
        A Tensor of shape (N, 4) and their dtype.

    Follows: mindspore.ops.bounding_box_encode (2.10).
    """
    try:
        center, size = _center_and_size(anchor_box._data)
        true_center, true_size = _center_and_size(groundtruth_box._data)
        deltas = torch.cat(((true_center - center) / size, torch.log(true_size / size)), 1)
        return wrap((deltas - deltas.new_tensor(means)) / deltas.new_tensor(stds))
    except Exception as error:
        raise explain(error, "BoundingBoxEncode", anchor_box=anchor_box, groundtruth_box=groundtruth_box) from error


def bounding_box_decode(
    anchor_box: Tensor,
    deltas: Tensor,
    max_shape: tuple[int, int],
    means: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    stds: Sequence[float] = (1.0, 1.0, 1.0, 1.0),
    wh_ratio_clip: float = 0.016,
) -> Tensor:
    """Return the boxes that `bounding_box_encode` coded, cut to the image.

    Args:
        anchor_box: shape (N, 4).
        deltas: shape (N, 4).
        max_shape: (height, width) of the image.
        means: added to the deltas.
        stds: multiplied to the deltas.
        wh_ratio_clip: width and height change by this factor at most.

    Returns:
        A Tensor of shape (N, 4) and the dtype of `anchor_box`: left, top, right, bottom.

    Follows: mindspore.ops.bounding_box_decode (2.10).
    """
    try:
        moves = deltas._data * deltas._data.new_tensor(stds) + deltas._data.new_tensor(means)
        limit = abs(math.log(wh_ratio_clip))
        center, size = _center_and_size(anchor_box._data)
        center = center + size * moves[:, :2]
        half = size * moves[:, 2:].clamp(-limit, limit).exp() / 2
        edge = moves.new_tensor([max_shape[1] - 1, max_shape[0] - 1])
        zero = torch.zeros_like(edge)
        corners = (center - half + 0.5, center + half - 0.5)
        return wrap(torch.cat([torch.minimum(torch.maximum(corner, zero), edge) for corner in corners], 1))
    except Exception as error:
        raise explain(error, "BoundingBoxDecode", anchor_box=anchor_box, deltas=deltas) from error


def _center_and_size(boxes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2] + 1
