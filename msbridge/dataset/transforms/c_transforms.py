"""Transforms of arrays under the names of r1.x.

Follows: mindspore.dataset.transforms.c_transforms (1.10).
"""

from msbridge.dataset.transforms.arrays import *
from msbridge.dataset.transforms.base import TensorOperation
from msbridge.dataset.transforms.cast import *
from msbridge.dataset.transforms.compose import *
