"""Methods of Tensor."""

from msbridge.ops.contents import same
from msbridge.ops.elementwise.special import functions

SAME = same(functions, "digamma erf erfc erfinv i0 igamma igammac lgamma mvlgamma sinc")
