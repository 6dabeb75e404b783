"""Image transforms under the names of r1.x, arrays in and out.

Follows: mindspore.dataset.vision.c_transforms (1.10).
"""

from msbridge.dataset.vision.color import *
from msbridge.dataset.vision.crop import *
from msbridge.dataset.vision.cutout import *
from msbridge.dataset.vision.decode import DecodeArray as Decode
from msbridge.dataset.vision.enums import *
from msbridge.dataset.vision.flip import *
from msbridge.dataset.vision.histogram import *
from msbridge.dataset.vision.numeric import *
from msbridge.dataset.vision.pad import *
from msbridge.dataset.vision.resize import *
