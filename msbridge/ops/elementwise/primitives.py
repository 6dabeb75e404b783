"""Primitives of each element."""

from msbridge.core.tensor import Tensor
from msbridge.ops.creation import functions as creation
from msbridge.ops.elementwise import functions as elementwise
from msbridge.ops.primitive import derive
from msbridge.ops.trigonometry import functions as trigonometry


def _logit(x: Tensor, eps: float = -1.0) -> Tensor:
    """Give log(x / (1 - x)); a negative `eps` bounds nothing."""
    return elementwise.logit(x, None if eps < 0 else eps)


DERIVED = (
    derive("ACos", trigonometry.acos),
    derive("Abs", elementwise.abs),
    derive("Acosh", trigonometry.acosh),
    derive("Angle", elementwise.angle),
    derive("Asin", trigonometry.asin),
    derive("Asinh", trigonometry.asinh),
    derive("Atan", trigonometry.atan),
    derive("Atanh", trigonometry.atanh),
    derive("Cast", elementwise.cast),
    derive("Ceil", elementwise.ceil),
    derive("Complex", elementwise.complex),
    derive("ComplexAbs", elementwise.complex_abs),
    derive("Conj", elementwise.conj),
    derive("Cos", trigonometry.cos),
    derive("Cosh", trigonometry.cosh),
    derive("Eps", creation.eps),
    derive("Exp", elementwise.exp),
    derive("Expm1", elementwise.expm1),
    derive("Floor", elementwise.floor),
    derive("Imag", elementwise.imag),
    derive("Inv", elementwise.inv),
    derive("IsFinite", elementwise.isfinite),
    derive("IsInf", elementwise.isinf),
    derive("IsNan", elementwise.isnan),
    derive("Log", elementwise.log),
    derive("Log1p", elementwise.log1p),
    derive("Logit", _logit, "eps"),
    derive("NanToNum", elementwise.nan_to_num, "nan posinf neginf"),
    derive("Neg", elementwise.neg),
    derive("Polar", elementwise.polar),
    derive("Real", elementwise.real),
    derive("Reciprocal", elementwise.reciprocal),
    derive("Rint", elementwise.round),
    derive("Round", elementwise.round),
    derive("Rsqrt", elementwise.rsqrt),
    derive("Sign", elementwise.sign),
    derive("Sin", trigonometry.sin),
    derive("Sinh", trigonometry.sinh),
    derive("Sqrt", elementwise.sqrt),
    derive("Square", elementwise.square),
    derive("Tan", trigonometry.tan),
    derive("Trunc", elementwise.trunc),
)
