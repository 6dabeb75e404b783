"""Primitives of two operands."""

from msbridge.ops import arithmetic
from msbridge.ops.primitive import derive

Add = derive("Add", arithmetic.add)
Mul = derive("Mul", arithmetic.mul)
Pow = derive("Pow", arithmetic.pow)
Sub = derive("Sub", arithmetic.sub)
TensorAdd = derive("TensorAdd", arithmetic.add)
