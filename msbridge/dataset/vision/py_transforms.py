"""Image transforms under the names of r1.x, PIL images in and out until `ToTensor`; `Normalize` takes (C, H, W).

Follows: mindspore.dataset.vision.py_transforms (1.10).
"""

from msbridge.dataset.transforms.compose import PyCompose as Compose
from msbridge.dataset.transforms.compose import RandomApply, RandomChoice, RandomOrder
from msbridge.dataset.vision.augmentation.cutout import PlanesCutOut as Cutout
from msbridge.dataset.vision.augmentation.erasing import RandomErasing
from msbridge.dataset.vision.augmentation.mixup import MixUp
from msbridge.dataset.vision.augmentation.policies import UniformAugment
from msbridge.dataset.vision.base import not_random
from msbridge.dataset.vision.codecs.decode import DecodePIL as Decode
from msbridge.dataset.vision.codecs.pil_images import *
from msbridge.dataset.vision.color.adjust import RandomColor, RandomColorAdjust
from msbridge.dataset.vision.color.gamma import *
from msbridge.dataset.vision.color.histogram import AutoContrast, Equalize, Invert
from msbridge.dataset.vision.color.hsv import *
from msbridge.dataset.vision.color.pixel_values import HWC2CHW
from msbridge.dataset.vision.color.pixel_values import PlanesNormalize as Normalize
from msbridge.dataset.vision.color.sharpness import RandomSharpness
from msbridge.dataset.vision.color.whitening import *
from msbridge.dataset.vision.enums import Border, Inter
from msbridge.dataset.vision.geometry.affine import RandomAffine, RandomRotation
from msbridge.dataset.vision.geometry.crop import CenterCrop, RandomCrop, RandomResizedCrop
from msbridge.dataset.vision.geometry.flip import RandomHorizontalFlip, RandomVerticalFlip
from msbridge.dataset.vision.geometry.multi_crop import FiveCrop, TenCrop
from msbridge.dataset.vision.geometry.pad import Pad
from msbridge.dataset.vision.geometry.perspective import RandomPerspective
from msbridge.dataset.vision.geometry.resize import Resize
from msbridge.dataset.vision.legacy.r1_10 import DividedToTensor as ToTensor
from msbridge.dataset.vision.legacy.r1_10 import OutputToType as ToType
from msbridge.dataset.vision.legacy.r1_10 import PlanesNormalizePad as NormalizePad
from msbridge.dataset.vision.legacy.r1_10 import PlanesToBgr as RgbToBgr
