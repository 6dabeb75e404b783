"""Perspective and RandomPerspective."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import INT32_MAX, require_type, within
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform, OnDevice, RandomImageTransform
from msbridge.dataset.vision.enums import Inter
from msbridge.dataset.vision.geometry.warp import perspective_matrix, warp_perspective

__all__ = ["Perspective", "RandomPerspective"]

Points = Sequence[Sequence[int]]


class Perspective(OnDevice, ImageTransform):
    """Transform images so that four points come to lie on four others.

    Args:
        start_points: four points (x, y): top left, top right, bottom right, bottom left.
        end_points: where they go.
        interpolation: ANTIALIAS is for PIL images only, AREA and PILCUBIC for arrays.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.Perspective (2.10).
    """

    chip_interpolations = (Inter.BILINEAR, Inter.NEAREST)
    one_by_one = True

    def __init__(self, start_points: Points, end_points: Points, interpolation: Inter = Inter.BILINEAR) -> None:
        self.start_points = _check_points(start_points, "start_points")
        self.end_points = _check_points(end_points, "end_points")
        self.interpolation: Inter = require_type(interpolation, "interpolation", Inter)
        self.python_only = interpolation is Inter.ANTIALIAS

    def transform_value(self, value: Any) -> Any:
        if is_pil(value):
            return _pil_perspective(value, self.start_points, self.end_points, self.interpolation)
        if self.python_only:
            base.pil_of(value)
        image = base.plane_of(value, "Perspective")
        matrix = perspective_matrix(self.start_points, self.end_points)
        return warp_perspective(image, matrix, image.shape[:2], self.interpolation, (0, 0, 0), "Perspective")


class RandomPerspective(RandomImageTransform):
    """Look at PIL images from a random direction, with probability `prob`.

    Args:
        distortion_scale: how far the corners move at most, in shares of half the sides; in [0, 1].
        prob: in [0, 1].
        interpolation: NEAREST, BILINEAR, BICUBIC or ANTIALIAS.

    Follows: mindspore.dataset.vision.RandomPerspective (2.10).
    """

    python_only = True

    def __init__(self, distortion_scale: float = 0.5, prob: float = 0.5, interpolation: Inter = Inter.BICUBIC) -> None:
        for name, share in (("distortion_scale", distortion_scale), ("prob", prob)):
            within(require_type(share, name, float), name, 0.0, 1.0)
        self.distortion_scale, self.prob = distortion_scale, prob
        self.interpolation: Inter = require_type(interpolation, "interpolation", Inter)

    def check_inputs(self, *inputs: Any) -> Any:
        return inputs[0]

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        if not is_pil(value):
            raise ValueError(f"RandomPerspective: Input image should be a Pillow image, got {type(value)}.")
        if draw is None or draw.uniform() >= self.prob:
            return value
        last_x, last_y = value.width - 1, value.height - 1
        far_x, far_y = (int(side / 2 * self.distortion_scale) for side in value.size)
        corners = [(0, 0), (last_x, 0), (last_x, last_y), (0, last_y)]
        moved = [
            (draw.integer(last_x - far_x, last_x) if x else draw.integer(0, far_x),
             draw.integer(last_y - far_y, last_y) if y else draw.integer(0, far_y))
            for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))
        ]  # fmt: skip
        return _pil_perspective(value, corners, moved, self.interpolation)


def _pil_perspective(image: Any, start: Points, end: Points, interpolation: Inter) -> Any:
    """Transform a PIL image; Pillow takes the way back, from the result to the image, by least squares."""
    rows, wanted = [], []
    for (x, y), (u, v) in zip(end, start, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
        wanted += [u, v]
    back = np.linalg.lstsq(np.array(rows, float), np.array(wanted, float), rcond=None)[0]
    kind = base.import_pil("Perspective").Transform.PERSPECTIVE
    return image.transform(image.size, kind, back.tolist(), base.pil_resampling(interpolation))


def _check_points(points: Any, name: str) -> list[tuple[int, int]]:
    for point in require_type(points, name, (list, tuple)):
        require_type(point, name, (list, tuple))
    if len(points) != 4:
        raise TypeError(f"{name} should be a list or tuple of length 4, got {points!r}.")
    for point in points:
        if len(point) != 2:
            raise TypeError(f"{name} should hold points (x, y), got {point!r}.")
        for place in point:
            within(require_type(place, name, int), name, -INT32_MAX - 1, INT32_MAX)
    return [(point[0], point[1]) for point in points]
