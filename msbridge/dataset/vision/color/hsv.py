"""RgbToHsv and HsvToRgb, of values from 0 to 1."""

import colorsys
from collections.abc import Callable
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.transforms.base import Transform

__all__ = ["HsvToRgb", "RgbToHsv"]


class _Colours(Transform):
    """Base of the conversions of arrays (…, H, W, 3) or (…, 3, H, W), of three or four axes."""

    python_only = True

    def __init__(self, is_hwc: bool = False) -> None:
        require_type(is_hwc, "is_hwc", bool)
        self.is_hwc = is_hwc

    def check_inputs(self, *inputs: Any) -> Any:
        if len(inputs) != 1:
            raise TypeError(f"{type(self).__name__} takes one input, got {len(inputs)}.")
        return inputs[0]

    def transform_value(self, value: Any) -> np.ndarray:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"img should be NumPy image. Got {type(value)}.")
        if value.ndim not in (3, 4):
            raise TypeError(
                f"img shape should be (H, W, C), (N, H, W, C), (C, H, W) or (N, C, H, W). Got {value.shape}."
            )
        axis = -1 if self.is_hwc else -3
        if value.shape[axis] != 3:
            raise TypeError(f"img should be 3 channels RGB img. Got {value.shape[axis]} channels.")
        if not value.size:
            raise ValueError(f"{type(self).__name__}: the image is empty, its shape is {value.shape}.")
        return np.stack(self.convert(*np.moveaxis(value, axis, 0)), axis=axis)

    def stack(self, rows: np.ndarray) -> np.ndarray | None:
        return self.transform_value(rows) if rows.ndim == 4 and rows.dtype.kind == "f" else None

    convert: Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, ...]]


def _hsv_of(red: np.ndarray, green: np.ndarray, blue: np.ndarray) -> tuple[np.ndarray, ...]:
    if red.dtype == np.bool_:
        raise TypeError("RgbToHsv: images of bool are not supported.")
    red, green, blue = (plane.astype(np.float64) for plane in (red, green, blue))
    highest, lowest = np.maximum(np.maximum(red, green), blue), np.minimum(np.minimum(red, green), blue)
    span = highest - lowest
    with np.errstate(divide="ignore", invalid="ignore"):
        far_red, far_green, far_blue = ((highest - plane) / span for plane in (red, green, blue))
        sixths = np.where(
            red == highest,
            far_blue - far_green,
            np.where(green == highest, 2.0 + far_red - far_blue, 4.0 + far_green - far_red),
        )
        return np.where(span == 0, 0.0, sixths / 6.0 % 1.0), np.where(span == 0, 0.0, span / highest), highest


def _rgb_of(hue: np.ndarray, saturation: np.ndarray, level: np.ndarray) -> tuple[np.ndarray, ...]:
    if hue.dtype.kind != "f":  # numpy takes the type of the first pixel's result for all, as MindSpore does
        planes: tuple[np.ndarray, ...] = np.vectorize(colorsys.hsv_to_rgb)(hue, saturation, level)
        return planes
    hue, saturation, level = (plane.astype(np.float64) for plane in (hue, saturation, level))
    sector = np.trunc(hue * 6.0)
    part = hue * 6.0 - sector
    least = level * (1.0 - saturation)
    falling, rising = level * (1.0 - saturation * part), level * (1.0 - saturation * (1.0 - part))
    choices = [level, falling, least, least, rising, level]
    sector = np.where(saturation == 0, 0, sector).astype(np.int64) % 6
    grey = saturation == 0
    return tuple(np.where(grey, level, np.choose(sector, choices[turn:] + choices[:turn])) for turn in (0, 4, 2))


class RgbToHsv(_Colours):
    """Convert RGB images to HSV, values from 0 to 1.

    Args:
        is_hwc: channels are the last axis, else the third last.

    Follows: mindspore.dataset.vision.RgbToHsv (2.10).
    """

    convert = staticmethod(_hsv_of)


class HsvToRgb(_Colours):
    """Convert HSV images to RGB, values from 0 to 1.

    Args:
        is_hwc: channels are the last axis, else the third last.

    Follows: mindspore.dataset.vision.HsvToRgb (2.10).
    """

    convert = staticmethod(_rgb_of)
