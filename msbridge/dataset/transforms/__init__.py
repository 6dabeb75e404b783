"""Transforms of arrays of any meaning.

Follows: mindspore.dataset.transforms (2.10).
"""

from msbridge.dataset.transforms.arrays import *
from msbridge.dataset.transforms.base import *
from msbridge.dataset.transforms.cast import *
from msbridge.dataset.transforms.compose import *
