"""Image transforms under the names of r1.x, PIL images in and out until `ToTensor`; `Normalize` takes (C, H, W).

Follows: mindspore.dataset.vision.py_transforms (1.10).
"""

from msbridge.dataset.transforms.compose import Compose, RandomApply, RandomChoice, RandomOrder
from msbridge.dataset.vision.color import RandomColorAdjust
from msbridge.dataset.vision.crop import CenterCrop, RandomCrop, RandomResizedCrop
from msbridge.dataset.vision.cutout import PlanesCutOut as Cutout
from msbridge.dataset.vision.decode import DecodePIL as Decode
from msbridge.dataset.vision.enums import Border, Inter
from msbridge.dataset.vision.flip import RandomHorizontalFlip, RandomVerticalFlip
from msbridge.dataset.vision.histogram import AutoContrast, Equalize, Invert
from msbridge.dataset.vision.numeric import HWC2CHW, ToTensor, ToType
from msbridge.dataset.vision.numeric import PlanesNormalize as Normalize
from msbridge.dataset.vision.pad import Pad
from msbridge.dataset.vision.pil import Grayscale, RandomGrayscale, ToNumpy, ToPIL
from msbridge.dataset.vision.resize import Resize

__all__ = [
    "HWC2CHW",
    "AutoContrast",
    "Border",
    "CenterCrop",
    "Compose",
    "Cutout",
    "Decode",
    "Equalize",
    "Grayscale",
    "Inter",
    "Invert",
    "Normalize",
    "Pad",
    "RandomApply",
    "RandomChoice",
    "RandomColorAdjust",
    "RandomCrop",
    "RandomGrayscale",
    "RandomHorizontalFlip",
    "RandomOrder",
    "RandomResizedCrop",
    "RandomVerticalFlip",
    "Resize",
    "ToNumpy",
    "ToPIL",
    "ToTensor",
    "ToType",
]
