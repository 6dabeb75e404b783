"""Primitives of each element."""

from msbridge.core.tensor import Tensor
from msbridge.ops import creation, elementwise, trigonometry
from msbridge.ops.primitive import derive

__all__ = [
    "ACos",
    "Abs",
    "Acosh",
    "Angle",
    "Asin",
    "Asinh",
    "Atan",
    "Atanh",
    "Cast",
    "Ceil",
    "Complex",
    "ComplexAbs",
    "Conj",
    "Cos",
    "Cosh",
    "Eps",
    "Exp",
    "Expm1",
    "Floor",
    "Imag",
    "Inv",
    "IsFinite",
    "IsInf",
    "IsNan",
    "Log",
    "Log1p",
    "Logit",
    "NanToNum",
    "Neg",
    "Polar",
    "Real",
    "Reciprocal",
    "Rint",
    "Round",
    "Rsqrt",
    "Sign",
    "Sin",
    "Sinh",
    "Sqrt",
    "Square",
    "Tan",
    "Trunc",
]


def _logit(x: Tensor, eps: float = -1.0) -> Tensor:
    """Give log(x / (1 - x)); a negative `eps` bounds nothing."""
    return elementwise.logit(x, None if eps < 0 else eps)


ACos = derive("ACos", trigonometry.acos)
Abs = derive("Abs", elementwise.abs)
Acosh = derive("Acosh", trigonometry.acosh)
Angle = derive("Angle", elementwise.angle)
Asin = derive("Asin", trigonometry.asin)
Asinh = derive("Asinh", trigonometry.asinh)
Atan = derive("Atan", trigonometry.atan)
Atanh = derive("Atanh", trigonometry.atanh)
Cast = derive("Cast", elementwise.cast)
Ceil = derive("Ceil", elementwise.ceil)
Complex = derive("Complex", elementwise.complex)
ComplexAbs = derive("ComplexAbs", elementwise.complex_abs)
Conj = derive("Conj", elementwise.conj)
Cos = derive("Cos", trigonometry.cos)
Cosh = derive("Cosh", trigonometry.cosh)
Eps = derive("Eps", creation.eps)
Exp = derive("Exp", elementwise.exp)
Expm1 = derive("Expm1", elementwise.expm1)
Floor = derive("Floor", elementwise.floor)
Imag = derive("Imag", elementwise.imag)
Inv = derive("Inv", elementwise.inv)
IsFinite = derive("IsFinite", elementwise.isfinite)
IsInf = derive("IsInf", elementwise.isinf)
IsNan = derive("IsNan", elementwise.isnan)
Log = derive("Log", elementwise.log)
Log1p = derive("Log1p", elementwise.log1p)
Logit = derive("Logit", _logit, {"eps": -1.0})
NanToNum = derive("NanToNum", elementwise.nan_to_num, {"nan": None, "posinf": None, "neginf": None})
Neg = derive("Neg", elementwise.neg)
Polar = derive("Polar", elementwise.polar)
Real = derive("Real", elementwise.real)
Reciprocal = derive("Reciprocal", elementwise.reciprocal)
Rint = derive("Rint", elementwise.round)
Round = derive("Round", elementwise.round)
Rsqrt = derive("Rsqrt", elementwise.rsqrt)
Sign = derive("Sign", elementwise.sign)
Sin = derive("Sin", trigonometry.sin)
Sinh = derive("Sinh", trigonometry.sinh)
Sqrt = derive("Sqrt", elementwise.sqrt)
Square = derive("Square", elementwise.square)
Tan = derive("Tan", trigonometry.tan)
Trunc = derive("Trunc", elementwise.trunc)
