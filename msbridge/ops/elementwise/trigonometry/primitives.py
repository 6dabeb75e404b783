"""Primitives of trigonometry."""

from msbridge.ops.elementwise.trigonometry import functions
from msbridge.ops.primitive.primitive import derive

DERIVED = (
    derive("ACos", functions.acos),
    derive("Acosh", functions.acosh),
    derive("Asin", functions.asin),
    derive("Asinh", functions.asinh),
    derive("Atan", functions.atan),
    derive("Atanh", functions.atanh),
    derive("Cos", functions.cos),
    derive("Cosh", functions.cosh),
    derive("Sin", functions.sin),
    derive("Sinh", functions.sinh),
    derive("Tan", functions.tan),
)
