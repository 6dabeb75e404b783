"""Transforms of arrays under the names of r1.x.

Follows: mindspore.dataset.transforms.c_transforms (1.10).
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
from msbridge.dataset.transforms.cast import (
    TypeCast,
)
from msbridge.dataset.transforms.compose import (
    Compose,
    RandomApply,
    RandomChoice,
)

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
    "Relational",
    "Slice",
    "TypeCast",
    "Unique",
]
