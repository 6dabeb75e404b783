"""Functions of `mint` under torch's argument names."""

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.activation import functions as activation
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.elementwise.combinations import functions as combinations
from msbridge.ops.elementwise.comparison import functions as comparison
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.elementwise.special import functions as special
from msbridge.ops.elementwise.trigonometry import functions as trigonometry
from msbridge.ops.faces import REQUIRED, face, same


@explaining
def equal(input: Tensor, other: Tensor) -> bool:
    """Return whether shape and all elements are equal.

    Args:
        input: any shape and dtype.
        other: a Tensor.

    Returns:
        A bool, for which the host waits.

    Follows: mindspore.mint.equal (2.10).
    """
    return input._data.shape == other._data.shape and bool(comparison.equal(input, other)._data.all())


FACES = (
    face("softmax", activation.softmax, "input dim * dtype", dim=REQUIRED),
    face("addcmul", combinations.addcmul, "input tensor1 tensor2 * value"),
    face("addcdiv", combinations.addcdiv, "input tensor1 tensor2 * value"),
    face("div", arithmetic.div, "input other * rounding_mode"),
    face("frac", elementwise.frac, "input"),
    face("isnan", elementwise.isnan, "tensor"),
    face("sqrt", elementwise.sqrt, "input"),
)
SAME = (
    same(activation, "sigmoid tanh")
    | same(
        arithmetic,
        "add arctan2 atan2 divide float_power floor_divide fmod gcd logaddexp logaddexp2 maximum "
        "minimum mul pow remainder sub xlogy",
    )
    | same(combinations, "lerp")
    | same(
        comparison,
        "allclose bitwise_and bitwise_not bitwise_or bitwise_xor eq ge greater greater_equal gt isclose le "
        "less less_equal logical_and logical_not logical_or logical_xor lt ne not_equal",
    )
    | same(
        elementwise,
        "abs ceil clamp clip exp exp2 expm1 floor imag isfinite isinf isneginf log log10 log1p log2 "
        "nan_to_num neg negative polar real reciprocal round rsqrt sign square trunc",
    )
    | {"fix": elementwise.trunc}
    | same(special, "erf erfc erfinv sinc")
    | same(
        trigonometry,
        "acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cos cosh sin sinh tan",
    )
)
