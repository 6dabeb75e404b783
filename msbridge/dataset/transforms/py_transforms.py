"""Transforms of arrays under the names of r1.x.

Follows: mindspore.dataset.transforms.py_transforms (1.10).
"""

from msbridge.dataset.transforms.arrays import OneHotFloats as OneHotOp
from msbridge.dataset.transforms.base import *
from msbridge.dataset.transforms.compose import PyCompose as Compose
from msbridge.dataset.transforms.compose import RandomApply, RandomChoice, RandomOrder
