"""Transforms of images.

Follows: mindspore.dataset.vision (2.10).
"""

from msbridge.dataset.vision.color import *
from msbridge.dataset.vision.crop import *
from msbridge.dataset.vision.cutout import *
from msbridge.dataset.vision.decode import *
from msbridge.dataset.vision.enums import *
from msbridge.dataset.vision.flip import *
from msbridge.dataset.vision.histogram import *
from msbridge.dataset.vision.numeric import *
from msbridge.dataset.vision.pad import *
from msbridge.dataset.vision.pil import *
from msbridge.dataset.vision.resize import *
