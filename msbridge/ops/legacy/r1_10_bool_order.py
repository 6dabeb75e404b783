"""Operators of Tensors of 1.10: those of order and the quotient refuse two operands of Bool."""

from msbridge.ops.legacy.r2_0_arithmetic import div, dividing
from msbridge.ops.legacy.r2_0_bool_arithmetic import of_tensors, refuse_bools, take_lists

OVERRIDES = {
    "Tensor.__lt__": of_tensors("__ge__", "__gt__", "__le__", "__lt__"),
    "Tensor.__rtruediv__": refuse_bools(take_lists(dividing)),
    "Tensor.__truediv__": refuse_bools(take_lists(div)),
}
