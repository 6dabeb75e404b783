"""Erase and RandomErasing: rectangles of one colour or of noise."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type, within
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import RandomTransform
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform, OnDevice

__all__ = ["Erase", "RandomErasing"]


class Erase(OnDevice, ImageTransform):
    """Fill a rectangle of images (H, W, 3) with a colour.

    Args:
        top: of the rectangle, in rows.
        left: of the rectangle, in columns.
        height: of the rectangle.
        width: of the rectangle.
        value: one number, or one for each channel; in [0, 255].
        inplace: without effect: a transform never changes its input.

    Follows: mindspore.dataset.vision.Erase (2.10).
    """

    one_by_one = True

    def __init__(
        self,
        top: int,
        left: int,
        height: int,
        width: int,
        value: float | tuple[float, float, float] = 0.0,
        inplace: bool = False,
    ) -> None:
        for name, number, low in (("top", top, 0), ("left", left, 0), ("height", height, 1), ("width", width, 1)):
            int_within(number, name, low)
        self.top, self.left, self.height, self.width = top, left, height, width
        require_type(inplace, "inplace", bool)
        values: Any = (
            (value,) * 3 if isinstance(require_type(value, "value", (float, int, tuple)), (float, int)) else value
        )
        for level in values:
            require_type(level, "value", (float, int))
        if len(values) != 3:
            raise TypeError(f"value should be a single integer/float or a 3-tuple, got {value!r}.")
        self.value = [within(level, "value", 0, 255) for level in values]

    def transform_value(self, value: Any) -> np.ndarray:
        image = base.array_of(value, "Erase")
        if image.ndim != 3 or image.shape[2] != 3:
            raise RuntimeError(f"Erase: input tensor is not in shape of <H,W,3>, but got {image.shape}.")
        if image.dtype.kind not in "buif" or image.dtype in (np.int64, np.uint64, np.uint32):
            raise RuntimeError(f"Erase: images of {image.dtype} are not supported.")
        if self.height > image.shape[0] or self.width > image.shape[1]:
            raise RuntimeError(
                f"Erase: box size is too large for image erase, got {self.height} × {self.width} for {image.shape}."
            )
        erased = image.copy()
        part = (slice(self.top, self.top + self.height), slice(self.left, self.left + self.width))
        colour = np.array(self.value)
        if image.dtype.kind in "iu":
            colour = np.minimum(np.rint(colour), np.iinfo(image.dtype).max)
        erased[part] = colour.astype(image.dtype)
        return erased


class RandomErasing(RandomTransform):
    """Fill a random rectangle of images (C, H, W) with a colour or noise, with probability `prob`.

    Args:
        prob: in [0, 1].
        scale: (low, high) share of the image's area.
        ratio: (low, high) width : height.
        value: one number, one for each of three channels, or "random" for normally distributed noise.
        inplace: change the array itself.
        max_attempts: to find a rectangle that fits; then the image stays.

    Follows: mindspore.dataset.vision.RandomErasing (2.10).
    """

    python_only = True

    def __init__(
        self,
        prob: float = 0.5,
        scale: Sequence[float] = (0.02, 0.33),
        ratio: Sequence[float] = (0.3, 3.3),
        value: int | str | Sequence[int] = 0,
        inplace: bool = False,
        max_attempts: int = 10,
    ) -> None:
        require_type(prob, "prob", (float, int))
        self.scale, self.ratio = _pair(scale, "scale"), _pair(ratio, "ratio")
        require_type(value, "value", (int, list, tuple, str))
        require_type(inplace, "inplace", bool)
        require_type(max_attempts, "max_attempts", int)
        if (isinstance(value, str) and value != "random") or (isinstance(value, (list, tuple)) and len(value) != 3):
            raise ValueError(f"The value for erasing should be a number, 'random', or three numbers, got {value!r}.")
        self.prob = within(prob, "prob", 0.0, 1.0)
        _check_order(self.scale, "scale", "[]")
        _check_order(self.ratio, "ratio", "(]")
        if not self.scale[1] > 0:
            raise ValueError(f"Input scale[1] must be greater than 0, got {scale!r}.")
        if isinstance(value, int):
            within(value, "value", 0, 255)
        elif not isinstance(value, str):
            for level in value:
                within(require_type(level, "value", int), "value", 0, 255)
        self.max_attempts = within(max_attempts, "max_attempts", 1, base.MAX_SIDE)
        self.value, self.inplace = value, inplace
        self.deferrable = not inplace

    def check_inputs(self, *inputs: Any) -> Any:
        if len(inputs) != 1:
            raise TypeError(f"RandomErasing takes one input, got {len(inputs)}.")
        return inputs[0]

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        if draw is None or draw.uniform() >= self.prob:
            return value
        if not isinstance(value, np.ndarray):
            raise TypeError(f"img should be NumPy array. Got {type(value)}.")
        if value.ndim != 3:
            raise ValueError(f"RandomErasing: an image should be of shape (C, H, W), got {value.shape}.")
        erased = value if self.inplace else value.copy()
        box = self._box(value.shape[1], value.shape[2], draw)
        if box is not None:
            top, left, height, width = box
            erased[:, top : top + height, left : left + width] = self._filling((len(value), height, width), draw)
        return erased

    def _box(self, rows: int, columns: int, draw: RowRandom) -> tuple[int, int, int, int] | None:
        """Find a rectangle (top, left, height, width) smaller than the image; area and proportion are uniform."""
        for _ in range(self.max_attempts):
            area = draw.uniform(*self.scale) * rows * columns
            proportion = draw.uniform(*self.ratio)
            width = round(math.sqrt(area * proportion))
            height = round(width / proportion)
            if height < rows and width < columns:
                return draw.integer(0, rows - height), draw.integer(0, columns - width), height, width
        return None

    def _filling(self, shape: tuple[int, int, int], draw: RowRandom) -> Any:
        if isinstance(self.value, int):
            return self.value
        if isinstance(self.value, str):
            return np.random.default_rng(draw.bits()).standard_normal(shape)
        return np.array(self.value)[:, None, None]


def _pair(values: Any, name: str) -> tuple[float, float]:
    for end in require_type(values, name, (list, tuple)):
        require_type(end, name, (float, int))
    if len(values) != 2:
        raise TypeError(f"{name} should be a list or tuple of length 2, got {values!r}.")
    return values[0], values[1]


def _check_order(ends: tuple[float, float], name: str, brackets: str) -> None:
    if ends[0] > ends[1]:
        raise ValueError(f"{name} should be in (min,max) format, got {ends!r}.")
    for end in ends:
        within(end, name, 0, base.MAX_SIDE, brackets)
