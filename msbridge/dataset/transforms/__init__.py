"""Transforms of arrays of any meaning.

Follows: mindspore.dataset.transforms (2.10).
"""

from msbridge.dataset.transforms.arrays import (
    Concatenate,
    Duplicate,
    Fill,
    Mask,
    OneHot,
    PadEnd,
    Relational,
    Slice,
    Unique,
)
from msbridge.dataset.transforms.base import PyTensorOperation, TensorOperation
from msbridge.dataset.transforms.cast import TypeCast
from msbridge.dataset.transforms.compose import Compose, RandomApply, RandomChoice, RandomOrder

__all__ = [
    "Compose",
    "Concatenate",
    "Duplicate",
    "Fill",
    "Mask",
    "OneHot",
    "PadEnd",
    "PyTensorOperation",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "Relational",
    "Slice",
    "TensorOperation",
    "TypeCast",
    "Unique",
]
