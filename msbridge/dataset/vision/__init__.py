"""Transforms of images.

Follows: mindspore.dataset.vision (2.10).
"""

from msbridge.dataset.vision.augmentation.cutout import *
from msbridge.dataset.vision.augmentation.erasing import *
from msbridge.dataset.vision.augmentation.mixup import *
from msbridge.dataset.vision.augmentation.policies import *
from msbridge.dataset.vision.base import not_random
from msbridge.dataset.vision.codecs.decode import *
from msbridge.dataset.vision.codecs.image_files import *
from msbridge.dataset.vision.codecs.pil_images import *
from msbridge.dataset.vision.codecs.videos import *
from msbridge.dataset.vision.color.adjust import *
from msbridge.dataset.vision.color.gamma import *
from msbridge.dataset.vision.color.histogram import *
from msbridge.dataset.vision.color.hsv import *
from msbridge.dataset.vision.color.pixel_values import *
from msbridge.dataset.vision.color.sharpness import *
from msbridge.dataset.vision.color.whitening import *
from msbridge.dataset.vision.enums import *
from msbridge.dataset.vision.geometry.affine import *
from msbridge.dataset.vision.geometry.bounding_boxes import *
from msbridge.dataset.vision.geometry.crop import *
from msbridge.dataset.vision.geometry.flip import *
from msbridge.dataset.vision.geometry.multi_crop import *
from msbridge.dataset.vision.geometry.pad import *
from msbridge.dataset.vision.geometry.perspective import *
from msbridge.dataset.vision.geometry.resize import *
