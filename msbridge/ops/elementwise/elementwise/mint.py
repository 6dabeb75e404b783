"""Functions of `mint` under torch's argument names."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.elementwise.elementwise import functions


def frac(input: Tensor) -> Tensor:
    """Return what is behind the decimal point, with the sign of the number.

    Follows: mindspore.mint.frac (2.10).
    """
    return functions.frac(input)


def isnan(tensor: Tensor) -> Tensor:
    """Return a boolean tensor, true where an element is NaN.

    Follows: mindspore.mint.isnan (2.10).
    """
    return functions.isnan(tensor)


def sqrt(input: Tensor) -> Tensor:
    """Return the square root; integers give Float32.

    Follows: mindspore.mint.sqrt (2.10).
    """
    return functions.sqrt(input)


SAME = same(
    functions,
    "abs ceil clamp clip exp exp2 expm1 floor imag isfinite isinf isneginf log log10 log1p log2 "
    "nan_to_num neg negative polar real reciprocal round rsqrt sign square trunc",
) | {"fix": functions.trunc}
