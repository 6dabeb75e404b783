"""Compose of 2.0, called by hand: operators of C++ among others make it a C++ one, whose values are arrays."""

from typing import Any

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.dataset.transforms.base import as_input, eager_draw, is_pil
from msbridge.dataset.transforms.compose import Compose, call

TWOFOLD = frozenset(
    [
        *("AdjustBrightness", "AdjustContrast", "AdjustGamma", "AdjustHue", "AdjustSaturation", "AutoContrast"),
        *("CenterCrop", "Equalize", "Erase", "Invert", "OneHot", "Pad", "Perspective", "RandomAffine", "RandomColor"),
        *("RandomColorAdjust", "RandomCrop", "RandomHorizontalFlip", "RandomLighting", "RandomResizedCrop"),
        *("RandomRotation", "RandomSharpness", "RandomVerticalFlip", "Resize", "UniformAugment"),
    ]
)
"""Operators that have both forms and settle on none, by their names."""


def _call(self: Compose, *inputs: Any) -> Any:
    """Run all operations outside of a pipeline.

    Returns:
        What the last one returns: an array, unless all operations are those of Python and such as have both forms.
    """
    if _is_in_python(self) or (len(inputs) == 1 and is_pil(inputs[0])):
        return _today_call(self, *inputs)
    row, draw = tuple(map(as_input, inputs)), eager_draw()
    for number, operation in enumerate(self.parts()):
        result = call(operation, row, draw.child(number))
        row = tuple(map(np.asarray, result if isinstance(result, tuple) else (result,)))
    return row if len(row) > 1 else row[0]


def _is_in_python(composed: Compose) -> bool:
    """Whether one operation has only a form of Python, and none has only one of C++, as functions have."""
    if type(composed).python_only:
        return True
    decided = [each for each in composed.parts() if type(each).__name__ not in TWOFOLD]
    return bool(decided) and all(getattr(each, "python_only", False) for each in decided)


_today_call = Compose.__call__
OVERRIDES = {"dataset.transforms.Compose": Part(Compose, "__call__", _call)}
