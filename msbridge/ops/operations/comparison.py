"""Primitives of comparison, logic and bits."""

from msbridge.core.dtype import int32
from msbridge.core.tensor import Tensor
from msbridge.ops import comparison, reduction
from msbridge.ops.primitive import derive

__all__ = [
    "ApproximateEqual",
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "Equal",
    "EqualCount",
    "Greater",
    "GreaterEqual",
    "Invert",
    "IsClose",
    "LeftShift",
    "Less",
    "LessEqual",
    "LogicalAnd",
    "LogicalNot",
    "LogicalOr",
    "LogicalXor",
    "NotEqual",
    "RightShift",
]


def _count_equal(x: Tensor, y: Tensor) -> Tensor:
    """Count the equal elements, shape (1,), Int32."""
    return reduction.count_nonzero(comparison.equal(x.reshape(-1), y.reshape(-1)), 0, True, int32)


ApproximateEqual = derive("ApproximateEqual", comparison.approximate_equal, {"tolerance": 1e-05})
BitwiseAnd = derive("BitwiseAnd", comparison.bitwise_and)
BitwiseOr = derive("BitwiseOr", comparison.bitwise_or)
BitwiseXor = derive("BitwiseXor", comparison.bitwise_xor)
Equal = derive("Equal", comparison.equal)
EqualCount = derive("EqualCount", _count_equal)
Greater = derive("Greater", comparison.greater)
GreaterEqual = derive("GreaterEqual", comparison.greater_equal)
Invert = derive("Invert", comparison.invert)
IsClose = derive("IsClose", comparison.isclose, {"rtol": 1e-05, "atol": 1e-08, "equal_nan": False})
LeftShift = derive("LeftShift", comparison.bitwise_left_shift)
Less = derive("Less", comparison.less)
LessEqual = derive("LessEqual", comparison.less_equal)
LogicalAnd = derive("LogicalAnd", comparison.logical_and)
LogicalNot = derive("LogicalNot", comparison.logical_not)
LogicalOr = derive("LogicalOr", comparison.logical_or)
LogicalXor = derive("LogicalXor", comparison.logical_xor)
NotEqual = derive("NotEqual", comparison.not_equal)
RightShift = derive("RightShift", comparison.bitwise_right_shift)
