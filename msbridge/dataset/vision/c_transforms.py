"""Image transforms under the names of r1.x, arrays in and out.

Follows: mindspore.dataset.vision.c_transforms (1.10).
"""

from msbridge.dataset.vision.affine import RandomAffine, RandomRotation, Rotate
from msbridge.dataset.vision.boxes import *
from msbridge.dataset.vision.color import *
from msbridge.dataset.vision.crop import *
from msbridge.dataset.vision.cutout import *
from msbridge.dataset.vision.decode import DecodeArray as Decode
from msbridge.dataset.vision.enums import *
from msbridge.dataset.vision.flip import *
from msbridge.dataset.vision.gamma import *
from msbridge.dataset.vision.histogram import *
from msbridge.dataset.vision.legacy import PixelsToBgr as RgbToBgr
from msbridge.dataset.vision.mix import CutMixBatch, MixUpBatch
from msbridge.dataset.vision.numeric import *
from msbridge.dataset.vision.pad import *
from msbridge.dataset.vision.policies import AutoAugment, RandomSelectSubpolicy, UniformAugment
from msbridge.dataset.vision.resize import *
from msbridge.dataset.vision.several import SlicePatches
from msbridge.dataset.vision.sharpness import *
