"""Functions behind the transforms of PIL images and of planes, which some scripts call themselves.

Follows: mindspore.dataset.vision.py_transforms_util (2.10).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.dataset.transforms.base import is_pil
from msbridge.dataset.vision import base
from msbridge.dataset.vision.codecs.decode import decode_with_pil
from msbridge.dataset.vision.codecs.pil_images import Grayscale, ToPIL
from msbridge.dataset.vision.color import adjust, hsv, whitening
from msbridge.dataset.vision.color.gamma import AdjustGamma
from msbridge.dataset.vision.color.histogram import AutoContrast, Equalize, Invert
from msbridge.dataset.vision.color.pixel_values import HWC2CHW
from msbridge.dataset.vision.enums import Border, Inter
from msbridge.dataset.vision.geometry import multi_crop
from msbridge.dataset.vision.geometry.crop import CenterCrop, crop_image
from msbridge.dataset.vision.geometry.flip import flip_image
from msbridge.dataset.vision.geometry.pad import Pad
from msbridge.dataset.vision.geometry.perspective import Perspective
from msbridge.dataset.vision.legacy import r1_10

__all__ = [
    "adjust_brightness",
    "adjust_contrast",
    "adjust_gamma",
    "adjust_hue",
    "adjust_saturation",
    "augment_error_message",
    "auto_contrast",
    "center_crop",
    "crop",
    "decode",
    "equalize",
    "erase",
    "five_crop",
    "grayscale",
    "horizontal_flip",
    "hsv_to_rgbs",
    "hwc_to_chw",
    "invert_color",
    "is_numpy",
    "is_pil",
    "linear_transform",
    "pad",
    "perspective",
    "resize",
    "rgb_to_bgrs",
    "rgb_to_hsvs",
    "rotate",
    "ten_crop",
    "to_pil",
    "to_tensor",
    "to_type",
    "vertical_flip",
]

Size = int | Sequence[int]
decode = decode_with_pil
augment_error_message = "img has to be a PIL image, not {}: Decode() makes one of a file's bytes, ToPIL() of an array."


def is_numpy(img: Any) -> bool:
    """Whether something is an array."""
    return isinstance(img, np.ndarray)


def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    """Adjust the brightness of a PIL image."""
    return adjust.adjust_brightness(base.pil_of(img), brightness_factor)


def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    """Adjust the contrast of a PIL image."""
    return adjust.adjust_contrast(base.pil_of(img), contrast_factor)


def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    """Adjust the saturation of a PIL image."""
    return adjust.adjust_saturation(base.pil_of(img), saturation_factor)


def adjust_hue(img: Any, hue_factor: float) -> Any:
    """Adjust the hue of a PIL image."""
    return adjust.adjust_hue(base.pil_of(img), adjust.AdjustHue(hue_factor).factor)


def adjust_gamma(img: Any, gamma: float, gain: float) -> Any:
    """Correct the gamma of a PIL image."""
    return AdjustGamma(gamma, gain).transform_value(base.pil_of(img))


def auto_contrast(img: Any, cutoff: float, ignore: Any) -> Any:
    """Stretch the values of a PIL image."""
    return AutoContrast(cutoff, ignore).transform_value(base.pil_of(img))


def equalize(img: Any) -> Any:
    """Equalize the histogram of a PIL image."""
    return Equalize().transform_value(base.pil_of(img))


def invert_color(img: Any) -> Any:
    """Invert a PIL image."""
    return Invert().transform_value(base.pil_of(img))


def grayscale(img: Any, num_output_channels: int) -> Any:
    """Convert a PIL image to greyscale."""
    return Grayscale(num_output_channels).transform_value(img)


def horizontal_flip(img: Any) -> Any:
    """Flip a PIL image horizontally."""
    return flip_image(base.pil_of(img), 1, "horizontal_flip")


def vertical_flip(img: Any) -> Any:
    """Flip a PIL image vertically."""
    return flip_image(base.pil_of(img), 0, "vertical_flip")


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """Crop a PIL image."""
    return crop_image(base.pil_of(img), top, left, height, width, "crop")


def center_crop(img: Any, size: Size) -> Any:
    """Crop the centre of a PIL image."""
    return CenterCrop(size).transform_value(base.pil_of(img))


def five_crop(img: Any, size: Size) -> Any:
    """Crop the corners and the centre of a PIL image."""
    return multi_crop.FiveCrop(size)(img)


def ten_crop(img: Any, size: Size, use_vertical_flip: bool = False) -> Any:
    """Crop the corners and the centre of a PIL image, and of the flipped one."""
    return multi_crop.TenCrop(size, use_vertical_flip)(img)


def resize(img: Any, size: Size, interpolation: int = Inter.BILINEAR) -> Any:
    """Resize a PIL image; an int is the shorter side. `interpolation` is Pillow's number."""
    columns, rows = base.pil_of(img).size
    if isinstance(size, int):
        size = (size, int(size * columns / rows)) if rows <= columns else (int(size * rows / columns), size)
    return img.resize(tuple(size)[::-1], interpolation)


def rotate(img: Any, angle: float, resample: int, expand: bool, center: Any, fill_value: Any) -> Any:
    """Rotate a PIL image counter-clockwise; `resample` is Pillow's number."""
    fill = (fill_value,) * 3 if isinstance(fill_value, int) else tuple(fill_value)
    return base.pil_of(img).rotate(angle % 360.0, resample, expand, center, fillcolor=fill)


def pad(img: Any, padding: Size, fill_value: Any, padding_mode: str) -> Any:
    """Pad a PIL image."""
    return Pad(padding, fill_value, Border(padding_mode)).transform_value(base.pil_of(img))


def perspective(img: Any, start_points: Any, end_points: Any, interpolation: int = Inter.BICUBIC) -> Any:
    """Transform a PIL image so that four points come to lie on four others; `interpolation` is Pillow's number."""
    ways = {number: way for way, number in base.PIL_RESAMPLING.items()}
    return Perspective(start_points, end_points, ways[int(interpolation)]).transform_value(base.pil_of(img))


def to_pil(img: Any) -> Any:
    """Convert an array to a PIL image."""
    return ToPIL().transform_value(img)


def to_tensor(img: Any, output_type: Any) -> np.ndarray:
    """Convert an image to planes, divided by 255."""
    return r1_10.DividedToTensor(output_type).transform_value(img)


def to_type(img: Any, output_type: Any) -> np.ndarray:
    """Cast an array."""
    return r1_10.OutputToType(output_type).transform_value(img)


def hwc_to_chw(img: Any) -> np.ndarray:
    """Transpose an array (H, W, C) to (C, H, W)."""
    return HWC2CHW().transform_value(img)


def rgb_to_bgrs(np_rgb_imgs: Any, is_hwc: bool) -> np.ndarray:
    """Reverse the channels of an array."""
    return r1_10.PlanesToBgr(is_hwc).transform_value(np_rgb_imgs)


def rgb_to_hsvs(np_rgb_imgs: Any, is_hwc: bool) -> np.ndarray:
    """Convert an array from RGB to HSV."""
    return hsv.RgbToHsv(is_hwc).transform_value(np_rgb_imgs)


def hsv_to_rgbs(np_hsv_imgs: Any, is_hwc: bool) -> np.ndarray:
    """Convert an array from HSV to RGB."""
    return hsv.HsvToRgb(is_hwc).transform_value(np_hsv_imgs)


def linear_transform(np_img: Any, transformation_matrix: np.ndarray, mean_vector: np.ndarray) -> np.ndarray:
    """Multiply an array by a matrix."""
    return whitening.LinearTransformation(transformation_matrix, mean_vector).transform_value(np_img)


def erase(
    np_img: np.ndarray, i: int, j: int, height: int, width: int, erase_value: Any, inplace: bool = False
) -> np.ndarray:
    """Fill a rectangle of an array (C, H, W)."""
    erased = np_img if inplace else np_img.copy()
    erased[:, i : i + height, j : j + width] = erase_value
    return erased
