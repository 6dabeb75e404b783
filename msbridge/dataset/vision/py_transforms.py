"""Image transforms under the names of r1.x, PIL images in and out until `ToTensor`; `Normalize` takes (C, H, W).

Follows: mindspore.dataset.vision.py_transforms (1.10).
"""

from msbridge.dataset.transforms.compose import *
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
from msbridge.dataset.vision.pil import *
from msbridge.dataset.vision.resize import Resize
