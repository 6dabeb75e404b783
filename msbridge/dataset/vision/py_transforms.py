"""Image transforms under the names of r1.x, PIL images in and out until `ToTensor`; `Normalize` takes (C, H, W).

Follows: mindspore.dataset.vision.py_transforms (1.10).
"""

from msbridge.dataset.transforms.base import not_random
from msbridge.dataset.transforms.compose import PyCompose as Compose
from msbridge.dataset.transforms.compose import RandomApply, RandomChoice, RandomOrder
from msbridge.dataset.vision.affine import RandomAffine, RandomRotation
from msbridge.dataset.vision.color import RandomColor, RandomColorAdjust
from msbridge.dataset.vision.crop import CenterCrop, RandomCrop, RandomResizedCrop
from msbridge.dataset.vision.cutout import PlanesCutOut as Cutout
from msbridge.dataset.vision.decode import DecodePIL as Decode
from msbridge.dataset.vision.enums import Border, Inter
from msbridge.dataset.vision.erase import RandomErasing
from msbridge.dataset.vision.flip import RandomHorizontalFlip, RandomVerticalFlip
from msbridge.dataset.vision.gamma import *
from msbridge.dataset.vision.histogram import AutoContrast, Equalize, Invert
from msbridge.dataset.vision.hsv import *
from msbridge.dataset.vision.legacy import DividedToTensor as ToTensor
from msbridge.dataset.vision.legacy import OutputToType as ToType
from msbridge.dataset.vision.legacy import PlanesNormalizePad as NormalizePad
from msbridge.dataset.vision.legacy import PlanesToBgr as RgbToBgr
from msbridge.dataset.vision.mix import MixUp
from msbridge.dataset.vision.numeric import HWC2CHW
from msbridge.dataset.vision.numeric import PlanesNormalize as Normalize
from msbridge.dataset.vision.pad import Pad
from msbridge.dataset.vision.perspective import RandomPerspective
from msbridge.dataset.vision.pil import *
from msbridge.dataset.vision.policies import UniformAugment
from msbridge.dataset.vision.resize import Resize
from msbridge.dataset.vision.several import FiveCrop, TenCrop
from msbridge.dataset.vision.sharpness import RandomSharpness
from msbridge.dataset.vision.whitening import *
