"""Transforms of images.

Follows: mindspore.dataset.vision (2.10).
"""

from msbridge.dataset.vision.color import (
    AdjustBrightness,
    AdjustContrast,
    AdjustHue,
    AdjustSaturation,
    ConvertColor,
    RandomColorAdjust,
)
from msbridge.dataset.vision.crop import CenterCrop, Crop, RandomCrop, RandomCropDecodeResize, RandomResizedCrop
from msbridge.dataset.vision.cutout import CutOut
from msbridge.dataset.vision.decode import Decode
from msbridge.dataset.vision.enums import Border, ConvertMode, ImageBatchFormat, ImageReadMode, Inter
from msbridge.dataset.vision.flip import HorizontalFlip, RandomHorizontalFlip, RandomVerticalFlip, VerticalFlip
from msbridge.dataset.vision.histogram import (
    AutoContrast,
    Equalize,
    Invert,
    Posterize,
    RandomAutoContrast,
    RandomEqualize,
    RandomInvert,
    RandomPosterize,
    RandomSolarize,
    Solarize,
)
from msbridge.dataset.vision.numeric import HWC2CHW, Normalize, NormalizePad, Rescale, ToTensor, ToType
from msbridge.dataset.vision.pad import Pad, PadToSize
from msbridge.dataset.vision.pil import Grayscale, RandomGrayscale, ToNumpy, ToPIL
from msbridge.dataset.vision.resize import RandomResize, Resize, ResizedCrop

__all__ = [
    "HWC2CHW",
    "AdjustBrightness",
    "AdjustContrast",
    "AdjustHue",
    "AdjustSaturation",
    "AutoContrast",
    "Border",
    "CenterCrop",
    "ConvertColor",
    "ConvertMode",
    "Crop",
    "CutOut",
    "Decode",
    "Equalize",
    "Grayscale",
    "HorizontalFlip",
    "ImageBatchFormat",
    "ImageReadMode",
    "Inter",
    "Invert",
    "Normalize",
    "NormalizePad",
    "Pad",
    "PadToSize",
    "Posterize",
    "RandomAutoContrast",
    "RandomColorAdjust",
    "RandomCrop",
    "RandomCropDecodeResize",
    "RandomEqualize",
    "RandomGrayscale",
    "RandomHorizontalFlip",
    "RandomInvert",
    "RandomPosterize",
    "RandomResize",
    "RandomResizedCrop",
    "RandomSolarize",
    "RandomVerticalFlip",
    "Rescale",
    "Resize",
    "ResizedCrop",
    "Solarize",
    "ToNumpy",
    "ToPIL",
    "ToTensor",
    "ToType",
    "VerticalFlip",
]
