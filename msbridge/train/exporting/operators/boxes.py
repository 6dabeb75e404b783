"""Operators of detection."""

from typing import Any

from msbridge.ops.image.boxes.kernels import nms_operator
from msbridge.train.exporting.graph import Graph, Value

__all__ = ["RULES"]


def _suppression(g: Graph, boxes: Value, threshold: float) -> list[Value]:
    several = g.call("NMSWithMask", boxes, meta=list(g.result), iou_threshold=threshold)
    return [g.item(several, number) for number in range(3)]


RULES: dict[Any, Any] = {nms_operator(): _suppression}
