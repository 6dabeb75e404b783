"""Transforms of images.

Follows: mindspore.dataset.vision (2.10).
"""

from msbridge.dataset.transforms.base import not_random
from msbridge.dataset.vision.affine import *
from msbridge.dataset.vision.boxes import *
from msbridge.dataset.vision.color import *
from msbridge.dataset.vision.crop import *
from msbridge.dataset.vision.cutout import *
from msbridge.dataset.vision.decode import *
from msbridge.dataset.vision.enums import *
from msbridge.dataset.vision.erase import *
from msbridge.dataset.vision.files import *
from msbridge.dataset.vision.flip import *
from msbridge.dataset.vision.gamma import *
from msbridge.dataset.vision.histogram import *
from msbridge.dataset.vision.hsv import *
from msbridge.dataset.vision.mix import *
from msbridge.dataset.vision.numeric import *
from msbridge.dataset.vision.pad import *
from msbridge.dataset.vision.perspective import *
from msbridge.dataset.vision.pil import *
from msbridge.dataset.vision.policies import *
from msbridge.dataset.vision.resize import *
from msbridge.dataset.vision.several import *
from msbridge.dataset.vision.sharpness import *
from msbridge.dataset.vision.videos import *
from msbridge.dataset.vision.whitening import *
