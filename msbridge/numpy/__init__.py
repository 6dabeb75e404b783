"""`mindspore.numpy`: the face of the operators with numpy's names, argument names and defaults."""

from msbridge.core.releases import overrides
from msbridge.core.tensor import argument_checks
from msbridge.numpy import (
    arithmetic,
    creation,
    diagonals,
    differences,
    dtypes,
    fft,
    grids,
    joining,
    logic,
    math,
    padding,
    products,
    random,
    reduction,
    selection,
    shape,
    statistics,
    windows,
)
from msbridge.numpy.dtypes import *
from msbridge.ops import contents

_FACES = (
    arithmetic,
    creation,
    diagonals,
    differences,
    grids,
    joining,
    logic,
    math,
    padding,
    products,
    random,
    reduction,
    selection,
    shape,
    statistics,
    windows,
)
_FUNCTIONS = contents.merge(_FACES)
globals().update(_FUNCTIONS)
__all__ = [*dtypes.__all__, "fft", *sorted(_FUNCTIONS)]
overrides.follow("numpy", argument_checks.checking)
