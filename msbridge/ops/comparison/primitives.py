"""Primitives of comparison, logic and bits."""

from msbridge.core.dtype import int32
from msbridge.core.tensor import Tensor
from msbridge.ops.comparison import functions as comparison
from msbridge.ops.primitive import derive
from msbridge.ops.reduction import functions as reduction


def _count_equal(x: Tensor, y: Tensor) -> Tensor:
    """Count the equal elements, shape (1,), Int32."""
    return reduction.count_nonzero(comparison.equal(x.reshape(-1), y.reshape(-1)), 0, True, int32)


DERIVED = (
    derive("ApproximateEqual", comparison.approximate_equal, "tolerance"),
    derive("BitwiseAnd", comparison.bitwise_and),
    derive("BitwiseOr", comparison.bitwise_or),
    derive("BitwiseXor", comparison.bitwise_xor),
    derive("Equal", comparison.equal),
    derive("EqualCount", _count_equal),
    derive("Greater", comparison.greater),
    derive("GreaterEqual", comparison.greater_equal),
    derive("Invert", comparison.invert),
    derive("IsClose", comparison.isclose, "rtol atol equal_nan"),
    derive("LeftShift", comparison.bitwise_left_shift),
    derive("Less", comparison.less),
    derive("LessEqual", comparison.less_equal),
    derive("LogicalAnd", comparison.logical_and),
    derive("LogicalNot", comparison.logical_not),
    derive("LogicalOr", comparison.logical_or),
    derive("LogicalXor", comparison.logical_xor),
    derive("NotEqual", comparison.not_equal),
    derive("RightShift", comparison.bitwise_right_shift),
)
