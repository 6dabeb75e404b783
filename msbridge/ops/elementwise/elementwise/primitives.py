"""Primitives of each element."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.elementwise import functions, kernels
from msbridge.ops.primitive.primitive import derive


def _logit(x: Tensor, eps: float = -1.0) -> Tensor:
    """Return log(x / (1 - x)); a negative `eps` bounds nothing.

    Args:
        x: any shape; floats.
        eps: `x` is bounded to [eps, 1 - eps] first; a negative one does not bound.

    Returns:
        A Tensor of the shape and dtype of `x`.
    """
    return functions.logit(x, None if eps < 0 else eps)


def _round(input: Tensor, decimals: int = 0) -> Tensor:
    """Round to `decimals` places, halves to the even neighbour.

    Args:
        input: any shape; integers or floats.
        decimals: how many places; negative ones are before the point.

    Returns:
        A Tensor of the shape and dtype of `input`.
    """
    return functions.round(input, decimals=decimals)


DERIVED = (
    derive("Abs", functions.abs),
    derive("Angle", functions.angle),
    derive("Cast", functions.cast),
    derive("Ceil", functions.ceil),
    derive("Complex", kernels.complex),
    derive("ComplexAbs", kernels.complex_abs),
    derive("Conj", functions.conj),
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
    derive("Round", _round),
    derive("Rsqrt", functions.rsqrt),
    derive("Sign", functions.sign),
    derive("Sqrt", functions.sqrt),
    derive("Square", functions.square),
    derive("Trunc", functions.trunc),
)
