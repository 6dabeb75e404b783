"""Transforms of colours: AdjustBrightness and its like, RandomColorAdjust, ConvertColor."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type, within
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.vision import base
from msbridge.dataset.vision.base import ImageTransform, OnDevice, RandomImageTransform
from msbridge.dataset.vision.color.sharpness import check_factors
from msbridge.dataset.vision.enums import ConvertMode

__all__ = [
    "AdjustBrightness",
    "AdjustContrast",
    "AdjustHue",
    "AdjustSaturation",
    "ConvertColor",
    "RandomColor",
    "RandomColorAdjust",
]

MAX_FACTOR = 16777216
GREY_WEIGHTS = np.array([9798, 19235, 3735])  # of red, green and blue, in 1/32768


def adjust_brightness(image: Any, factor: float) -> Any:
    """Multiply each value by `factor`."""
    if is_pil(image):
        return base.enhance_with_pil(image, "Brightness", factor)
    array = base.array_of(image, "AdjustBrightness")
    base.axes(array, "AdjustBrightness")
    if array.dtype == np.bool_:
        return adjust_brightness(array.view(np.uint8), factor) != 0
    working = np.dtype(np.float64 if array.dtype in (np.float64, np.int32) else np.float32)
    return _within(array.astype(working) * np.float32(factor).astype(working), array.dtype)


def adjust_contrast(image: Any, factor: float) -> Any:
    """Blend an image with its mean grey."""
    if is_pil(image):
        return base.enhance_with_pil(image, "Contrast", factor)
    array = _colours(image, "AdjustContrast", "uint16", "float32")
    mean = _grey(array).mean(dtype=np.float64)
    return _blend(array, mean if array.dtype.kind == "f" else np.float64(int(mean + 0.5)), factor)


def adjust_saturation(image: Any, factor: float) -> Any:
    """Blend an image with its greyscale."""
    if is_pil(image):
        return base.enhance_with_pil(image, "Color", factor)
    array = _colours(image, "AdjustSaturation", "uint16", "float32")
    return _blend(array, _grey(array)[..., None].astype(np.float64), factor)


def adjust_hue(image: Any, factor: float) -> Any:
    """Rotate the hue by a fraction of the full circle."""
    if is_pil(image):
        if image.mode in ("L", "1", "I", "F"):
            return image
        hue, *others = image.convert("HSV").split()
        turned = (np.asarray(hue).astype(np.int32) + int(factor * 255)).astype(np.uint8)
        pil = base.import_pil("AdjustHue")
        return pil.merge("HSV", (pil.fromarray(turned), *others)).convert(image.mode)
    array = _colours(image, "AdjustHue")
    cv2 = base.import_cv2("AdjustHue")
    hsv = cv2.cvtColor(np.ascontiguousarray(array), cv2.COLOR_RGB2HSV_FULL)
    hsv[..., 0] += np.uint8(int(factor * 255) & 0xFF)
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB_FULL)


class _Adjust(OnDevice, ImageTransform):
    """Base of the adjustments by a factor."""

    one_by_one = True

    def __init__(self, factor: float, name: str, low: float = 0, high: float = MAX_FACTOR) -> None:
        self.factor = float(within(require_type(factor, name, (float, int)), name, low, high))

    def transform_value(self, value: Any) -> Any:
        return self.change(value, self.factor)

    @staticmethod
    def change(image: Any, factor: float) -> Any:
        """Change an image by the factor."""
        raise NotImplementedError


class AdjustBrightness(_Adjust):
    """Adjust the brightness of images: multiply each value by a factor.

    Args:
        brightness_factor: 0 is black, 1 changes nothing.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.AdjustBrightness (2.10).
    """

    change = staticmethod(adjust_brightness)

    def __init__(self, brightness_factor: float) -> None:
        super().__init__(brightness_factor, "brightness_factor")


class AdjustContrast(_Adjust):
    """Adjust the contrast of images: blend with their mean grey.

    Args:
        contrast_factor: 0 is grey, 1 changes nothing.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.AdjustContrast (2.10).
    """

    change = staticmethod(adjust_contrast)

    def __init__(self, contrast_factor: float) -> None:
        super().__init__(contrast_factor, "contrast_factor")


class AdjustSaturation(_Adjust):
    """Adjust the saturation of images: blend with their greyscale.

    Args:
        saturation_factor: 0 is grey, 1 changes nothing.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.AdjustSaturation (2.10).
    """

    change = staticmethod(adjust_saturation)

    def __init__(self, saturation_factor: float) -> None:
        super().__init__(saturation_factor, "saturation_factor")


class AdjustHue(_Adjust):
    """Adjust the hue of images.

    Args:
        hue_factor: fraction of the full circle, in [-0.5, 0.5].

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.AdjustHue (2.10).
    """

    change = staticmethod(adjust_hue)

    def __init__(self, hue_factor: float) -> None:
        super().__init__(hue_factor, "hue_factor", -0.5, 0.5)


class RandomColorAdjust(RandomImageTransform):
    """Adjust brightness, contrast, saturation and hue of images by random factors, in random order.

    Args:
        brightness: (low, high), or x for (max(0, 1 - x), 1 + x).
        contrast: likewise.
        saturation: likewise.
        hue: (low, high) in [-0.5, 0.5], or x for (-x, x).

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.RandomColorAdjust (2.10).
    """

    def __init__(
        self,
        brightness: float | Sequence[float] = (1, 1),
        contrast: float | Sequence[float] = (1, 1),
        saturation: float | Sequence[float] = (1, 1),
        hue: float | Sequence[float] = (0, 0),
    ) -> None:
        self.brightness = check_range(brightness, "brightness", 1, 0, MAX_FACTOR)
        self.contrast = check_range(contrast, "contrast", 1, 0, MAX_FACTOR)
        self.saturation = check_range(saturation, "saturation", 1, 0, MAX_FACTOR)
        self.hue = check_range(hue, "hue", 0, -0.5, 0.5)
        self._changes = (
            (adjust_brightness, self.brightness, 1),
            (adjust_contrast, self.contrast, 1),
            (adjust_saturation, self.saturation, 1),
            (adjust_hue, self.hue, 0),
        )

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        if draw is None:
            return value
        for place in draw.order(len(self._changes)):
            change, (low, high), neutral = self._changes[place]
            factor = draw.uniform(low, high)
            if factor != neutral or is_pil(value):  # which go through HSV in any case, with its rounding
                value = change(value, factor)
        return value


class RandomColor(RandomImageTransform):
    """Adjust the saturation of RGB images by a random factor.

    Args:
        degrees: (low, high) of the factor: 0 is grey, 1 changes nothing.

    Inputs, Outputs: as in every color transform.

    Follows: mindspore.dataset.vision.RandomColor (2.10).
    """

    def __init__(self, degrees: Sequence[float] = (0.1, 1.9)) -> None:
        self.degrees = check_factors(degrees)

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        factor = self.degrees[0] if draw is None else draw.uniform(*self.degrees)
        if is_pil(value):
            return base.enhance_with_pil(value, "Color", factor)
        image = base.array_of(value, "RandomColor")
        if image.ndim != 3 or image.shape[2] != 3:
            raise RuntimeError(f"RandomColor: image shape is not <H,W,3>, but got {image.shape}.")
        if image.dtype == np.bool_:
            image = image.view(np.uint8)
        if image.dtype not in (np.uint8, np.uint16, np.float32):
            raise RuntimeError(f"RandomColor: images of {image.dtype} are not supported.")
        grey = _grey(image)[..., None].astype(np.float32) * np.float32(1 - float(np.float32(factor)))
        blended = grey.astype(np.float64) + image.astype(np.float64) * np.float64(np.float32(factor))
        return _within(blended.astype(np.float32), image.dtype)


class ConvertColor(OnDevice, ImageTransform):
    """Convert images between colour spaces.

    Args:
        convert_mode: from what into what.

    Follows: mindspore.dataset.vision.ConvertColor (2.10).
    """

    one_by_one = True

    def __init__(self, convert_mode: ConvertMode) -> None:
        self.convert_mode: ConvertMode = require_type(convert_mode, "convert_mode", ConvertMode)

    def transform_value(self, value: Any) -> np.ndarray:
        image = base.array_of(value, "ConvertColor")
        base.axes(image, "ConvertColor")
        if image.dtype == np.bool_:
            return self.transform_value(image.view(np.uint8)).view(np.bool_)
        cv2 = base.import_cv2("ConvertColor")
        try:
            return cv2.cvtColor(np.ascontiguousarray(image), getattr(cv2, self.convert_mode.name))
        except cv2.error as error:
            raise RuntimeError(
                f"ConvertColor: an image of shape {image.shape} cannot be converted by {self.convert_mode.name}."
            ) from error


def check_range(value: Any, name: str, middle: float, low: float, high: float) -> tuple[float, float]:
    """Return the interval (low, high) of a factor; a single number is a distance from `middle`."""
    require_type(value, name, (int, float, list, tuple))
    if isinstance(value, (int, float)):
        if value < 0:
            raise ValueError(f"The input value of {name} cannot be negative, got {value!r}.")
        value = (max(low, middle - value), middle + value)
    if len(value) != 2:
        raise TypeError(f"If {name} is a sequence, the length must be 2, got {value!r}.")
    for end in value:
        within(require_type(end, name, (int, float)), name, low, high)
    if value[0] > value[1]:
        raise ValueError(f"{name} value should be in (min,max) format, got {value!r}.")
    return float(value[0]), float(value[1])


def _colours(image: Any, op: str, *dtypes: str) -> np.ndarray:
    array = base.array_of(image, op)
    if array.ndim != 3 or array.shape[2] != 3:
        raise RuntimeError(f"{op}: the image must be in shape of <H,W,3>, but got {array.shape}.")
    if array.dtype not in ("uint8", *dtypes):
        raise RuntimeError(f"{op}: the image must be of uint8{', '.join(('', *dtypes))}, but got {array.dtype}.")
    return array


def _grey(image: np.ndarray) -> np.ndarray:
    """Return the grey of RGB as OpenCV rounds it."""
    if image.dtype != np.uint8:
        cv2 = base.import_cv2("AdjustSaturation")
        grey: np.ndarray = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2GRAY)
        return grey
    return ((image.astype(np.int64) @ GREY_WEIGHTS + (1 << 14)) >> 15).astype(np.uint8)


def _blend(image: np.ndarray, other: Any, factor: float) -> np.ndarray:
    """Compute image · factor + other · (1 - factor) in float32, the second product without rounding of its own."""
    share = np.float32(factor)
    first = (image.astype(np.float32) * share).astype(np.float64)
    return _within((first + other * np.float64(np.float32(1 - float(share)))).astype(np.float32), image.dtype)


def _within(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Cast to a dtype; integers are rounded, and kept in its range."""
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        values = np.clip(np.rint(values), limits.min, limits.max)
    return values.astype(dtype)
