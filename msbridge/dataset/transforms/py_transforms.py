"""Transforms of arrays under the names of r1.x.

Follows: mindspore.dataset.transforms.py_transforms (1.10).
"""

from msbridge.dataset.transforms.arrays import OneHot as OneHotOp
from msbridge.dataset.transforms.compose import *
