"""Functions of `mint` under torch's argument names."""

from msbridge.ops.contents import same
from msbridge.ops.elementwise.special import functions

SAME = same(functions, "erf erfc erfinv sinc")
