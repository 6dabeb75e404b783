"""Rotations and affine transformations: Affine, Rotate and their random forms."""

import math
from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import INT32_MAX, PIPELINES, require_type, within
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform, OnDevice, RandomImageTransform
from msbridge.dataset.vision.enums import Inter
from msbridge.dataset.vision.geometry.pad import check_fill
from msbridge.dataset.vision.geometry.warp import rotation_matrix, warp_affine

__all__ = ["Affine", "RandomAffine", "RandomRotation", "Rotate"]

HALF_TURN = 180
NO_SHIFT = (0.0, 0.0, 0.0, 0.0)


class Affine(OnDevice, ImageTransform):
    """Rotate, move, scale and shear images around their middle, as arrays.

    Args:
        degrees: of the rotation, in [-180, 180].
        translate: (across, down) in shares of the width and the height, in [-1, 1].
        scale: factor, more than 0.
        shear: degrees along x, or along (x, y), in [-180, 180].
        resample: how to interpolate.
        fill_value: colour outside of the image.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.Affine (2.10).
    """

    chip_interpolations = (Inter.BILINEAR, Inter.NEAREST)
    one_by_one = True

    def __init__(
        self,
        degrees: float,
        translate: Sequence[float],
        scale: float,
        shear: float | Sequence[float],
        resample: Inter = Inter.NEAREST,
        fill_value: int | tuple[int, int, int] = 0,
    ) -> None:
        self.degrees = _angle(degrees, "degrees")
        if len(require_type(translate, "translate", (list, tuple))) != 2:
            raise TypeError(f"The length of translate should be 2, got {translate!r}.")
        self.translate = [
            within(require_type(part, "translate", (int, float)), "translate", -1.0, 1.0) for part in translate
        ]
        self.scale = PIPELINES.above(require_type(scale, "scale", (int, float)), "scale")
        shears = (shear, 0.0) if isinstance(shear, Number) else require_type(shear, "shear", (Number, tuple, list))
        if len(shears) != 2:
            raise TypeError(f"The length of shear should be 2, got {shear!r}.")
        self.shear = [_angle(part, "shear") for part in shears]
        self.interpolation: Inter = require_type(resample, "resample", Inter)
        self.fill_value = check_fill(fill_value)

    def transform_value(self, value: Any) -> np.ndarray:
        image = base.plane_of(value, "Affine")
        across, down = np.array(self.translate, np.float32) * np.array(image.shape[1::-1], np.float32)
        return transform_image(
            image,
            self.degrees,
            (across, down),
            self.scale,
            self.shear,
            self.interpolation,
            self.fill_value,
            op="Affine",
        )


class RandomAffine(RandomImageTransform):
    """Rotate, move, scale and shear images randomly around their middle.

    Args:
        degrees: (low, high), or x for (-x, x).
        translate: (low, high) across in shares of the width, or (low, high, low, high) across and down; in [-1, 1].
            For PIL images the first two are the largest shares across and down.
        scale: (low, high) of the factor.
        shear: (low, high) in degrees along x, or x for (-x, x); or (low, high, low, high) along x and y.
        resample: how to interpolate; ANTIALIAS is for PIL images only, AREA and PILCUBIC for arrays.
        fill_value: colour outside of the image; around PIL images it is always black.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.RandomAffine (2.10).
    """

    def __init__(
        self,
        degrees: float | Sequence[float],
        translate: Sequence[float] | None = None,
        scale: Sequence[float] | None = None,
        shear: float | Sequence[float] | None = None,
        resample: Inter = Inter.NEAREST,
        fill_value: int | tuple[int, int, int] = 0,
    ) -> None:
        self.degrees = check_degrees(degrees)
        self.translate = NO_SHIFT if translate is None else _shares(translate)
        self.scale = (1.0, 1.0) if scale is None else _scales(scale)
        self.shear = NO_SHIFT if shear is None else _shears(shear)
        self.interpolation: Inter = require_type(resample, "resample", Inter)
        self.python_only = resample is Inter.ANTIALIAS
        self.fill_value = (0, 0, 0) if fill_value is None else check_fill(fill_value)

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        draw = draw or RowRandom(0)
        if is_pil(value):
            return self._pil_one(value, draw)
        if self.python_only:
            raise ValueError(f"RandomAffine: Inter.ANTIALIAS is for PIL images, got {type(value)}.")
        image = base.plane_of(value, "RandomAffine")
        height, width = image.shape[:2]
        degrees = draw.uniform(*self.degrees)
        shares = (*self.translate, 0.0, 0.0)[:4]
        shift = (
            draw.uniform(shares[0] * width, shares[1] * width),
            draw.uniform(shares[2] * height, shares[3] * height),
        )
        scale = draw.uniform(*self.scale)
        shear = [draw.uniform(*self.shear[:2]), draw.uniform(*self.shear[2:])]
        return transform_image(
            image, degrees, shift, scale, shear, self.interpolation, self.fill_value, op="RandomAffine"
        )

    def _pil_one(self, image: Any, draw: RowRandom) -> Any:
        resampling = base.pil_resampling(self.interpolation)
        angle = math.radians(draw.uniform(*self.degrees))
        limits = (self.translate[0] * image.width, self.translate[1] * image.height)
        across, down = (round(draw.uniform(-limit, limit)) for limit in limits)
        scale = draw.uniform(*self.scale)
        along_x, along_y = (math.radians(draw.uniform(*ends)) for ends in (self.shear[:2], self.shear[2:]))
        cos_x, sin_x = math.cos(angle + along_x), math.sin(angle + along_x)
        cos_y, sin_y = math.cos(angle + along_y), math.sin(angle + along_y)
        factor = 1.0 / scale / (cos_x * cos_y + sin_x * sin_y)
        a, b, d, e = cos_x * factor, sin_x * factor, -sin_y * factor, cos_y * factor
        x, y = image.width * 0.5 + 0.5, image.height * 0.5 + 0.5
        matrix = (a, b, x - a * (x + across) - b * (y + down), d, e, y - d * (x + across) - e * (y + down))
        kind = base.import_pil("RandomAffine").Transform.AFFINE
        return image.transform(image.size, kind, matrix, resampling)


class Rotate(OnDevice, ImageTransform):
    """Rotate images counter-clockwise, as arrays.

    Args:
        degrees: of the rotation.
        resample: how to interpolate.
        expand: return an image so large that all of the rotated one is in it; its middle is then the centre.
        center: (x, y) that stays in its place; None is the middle.
        fill_value: colour outside of the image.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.Rotate (2.10).
    """

    chip_interpolations = (Inter.BILINEAR, Inter.NEAREST)

    def __init__(
        self,
        degrees: float,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: tuple[float, float] | None = None,
        fill_value: int | tuple[int, int, int] = 0,
    ) -> None:
        limit = base.MAX_SIDE
        self.degrees = within(require_type(degrees, "degrees", (float, int)), "degrees", -limit, limit) % 360
        self.interpolation, self.expand, self.center, self.fill_value = check_rotation(
            resample, expand, center, fill_value
        )

    def transform_value(self, value: Any) -> np.ndarray:
        image = base.array_of(value, "Rotate")
        base.axes(image, "Rotate")
        settings = (self.degrees, self.interpolation, self.expand, self.center, self.fill_value)
        if image.ndim <= 3:
            return rotate_image(image, *settings, op="Rotate")
        if self.expand:
            raise RuntimeError(f"Rotate: expand takes one image <H,W> or <H,W,C>, but got shape {image.shape}.")
        flat = image.reshape(-1, *image.shape[-3:])
        return np.stack([rotate_image(each, *settings, op="Rotate") for each in flat]).reshape(image.shape)

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        return None if self.expand else super().stack(rows)


class RandomRotation(RandomImageTransform):
    """Rotate images counter-clockwise by a random angle.

    Args:
        degrees: (low, high), or x for (-x, x).
        resample: how to interpolate; ANTIALIAS is for PIL images only, AREA for arrays.
        expand: return an image so large that all of the rotated one is in it; its middle is then the centre.
        center: (x, y) that stays in its place; None is the middle.
        fill_value: colour outside of the image.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.RandomRotation (2.10).
    """

    def __init__(
        self,
        degrees: float | Sequence[float],
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: tuple[float, float] | None = None,
        fill_value: int | tuple[int, int, int] = 0,
    ) -> None:
        low, high = check_degrees(degrees)
        if isinstance(degrees, (int, float)):
            self.degrees = (-(degrees % 360), degrees % 360)
        elif high - low >= 360:
            self.degrees = (-HALF_TURN, HALF_TURN)
        else:
            low, high = low % 360, high % 360
            self.degrees = (low, high + 360 if low > high else high)
        self.interpolation, self.expand, self.center, self.fill_value = check_rotation(
            resample, expand, center, fill_value
        )
        self.python_only = resample is Inter.ANTIALIAS

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        degrees = self.degrees[0] if draw is None else draw.uniform(*self.degrees)
        if is_pil(value):
            resampling = base.pil_resampling(self.interpolation)
            angle = degrees % 360.0
            if self.interpolation is Inter.ANTIALIAS and (angle % 90 or self.center):
                raise ValueError("RandomRotation: Inter.ANTIALIAS takes multiples of 90 degrees, and no center.")
            return value.rotate(angle, resampling, self.expand, self.center, fillcolor=self.fill_value)
        if self.python_only:
            base.pil_of(value)
        image = base.plane_of(value, "RandomRotation")
        return rotate_image(
            image, degrees, self.interpolation, self.expand, self.center, self.fill_value, op="RandomRotation"
        )


def transform_image(
    image: np.ndarray,
    degrees: float,
    shift: Sequence[float],
    scale: float,
    shear: Sequence[float],
    interpolation: Inter,
    fill: tuple[int, ...],
    op: str,
) -> np.ndarray:
    """Rotate, move by (across, down) pixels, scale and shear an image around its middle; a bool image stays one.

    The matrix is computed in float32, as MindSpore does: some pixels lie on the border between two.
    """
    height, width = image.shape[:2]
    single, unit = np.float32, np.float32(1)
    angle, along_x, along_y = (single(math.radians(single(part))) for part in (degrees, shear[0], shear[1]))
    cosine, sine = np.cos(angle - along_y) / np.cos(along_y), np.sin(angle - along_y) / np.cos(along_y)
    a, b = single(scale) * cosine, single(scale) * (-cosine * np.tan(along_x) - np.sin(angle))
    c, d = single(scale) * sine, single(scale) * (-sine * np.tan(along_x) + np.cos(angle))
    x, y = single((width - 1) / 2.0), single((height - 1) / 2.0)
    across, down = (unit - a) * x - b * y + single(shift[0]), (unit - d) * y - c * x + single(shift[1])
    matrix = np.array([[a, b, across], [c, d, down]], np.float64)
    return _as_it_was(image, warp_affine(image, matrix, (height, width), interpolation, fill, op))


def rotate_image(
    image: np.ndarray,
    degrees: float,
    interpolation: Inter,
    expand: bool,
    center: tuple[float, float] | None,
    fill: tuple[int, ...],
    op: str,
) -> np.ndarray:
    """Rotate an image; a bool one stays one unless it is expanded. The colour is in the order blue, green, red."""
    height, width = image.shape[:2]
    fill, degrees = fill[::-1], float(np.float32(degrees))
    matrix = rotation_matrix(center or ((width - 1) / 2.0, (height - 1) / 2.0), degrees)
    if not expand:
        return _as_it_was(image, warp_affine(image, matrix, (height, width), interpolation, fill, op))
    angle = math.radians(degrees)
    half = [np.float32(math.cos(angle)) * np.float32(0.5), np.float32(math.sin(angle)) * np.float32(0.5)]
    wide = 2 * (abs(half[1]) * np.float32(height) + abs(half[0]) * np.float32(width))
    high = 2 * (abs(half[0]) * np.float32(height) + abs(half[1]) * np.float32(width))
    matrix[0, 2] += float(wide) / 2.0 - width / 2.0
    matrix[1, 2] += float(high) / 2.0 - height / 2.0
    return warp_affine(image, matrix, (round(float(high)), round(float(wide))), interpolation, fill, op)


def check_degrees(degrees: Any) -> tuple[float, float]:
    """Return the range (low, high) of an angle; a single number is the largest in both directions."""
    limit = base.MAX_SIDE
    if isinstance(require_type(degrees, "degrees", (int, float, list, tuple)), (int, float)):
        within(degrees, "degrees", 0, limit)
        return -degrees, degrees
    if len(degrees) != 2:
        raise TypeError(f"If degrees is a sequence, the length must be 2, got {degrees!r}.")
    for end in degrees:
        within(require_type(end, "degrees", (int, float)), "degrees", -limit, limit)
    if degrees[0] > degrees[1]:
        raise ValueError(f"degrees should be in (min,max) format, got {degrees!r}.")
    return degrees[0], degrees[1]


def check_rotation(
    resample: Any, expand: Any, center: Any, fill_value: Any
) -> tuple[Inter, bool, tuple[float, float] | None, tuple[int, ...]]:
    """Check the arguments of rotations other than the angle, and return them."""
    require_type(resample, "resample", Inter)
    require_type(expand, "expand", bool)
    if center is not None:
        if not isinstance(center, tuple) or len(center) != 2:
            raise ValueError(f"Value center needs to be a 2-tuple, got {center!r}.")
        for place in center:
            within(require_type(place, "center", (int, float)), "center", -INT32_MAX - 1, INT32_MAX)
    return resample, expand, center, check_fill(fill_value)


def _as_it_was(image: np.ndarray, done: np.ndarray) -> np.ndarray:
    return done.astype(np.bool_) if image.dtype == np.bool_ else done


def _angle(value: Any, name: str) -> float:
    return float(within(require_type(value, name, (int, float)), name, -HALF_TURN, HALF_TURN))


def _numbers(values: Any, name: str, lengths: tuple[int, ...]) -> tuple[float, ...]:
    for value in require_type(values, name, (list, tuple)):
        require_type(value, name, (int, float))
    if len(values) not in lengths:
        raise TypeError(f"{name} should be a list or tuple of length {' or '.join(map(str, lengths))}, got {values!r}.")
    return tuple(values)


def _shares(translate: Any) -> tuple[float, ...]:
    for share in _numbers(translate, "translate", (2, 4)):
        within(share, "translate", -1.0, 1.0)
    return tuple(translate)


def _scales(scale: Any) -> tuple[float, ...]:
    low, high = _numbers(scale, "scale", (2,))
    if low > high:
        raise ValueError(f"Input scale[1] must be equal to or greater than scale[0], got {scale!r}.")
    for end in (low, high):
        within(end, "scale", 0, base.MAX_SIDE)
    PIPELINES.above(high, "scale[1]")
    return low, high


def _shears(shear: Any) -> tuple[float, ...]:
    if isinstance(require_type(shear, "shear", (Number, tuple, list)), Number):
        return (-PIPELINES.above(shear, "shear"), shear, 0.0, 0.0)
    ends = (*_numbers(shear, "shear", (2, 4)), 0.0, 0.0)[:4]
    if ends[0] > ends[1] or ends[2] > ends[3]:
        raise ValueError(f"The ends of shear must be in (min, max) order, got {shear!r}.")
    return ends
