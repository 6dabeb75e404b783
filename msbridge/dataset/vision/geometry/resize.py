"""Resize: interpolation to another size."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform, OnDevice, RandomImageTransform
from msbridge.dataset.vision.enums import Inter
from msbridge.dataset.vision.geometry.interpolation import resize, resize_plain

__all__ = ["RandomResize", "Resize", "ResizedCrop"]

CHIP_INTERPOLATIONS = (Inter.BILINEAR, Inter.CUBIC, Inter.NEAREST)


class Resize(OnDevice, ImageTransform):
    """Resize images.

    Args:
        size: (height, width); or one int, the shorter side, the other one keeps the proportion.
        interpolation: ANTIALIAS is for PIL images only, AREA and PILCUBIC for arrays.

    Inputs, Outputs: as in every geometric transform.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a side is less than 1.

    Examples:
        >>> vision.Resize((2, 4))(np.zeros((8, 8, 3), np.uint8)).shape
        (2, 4, 3)

    Follows: mindspore.dataset.vision.Resize (2.10).
    """

    costly = True
    chip_interpolations = CHIP_INTERPOLATIONS

    def __init__(self, size: int | Sequence[int], interpolation: Inter = Inter.LINEAR) -> None:
        self.size = base.check_size(size)
        self.by_short_side = isinstance(size, int)
        if interpolation is None:
            raise KeyError("Interpolation should not be None")
        self.interpolation: Inter = require_type(interpolation, "interpolation", Inter)
        self.python_only = interpolation is Inter.ANTIALIAS

    def transform_value(self, value: Any) -> Any:
        if is_pil(value):
            height, width = self._target(value.height, value.width)
            return value.resize((width, height), base.pil_resampling(self.interpolation))
        if self.python_only:
            base.pil_of(value)
        image = base.array_of(value, "Resize")
        axes = base.axes(image, "Resize")
        height, width = self._target(image.shape[axes[0]], image.shape[axes[1]])
        return resize_image(image, height, width, self.interpolation)

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        if rows.ndim == 3:
            return resize_image(rows[..., None], *self._target(*rows.shape[1:]), self.interpolation)[..., 0]
        return super().stack(rows)

    def _target(self, height: int, width: int) -> tuple[int, int]:
        if not self.by_short_side:
            return self.size
        short = self.size[0]
        if height < width:
            return short, int(short * width / height)
        return int(short * height / width), short


class RandomResize(RandomImageTransform):
    """Resize images by a random interpolation, as arrays.

    Args:
        size: (height, width); or one int, the shorter side, the other one keeps the proportion.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.RandomResize (2.10).
    """

    def __init__(self, size: int | Sequence[int]) -> None:
        base.check_size(size)
        self.choices = [Resize(size, way) for way in (Inter.NEAREST, Inter.BILINEAR, Inter.BICUBIC, Inter.AREA)]

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        return self.choices[draw.integer(0, 3) if draw else 0].transform_value(base.array_of(value, "RandomResize"))


class ResizedCrop(OnDevice, ImageTransform):
    """Crop images at a fixed place and resize the part, as arrays.

    Args:
        top: of the part, in rows.
        left: of the part, in columns.
        height: of the part.
        width: of the part.
        size: of the result; one int for both sides.
        interpolation: how to resize.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.ResizedCrop (2.10).
    """

    chip_interpolations = CHIP_INTERPOLATIONS

    def __init__(
        self,
        top: int,
        left: int,
        height: int,
        width: int,
        size: int | Sequence[int],
        interpolation: Inter = Inter.BILINEAR,
    ) -> None:
        for name, number, low in (("top", top, 0), ("left", left, 0), ("height", height, 1), ("width", width, 1)):
            int_within(number, name, low, base.MAX_SIDE)
        self.box = (top, left, height, width)
        self.size = base.check_size(size)
        self.interpolation: Inter = require_type(interpolation, "interpolation", Inter)

    def transform_value(self, value: Any) -> Any:
        image = base.array_of(value, "ResizedCrop")
        return crop_and_resize(image, self.box, self.size, self.interpolation, "ResizedCrop")


def crop_and_resize(
    image: Any, box: tuple[int, int, int, int], size: tuple[int, int], interpolation: Inter, op: str
) -> Any:
    """Crop (top, left, height, width) from an image and resize it."""
    top, left, height, width = box
    if is_pil(image):
        part = image.crop((left, top, left + width, top + height))
        return part.resize(size[::-1], base.pil_resampling(interpolation))
    array = base.array_of(image, op)
    axes = base.axes(array, op)
    if top + height > array.shape[axes[0]] or left + width > array.shape[axes[1]]:
        raise RuntimeError(
            f"{op}: the part {box} (top, left, height, width) lies outside of an image of {array.shape}."
        )
    part = array[(slice(None),) * axes[0] + (slice(top, top + height), slice(left, left + width))]
    return resize_image(part, *size, interpolation)


def resize_image(image: np.ndarray, height: int, width: int, interpolation: Inter) -> np.ndarray:
    """Resize an image (H, W), (H, W, C) or (…, H, W, C)."""
    if image.ndim == 3 and (done := resize_plain(image, height, width, interpolation)) is not None:
        return done
    if image.ndim == 2:
        return resize(image[None, :, :, None], height, width, interpolation)[0, ..., 0]
    flat = image.reshape(-1, *image.shape[-3:])
    return resize(flat, height, width, interpolation).reshape(*image.shape[:-3], height, width, image.shape[-1])
