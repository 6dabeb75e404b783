"""Primitives of each element."""

from msbridge.core.tensor import Tensor
from msbridge.ops.creation import functions as creation
from msbridge.ops.elementwise import functions
from msbridge.ops.primitive import derive
from msbridge.ops.trigonometry import functions as trigonometry


def _logit(x: Tensor, eps: float = -1.0) -> Tensor:
    """Give log(x / (1 - x)); a negative `eps` bounds nothing."""
    return functions.logit(x, None if eps < 0 else eps)


DERIVED = (
    derive("ACos", trigonometry.acos),
    derive("Abs", functions.abs),
    derive("Acosh", trigonometry.acosh),
    derive("Angle", functions.angle),
    derive("Asin", trigonometry.asin),
    derive("Asinh", trigonometry.asinh),
    derive("Atan", trigonometry.atan),
    derive("Atanh", trigonometry.atanh),
    derive("Cast", functions.cast),
    derive("Ceil", functions.ceil),
    derive("Complex", functions.complex),
    derive("ComplexAbs", functions.complex_abs),
    derive("Conj", functions.conj),
    derive("Cos", trigonometry.cos),
    derive("Cosh", trigonometry.cosh),
    derive("Eps", creation.eps),
    derive("Exp", functions.exp),
    derive("Expm1", functions.expm1),
    derive("Floor", functions.floor),
    derive("Imag", functions.imag),
    derive("Inv", functions.inv),
    derive("IsFinite", functions.isfinite),
    derive("IsInf", functions.isinf),
    derive("IsNan", functions.isnan),
    derive("Log", functions.log),
    derive("Log1p", functions.log1p),
    derive("Logit", _logit, "eps"),
    derive("NanToNum", functions.nan_to_num, "nan posinf neginf"),
    derive("Neg", functions.neg),
    derive("Polar", functions.polar),
    derive("Real", functions.real),
    derive("Reciprocal", functions.reciprocal),
    derive("Rint", functions.round),
    derive("Round", functions.round),
    derive("Rsqrt", functions.rsqrt),
    derive("Sign", functions.sign),
    derive("Sin", trigonometry.sin),
    derive("Sinh", trigonometry.sinh),
    derive("Sqrt", functions.sqrt),
    derive("Square", functions.square),
    derive("Tan", trigonometry.tan),
    derive("Trunc", functions.trunc),
)
