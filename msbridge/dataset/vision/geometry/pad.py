"""Pad: borders around images."""

from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import INT32_MAX, int_within, is_int, require_type, within
from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform, OnDevice
from msbridge.dataset.vision.enums import Border

__all__ = ["Pad", "PadToSize"]

Sides = tuple[int, ...]  # left, top, right, bottom
NUMPY_MODES = {Border.EDGE: "edge", Border.REFLECT: "reflect", Border.SYMMETRIC: "symmetric"}


class Pad(OnDevice, ImageTransform):
    """Pad images.

    Args:
        padding: pixels on all sides; or (left and right, top and bottom); or (left, top, right, bottom).
        fill_value: of a constant border: one number, or one per channel of RGB; in [0, 255].
        padding_mode: how the border is filled.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.Pad (2.10).
    """

    def __init__(
        self,
        padding: int | Sequence[int],
        fill_value: int | tuple[int, int, int] = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        self.padding = check_sides(padding)
        self.fill_value = check_fill(fill_value)
        self.padding_mode: Border = require_type(padding_mode, "padding_mode", Border)

    def transform_value(self, value: Any) -> Any:
        return pad_image(value, self.padding, self.fill_value, self.padding_mode, "Pad")


class PadToSize(ImageTransform):
    """Pad images to a size.

    Args:
        size: (height, width), or one int for both.
        offset: (top, left) where the image goes; None is the middle.
        fill_value: of a constant border.
        padding_mode: how the border is filled.

    Inputs, Outputs: as in every geometric transform.

    Follows: mindspore.dataset.vision.PadToSize (2.10).
    """

    def __init__(
        self,
        size: int | Sequence[int],
        offset: int | Sequence[int] | None = None,
        fill_value: int | tuple[int, int, int] = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        self.size = _pair(size, "size", 1)
        self.offset = None if offset is None or offset in ([], ()) else _pair(offset, "offset", 0)
        self.fill_value = check_fill(fill_value)
        self.padding_mode: Border = require_type(padding_mode, "padding_mode", Border)

    def transform_value(self, value: Any) -> Any:
        image = base.array_of(value, "PadToSize")
        axes = base.axes(image, "PadToSize")
        rows, columns = image.shape[axes[0]], image.shape[axes[1]]
        top, left = self.offset or ((self.size[0] - rows) // 2, (self.size[1] - columns) // 2)
        sides = (left, top, self.size[1] - columns - left, self.size[0] - rows - top)
        if min(sides) < 0:
            raise RuntimeError(
                f"PadToSize: an image of {rows} × {columns} at offset {(top, left)} does not fit into {self.size}."
            )
        return pad_image(image, sides, self.fill_value, self.padding_mode, "PadToSize")


def _pair(value: Any, name: str, low: int) -> tuple[int, int]:
    pair = (value, value) if isinstance(require_type(value, name, (int, list, tuple)), int) else value
    if len(pair) != 2:
        raise ValueError(f"The {name} must be a sequence of length 2, got {value!r}.")
    for number in pair:
        int_within(number, name, low)
    return pair[0], pair[1]


def pad_image(image: Any, sides: Sides, fill: tuple[int, ...], mode: Border, op: str) -> Any:
    """Pad an image by (left, top, right, bottom) pixels."""
    left, top, right, bottom = sides
    if is_pil(image):
        return _pad_pil(image, sides, fill, mode, op)
    array = base.array_of(image, op)
    _, across = base.axes(array, op)
    if array.dtype == np.bool_:
        array = array.view(np.uint8)
    if not any(sides):
        return array
    widths = [(top, bottom), (left, right)] + [(0, 0)] * (array.ndim > 2)
    widths = [(0, 0)] * (array.ndim - len(widths)) + widths
    if mode is not Border.CONSTANT:
        return np.pad(array, widths, mode=NUMPY_MODES[mode])  # type: ignore[call-overload]
    channels = array.shape[-1] if array.ndim > 2 else 1
    if channels not in (1, 3):
        raise RuntimeError(f"{op}: a constant border needs images of 1 or 3 channels, got {channels}.")
    shape = [size + sum(width) for size, width in zip(array.shape, widths, strict=True)]
    colour = np.array(fill[:channels])
    colour = (np.minimum(colour, 127) if array.dtype == np.int8 else colour).astype(array.dtype)
    full = np.empty(shape, array.dtype)
    lines = full.reshape(*shape[:across], shape[across] * channels)
    lines[...] = np.tile(colour, shape[across])  # whole lines: to copy pixels takes ten times as long
    inside = tuple(slice(width[0], width[0] + size) for size, width in zip(array.shape, widths, strict=True))
    full[inside] = array
    return full


def _pad_pil(image: Any, sides: Sides, fill: tuple[int, ...], mode: Border, op: str) -> Any:
    pil = base.import_pil(op)
    left, top, right, bottom = sides
    if mode is Border.CONSTANT:
        from PIL import ImageOps

        full = ImageOps.expand(image, sides, fill[:1] if image.mode in ("L", "1") else fill)
    else:
        widths = [(top, bottom), (left, right)] + [(0, 0)] * (np.asarray(image).ndim - 2)
        full = pil.fromarray(np.pad(np.asarray(image), widths, mode=NUMPY_MODES[mode]))  # type: ignore[call-overload]
    if image.mode == "P":
        full.putpalette(image.getpalette())
    return full


def check_sides(padding: Any) -> Sides:
    """Return (left, top, right, bottom) of a padding argument."""
    sides: Sides
    if isinstance(padding, Number):
        sides = (int(padding),) * 4  # type: ignore[call-overload]
    elif len(require_type(padding, "padding", (int, tuple, list))) == 2:
        sides = (padding[0], padding[1], padding[0], padding[1])
    elif len(padding) == 4:
        sides = tuple(padding)
    else:
        raise ValueError(f"The size of the padding list or tuple should be 2 or 4, got {padding!r}.")
    for side in sides:
        require_type(side, "padding", int)
        within(side, "pad_value", 0, INT32_MAX)
    return sides


def check_fill(fill_value: Any) -> tuple[int, ...]:
    """Return one value for each of three channels."""
    if is_int(fill_value):
        fill_value = (fill_value,) * 3
    if not isinstance(fill_value, tuple) or len(fill_value) != 3:
        raise TypeError(f"fill_value should be a single integer or a 3-tuple, got {fill_value!r}.")
    for value in fill_value:
        int_within(value, "fill_value", 0, 255)
    return fill_value
