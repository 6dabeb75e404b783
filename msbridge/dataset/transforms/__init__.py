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
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "Relational",
    "Slice",
    "TypeCast",
    "Unique",
]
