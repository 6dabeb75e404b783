"""Image transforms under the names of r1.x, arrays in and out.

Follows: mindspore.dataset.vision.c_transforms (1.10).
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
from msbridge.dataset.vision.decode import DecodeArray as Decode
from msbridge.dataset.vision.enums import Border, ConvertMode, ImageBatchFormat, Inter
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
from msbridge.dataset.vision.numeric import HWC2CHW, Normalize, NormalizePad, Rescale
from msbridge.dataset.vision.pad import Pad, PadToSize
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
    "HorizontalFlip",
    "ImageBatchFormat",
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
    "VerticalFlip",
]
