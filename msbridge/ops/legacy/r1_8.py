"""Operators of 1.8: they refuse the numbers of numpy."""

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.ops.kernel_calls import families
from msbridge.ops.legacy.r2_0_arithmetic import refuse_numbers

OVERRIDES = {
    "Tensor.__add__": Part(families, "_operand", refuse_numbers(np.integer, np.bool_, np.float16, np.float32)),
}
