"""Image transforms under the names of r1.x, arrays in and out.

Follows: mindspore.dataset.vision.c_transforms (1.10).
"""

from msbridge.dataset.vision.augmentation.cutout import *
from msbridge.dataset.vision.augmentation.mixup import CutMixBatch, MixUpBatch
from msbridge.dataset.vision.augmentation.policies import AutoAugment, RandomSelectSubpolicy, UniformAugment
from msbridge.dataset.vision.codecs.decode import DecodeArray as Decode
from msbridge.dataset.vision.color.adjust import *
from msbridge.dataset.vision.color.gamma import *
from msbridge.dataset.vision.color.histogram import *
from msbridge.dataset.vision.color.pixel_values import *
from msbridge.dataset.vision.color.sharpness import *
from msbridge.dataset.vision.enums import *
from msbridge.dataset.vision.geometry.affine import RandomAffine, RandomRotation, Rotate
from msbridge.dataset.vision.geometry.bounding_boxes import *
from msbridge.dataset.vision.geometry.crop import *
from msbridge.dataset.vision.geometry.flip import *
from msbridge.dataset.vision.geometry.multi_crop import SlicePatches
from msbridge.dataset.vision.geometry.pad import *
from msbridge.dataset.vision.geometry.resize import *
from msbridge.dataset.vision.legacy.r1_10 import PixelsToBgr as RgbToBgr
