"""`mindspore.numpy`: the face of the operators with numpy's names, argument names and defaults."""

from msbridge.core.releases import overrides
from msbridge.core.runtime.shared_sections import expand
from msbridge.core.tensor import argument_checks
from msbridge.numpy import (
    arithmetic,
    arrangement,
    creation,
    diagonals,
    differences,
    dtypes,
    fft,
    grids,
    joining,
    logic,
    math,
    nan_reduction,
    padding,
    products,
    random,
    ranges,
    reduction,
    selection,
    shape,
    statistics,
    windows,
)
from msbridge.numpy._shared_docs import FAMILIES
from msbridge.numpy.dtypes import *
from msbridge.ops import contents

_FACES = (
    arithmetic,
    arrangement,
    creation,
    diagonals,
    differences,
    grids,
    joining,
    logic,
    math,
    nan_reduction,
    padding,
    products,
    random,
    ranges,
    reduction,
    selection,
    shape,
    statistics,
    windows,
)
_FUNCTIONS = contents.merge(_FACES)
for _function in _FUNCTIONS.values():
    _function.__doc__ = expand(_function.__doc__ or "", FAMILIES)
globals().update(_FUNCTIONS)
__all__ = [*dtypes.__all__, "fft", *sorted(_FUNCTIONS)]
overrides.follow("numpy", argument_checks.checking)
