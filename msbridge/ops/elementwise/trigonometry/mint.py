"""Functions of `mint` under torch's argument names."""

from msbridge.ops.contents import same
from msbridge.ops.elementwise.trigonometry import functions

SAME = same(
    functions, "acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cos cosh sin sinh tan"
)
