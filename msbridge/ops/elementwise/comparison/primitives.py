"""Primitives of comparison, logic and bits."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.comparison import functions
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.reduction import functions as reduction


def _count_equal(x: Tensor, y: Tensor) -> Tensor:
    """Count the equal elements, shape (1,), in their dtype.

    Args:
        x: any shape and dtype of numbers.
        y: of the same shape and dtype.

    Returns:
        A Tensor of shape (1,) and the dtype of `x`.
    """
    return reduction.count_nonzero(functions.equal(x.reshape(-1), y.reshape(-1)), 0, True, x.dtype)


DERIVED = (
    derive("ApproximateEqual", functions.approximate_equal, "tolerance"),
    derive("BitwiseAnd", functions.bitwise_and),
    derive("BitwiseOr", functions.bitwise_or),
    derive("BitwiseXor", functions.bitwise_xor),
    derive("Equal", functions.equal),
    derive("EqualCount", _count_equal),
    derive("Greater", functions.greater),
    derive("GreaterEqual", functions.greater_equal),
    derive("Invert", functions.invert),
    derive("IsClose", functions.isclose, "rtol atol equal_nan"),
    derive("LeftShift", functions.bitwise_left_shift),
    derive("Less", functions.less),
    derive("LessEqual", functions.less_equal),
    derive("LogicalAnd", functions.logical_and),
    derive("LogicalNot", functions.logical_not),
    derive("LogicalOr", functions.logical_or),
    derive("LogicalXor", functions.logical_xor),
    derive("NotEqual", functions.not_equal),
    derive("PopulationCount", functions.population_count),
    derive("RightShift", functions.bitwise_right_shift),
)
