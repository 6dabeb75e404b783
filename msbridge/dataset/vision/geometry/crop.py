"""Crop, CenterCrop, RandomCrop and the crops that resize."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type, within
from msbridge.dataset.row_random import BlockRandom, RowRandom
from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform, OnDevice, RandomImageTransform
from msbridge.dataset.vision.codecs.decode import as_bytes, decode_image
from msbridge.dataset.vision.codecs.jpeg import frame_of
from msbridge.dataset.vision.enums import Border, Inter
from msbridge.dataset.vision.geometry.pad import check_fill, check_sides, pad_image
from msbridge.dataset.vision.geometry.resize import crop_and_resize

__all__ = ["CenterCrop", "Crop", "RandomCrop", "RandomCropDecodeResize", "RandomResizedCrop"]

BLACK = (0, 0, 0)


class Crop(OnDevice, ImageTransform):
    """Crop images at a fixed place.

    Args:
        coordinates: (top, left) of the part.
        size: (height, width), or one int for both.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.Crop (2.10).
    """

    def __init__(self, coordinates: Sequence[int], size: int | Sequence[int]) -> None:
        require_type(coordinates, "coordinates", (list, tuple))
        if len(coordinates) != 2:
            raise ValueError(f"coordinates should be (top, left), got {coordinates!r}.")
        for place in coordinates:
            int_within(place, "coordinates", 0)
        self.top, self.left = coordinates
        self.size = base.check_size(size)

    def transform_value(self, value: Any) -> np.ndarray:
        image: np.ndarray = crop_image(base.array_of(value, "Crop"), self.top, self.left, *self.size, "Crop")
        return image


class CenterCrop(ImageTransform):
    """Crop the centre of images; a larger size pads with zeros.

    Args:
        size: (height, width), or one int for both.

    Inputs, Outputs: as in every geometric transform.

    Examples:
        >>> vision.CenterCrop(4)(np.zeros((8, 8, 3), np.uint8)).shape
        (4, 4, 3)

    Follows: mindspore.dataset.vision.CenterCrop (2.10).
    """

    def __init__(self, size: int | Sequence[int]) -> None:
        self.size = base.check_size(size)

    def transform_value(self, value: Any) -> Any:
        rows, columns = image_size(value, "CenterCrop")
        height, width = self.size
        if is_pil(value):
            top, left = round((rows - height) / 2), round((columns - width) / 2)
            return value.crop((left, top, left + width, top + height))
        more_rows, more_columns = max(height - rows, 0), max(width - columns, 0)
        if more_rows or more_columns:
            top, left = -(-more_rows // 2), -(-more_columns // 2)
            value = pad_image(
                value, (left, top, more_columns - left, more_rows - top), BLACK, Border.CONSTANT, "CenterCrop"
            )
            rows, columns = rows + more_rows, columns + more_columns
        return crop_image(value, (rows - height) // 2, (columns - width) // 2, height, width, "CenterCrop")

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        return self.transform_value(rows[..., None])[..., 0] if rows.ndim == 3 else super().stack(rows)


class RandomCrop(RandomImageTransform):
    """Crop images at a random place.

    Args:
        size: (height, width), or one int for both.
        padding: put around the image first; as in `Pad`.
        pad_if_needed: pad a side that is shorter than the part.
        fill_value: of a constant border.
        padding_mode: how the border is filled.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.RandomCrop (2.10).
    """

    def __init__(
        self,
        size: int | Sequence[int],
        padding: int | Sequence[int] | None = None,
        pad_if_needed: bool = False,
        fill_value: int | tuple[int, int, int] = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        self.size = base.check_size(size)
        self.padding = (0, 0, 0, 0) if padding is None else check_sides(padding)
        require_type(pad_if_needed, "pad_if_needed", bool)
        self.pad_if_needed = pad_if_needed
        self.fill_value = check_fill(fill_value)
        self.padding_mode: Border = require_type(padding_mode, "padding_mode", Border)

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        image, rows, columns = self.add_border(value)
        height, width = self.size
        top = draw.integer(0, rows - height) if draw else 0
        left = draw.integer(0, columns - width) if draw else 0
        return crop_image(image, top, left, height, width, "RandomCrop")

    def stack(self, rows: np.ndarray, draws: BlockRandom | None = None) -> np.ndarray | None:
        if draws is None or rows.ndim not in (3, 4):
            return None
        stack, height, width = self.add_border(rows if rows.ndim == 4 else rows[..., None])
        top, left = draws.integer(0, height - self.size[0]), draws.integer(0, width - self.size[1])
        parts = windows(np.ascontiguousarray(stack), *self.size)[np.arange(len(stack)), top, left]
        return parts.reshape(len(stack), *self.size, *rows.shape[3:])

    def add_border(self, value: Any) -> tuple[Any, int, int]:
        """Return an image or a stack with its border, and its height and width, where the part fits in."""
        image = value
        if any(self.padding) or not is_pil(value):
            image = pad_image(value, self.padding, self.fill_value, self.padding_mode, "RandomCrop")
        rows, columns = image_size(image, "RandomCrop")
        height, width = self.size
        if self.pad_if_needed and (rows < height or columns < width):
            more_rows, more_columns = max(height - rows, 0), max(width - columns, 0)
            sides = (more_columns, more_rows, more_columns, more_rows)
            image = pad_image(image, sides, self.fill_value, self.padding_mode, "RandomCrop")
            rows, columns = rows + 2 * more_rows, columns + 2 * more_columns
        if rows < height or columns < width:
            raise (ValueError if is_pil(value) else RuntimeError)(
                "Shape is incorrect. RandomCrop: invalid crop size, crop size is bigger than the image dimensions, "
                f"got crop height: {height}, crop width: {width}, for an image of {rows} × {columns}."
            )
        return image, rows, columns


def half_up(value: float) -> int:
    """Round a positive number to the nearest integer, halves upwards."""
    return int(value + 0.5)


class RandomResizedCrop(RandomImageTransform):
    """Crop a random part of images and resize it.

    Args:
        size: (height, width) of the result, or one int for both.
        scale: (low, high) share of the image's area.
        ratio: (low, high) width : height.
        interpolation: how to resize.
        max_attempts: to find a part that fits; then the middle is taken.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.RandomResizedCrop (2.10).
    """

    def __init__(
        self,
        size: int | Sequence[int],
        scale: Sequence[float] = (0.08, 1.0),
        ratio: Sequence[float] = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ) -> None:
        self.size = base.check_size(size)
        self.scale = check_interval(scale, "scale")
        self.ratio = check_interval(ratio, "ratio")
        if not self.scale[1] > 0 or not self.ratio[0] > 0:
            raise ValueError(f"scale must end and ratio must begin above 0, got {scale!r} and {ratio!r}.")
        self.interpolation: Inter = require_type(interpolation, "interpolation", Inter)
        self.python_only = interpolation is Inter.ANTIALIAS
        int_within(max_attempts, "max_attempts")
        self.max_attempts = max_attempts

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        op = type(self).__name__
        if self.python_only:
            base.pil_of(value)
        box = self.box(*image_size(value, op), draw, round if is_pil(value) else half_up)
        return crop_and_resize(value, box, self.size, self.interpolation, op)

    def box(
        self, rows: int, columns: int, draw: RowRandom | None, rounded: Callable[[float], int] = half_up
    ) -> tuple[int, int, int, int]:
        """Find a part (top, left, height, width): area uniform in `scale`, proportion log-uniform in `ratio`."""
        low, high = math.log(self.ratio[0]), math.log(self.ratio[1])
        for _ in range(self.max_attempts):
            if draw is None:
                break
            area = rows * columns * draw.uniform(*self.scale)
            proportion = math.exp(draw.uniform(low, high))
            width, height = round(math.sqrt(area * proportion)), round(math.sqrt(area / proportion))
            if 0 < width <= columns and 0 < height <= rows:
                top, left = draw.integer(0, rows - height), draw.integer(0, columns - width)
                return top, left, height, width
        height, width = rows, columns
        if columns / rows < self.ratio[0]:
            height = rounded(columns / self.ratio[0])
        elif columns / rows > self.ratio[1]:
            width = rounded(rows * self.ratio[1])
        height, width = max(height, 1), max(width, 1)
        return rounded((rows - height) / 2), rounded((columns - width) / 2), height, width


class RandomCropDecodeResize(RandomResizedCrop):
    """`Decode`, then `RandomResizedCrop`.

    Args:
        size: (height, width) of the result, or one int for both.
        scale: (low, high) share of the image's area.
        ratio: (low, high) width : height.
        interpolation: how to resize.
        max_attempts: to find a part that fits; then the middle is taken.

    Follows: mindspore.dataset.vision.RandomCropDecodeResize (2.10).
    """

    accepts = "data"
    heavy = True

    def __call__(self, img: Any) -> Any:
        """Transform the bytes of one image file outside of a pipeline."""
        return super().__call__(img)

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        encoded = as_bytes(value)
        frame = frame_of(encoded)
        if frame is None:
            return super().transform_value(decode_image(encoded), draw)
        box = self.box(frame.height, frame.width, draw)
        image = decode_image(encoded, box[0] + box[2], frame)
        return crop_and_resize(image, box, self.size, self.interpolation, type(self).__name__)

    def check_inputs(self, *inputs: Any) -> Any:
        return inputs[0] if len(inputs) == 1 and isinstance(inputs[0], bytes) else super().check_inputs(*inputs)


def image_size(image: Any, op: str) -> tuple[int, int]:
    """Return (height, width) of an image."""
    if is_pil(image):
        return image.height, image.width
    array = base.array_of(image, op)
    axes = base.axes(array, op)
    return array.shape[axes[0]], array.shape[axes[1]]


def windows(stack: np.ndarray, height: int, width: int) -> np.ndarray:
    """Return a view of all parts of images (n, H, W, C), by image, top and left; a part's pixels are one axis."""
    count, rows, columns, channels = stack.shape
    shape = (count, rows - height + 1, columns - width + 1, height, width * channels)
    strides = (*stack.strides[:3], stack.strides[1], stack.strides[3])
    return np.lib.stride_tricks.as_strided(stack, shape, strides, writeable=False)


def crop_image(image: Any, top: int, left: int, height: int, width: int, op: str) -> Any:
    """Crop an image; the part must lie inside."""
    rows, columns = image_size(image, op)
    if top < 0 or left < 0 or top + height > rows or left + width > columns:
        raise RuntimeError(
            f"{op}: the part of {height} × {width} at ({top}, {left}) lies outside of an image of {rows} × {columns}."
        )
    if is_pil(image):
        return image.crop((left, top, left + width, top + height))
    return np.ascontiguousarray(base.cut(base.array_of(image, op), top, left, height, width))


def check_interval(interval: Any, name: str) -> tuple[float, float]:
    """Return the interval (low, high) as floats."""
    require_type(interval, name, (tuple, list))
    if len(interval) != 2:
        raise TypeError(f"{name} should be a list/tuple of length 2, (least, most), got {interval!r}.")
    for end in interval:
        within(require_type(end, name, (float, int)), name, 0, 16777216)
    if interval[0] > interval[1]:
        raise ValueError(f"{name} should be in (min,max) format. Got (max,min): {interval!r}.")
    return float(interval[0]), float(interval[1])
