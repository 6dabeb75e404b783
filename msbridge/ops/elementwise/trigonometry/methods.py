"""Methods of Tensor."""

from msbridge.ops.contents import same
from msbridge.ops.elementwise.trigonometry import functions

SAME = same(
    functions,
    "acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cos cosh deg2rad rad2deg sin "
    "sinh tan",
)
