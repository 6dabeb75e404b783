"""Transforms that make several images of one: FiveCrop, TenCrop, SlicePatches."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import INT32_MAX, require_type, within
from msbridge.dataset.transforms.base import TensorOperation
from msbridge.dataset.vision import base
from msbridge.dataset.vision.enums import SliceMode
from msbridge.dataset.vision.geometry.crop import CenterCrop
from msbridge.dataset.vision.geometry.flip import flip_image

__all__ = ["FiveCrop", "SlicePatches", "TenCrop"]

BORDERED_CHANNELS = 4  # that OpenCV puts a border around


class FiveCrop(TensorOperation):
    """Crop the four corners and the centre of PIL images.

    Args:
        size: (height, width), or one int for both.

    Follows: mindspore.dataset.vision.FiveCrop (2.10).
    """

    python_only = True

    def __init__(self, size: int | Sequence[int]) -> None:
        self.size = base.check_size(size)

    def __call__(self, value: Any) -> tuple[Any, ...]:
        """Return the parts: top left, top right, bottom left, bottom right, centre."""
        return _five_parts(base.pil_of(value), *self.size)


class TenCrop(TensorOperation):
    """Crop the four corners and the centre of PIL images, and of the flipped images.

    Args:
        size: (height, width), or one int for both.
        use_vertical_flip: flip vertically, else horizontally.

    Follows: mindspore.dataset.vision.TenCrop (2.10).
    """

    python_only = True

    def __init__(self, size: int | Sequence[int], use_vertical_flip: bool = False) -> None:
        self.size = base.check_size(size)
        if use_vertical_flip is not None:
            require_type(use_vertical_flip, "use_vertical_flip", bool)
        self.use_vertical_flip = use_vertical_flip

    def __call__(self, value: Any) -> tuple[Any, ...]:
        """Return the five parts of the image, then those of the flipped one."""
        turned = flip_image(base.pil_of(value), 0 if self.use_vertical_flip else 1, "TenCrop")
        return _five_parts(value, *self.size) + _five_parts(turned, *self.size)


class SlicePatches(TensorOperation):
    """Slice images into patches of equal size, row by row.

    Args:
        num_height: patches in a column.
        num_width: patches in a row.
        slice_mode: whether sides that do not divide are padded at the end, or their rest is dropped.
        fill_value: of the padding, in [0, 255].

    Follows: mindspore.dataset.vision.SlicePatches (2.10).
    """

    def __init__(
        self, num_height: int = 1, num_width: int = 1, slice_mode: SliceMode = SliceMode.PAD, fill_value: int = 0
    ) -> None:
        for name, count in (("num_height", num_height), ("num_width", num_width)):
            within(require_type(count, name, int), name, 1, INT32_MAX)
        self.num_height, self.num_width = num_height, num_width
        self.slice_mode: SliceMode = require_type(slice_mode, "slice_mode", SliceMode)
        self.fill_value = within(require_type(fill_value, "fill_value", int), "fill_value", 0, 255)

    def __call__(self, *inputs: Any) -> Any:
        """Return the patches."""
        (value,) = base.eager_images(inputs, "SlicePatches", 1)
        if self.num_height == self.num_width == 1:
            return base.array_of(value, "SlicePatches")
        image = base.plane_of(value, "SlicePatches")
        if image.dtype.kind not in "buif" or image.dtype in (np.int64, np.uint64, np.uint32):
            raise RuntimeError(f"SlicePatches: images of {image.dtype} are not supported.")
        if image.dtype == np.bool_:
            image = image.view(np.uint8)
        sides = [_side(*pair, self.slice_mode) for pair in zip(image.shape, (self.num_height, self.num_width))]  # noqa: B905 - the channels have no partner
        height, width = sides
        if self.slice_mode is SliceMode.PAD:
            image = self._pad(image, height * self.num_height, width * self.num_width)
        patches = tuple(
            np.ascontiguousarray(image[row * height : (row + 1) * height, column * width : (column + 1) * width])
            for row in range(self.num_height)
            for column in range(self.num_width)
        )
        return patches if len(patches) > 1 else patches[0]

    def _pad(self, image: np.ndarray, rows: int, columns: int) -> np.ndarray:
        if image.shape[:2] == (rows, columns):
            return image
        if image.ndim == 3 and image.shape[2] > BORDERED_CHANNELS and self.fill_value:
            raise RuntimeError(f"SlicePatches: an image of {image.shape[2]} channels cannot be padded, at most of 4.")
        full = np.full((rows, columns, *image.shape[2:]), np.array(self.fill_value).astype(image.dtype))
        full[: image.shape[0], : image.shape[1]] = image
        return full


def _side(size: int, parts: int, mode: SliceMode) -> int:
    if size < parts:
        raise RuntimeError(
            f"SlicePatches: The number of patches on an axis must not exceed its size {size}, got {parts}."
        )
    return -(-size // parts) if mode is SliceMode.PAD else size // parts


def _five_parts(image: Any, height: int, width: int) -> tuple[Any, ...]:
    columns, rows = image.size
    if height > rows or width > columns:
        raise ValueError(f"Crop size {(height, width)} is larger than input image size {(rows, columns)}.")
    places = [(left, top) for top in (0, rows - height) for left in (0, columns - width)]
    corners = tuple(image.crop((left, top, left + width, top + height)) for left, top in places)
    return (*corners, CenterCrop((height, width)).transform_value(image))
