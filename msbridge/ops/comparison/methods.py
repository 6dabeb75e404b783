"""Methods of Tensor."""

from msbridge.ops.comparison import functions
from msbridge.ops.contents import same

SAME = same(
    functions,
    "allclose approximate_equal bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift "
    "bitwise_xor eq equal ge greater greater_equal gt invert is_complex is_floating_point isclose isreal le "
    "less less_equal logical_and logical_not logical_or logical_xor lt ne not_equal",
)
