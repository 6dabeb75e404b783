"""Methods of Tensor: the functions themselves where the arguments are the same."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.activation import functions as activation
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.elementwise.arithmetic.kernels import sub_data
from msbridge.ops.elementwise.combinations import functions as combinations
from msbridge.ops.elementwise.comparison import functions as comparison
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.elementwise.special import functions as special
from msbridge.ops.elementwise.trigonometry import functions as trigonometry
from msbridge.ops.faces import REQUIRED, face, same
from msbridge.ops.kernel_calls.families import Number, binary


def remainder(self: Tensor, other: Tensor | Number | None = None, *, divisor: Tensor | Number | None = None) -> Tensor:
    """Return the remainder of the division that rounds down; `divisor` is another name of `other`.

    Args:
        self: the dividend.
        other: the divisor, a Tensor that broadcasts against this one, or a number.
        divisor: another name of `other`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Follows: mindspore.Tensor.remainder (2.10).
    """
    return arithmetic.remainder(self, divisor if other is None else other)  # type: ignore[arg-type]


def add(self: Tensor, other: Any, alpha: Number = 1) -> Tensor:
    """Add `alpha * other`, element by element; a list or tuple counts as a Tensor of the same dtype.

    Args:
        self: one addend.
        other: the other: a Tensor that broadcasts against this one, a number, a list or a tuple.
        alpha: what `other` is multiplied by.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Follows: mindspore.Tensor.add (2.10).
    """
    return binary(torch.add, "Tensor.add", self, other) if alpha == 1 else arithmetic.add(self, other, alpha)


def sub(self: Tensor, other: Any = None, *, alpha: Number = 1, y: Any = None) -> Tensor:
    """Subtract `alpha * other`, element by element; `y` is another name of `other`, which may be a list or tuple.

    Args:
        self: the minuend.
        other: the subtrahend: a Tensor that broadcasts against this one, a number, a list or a tuple.
        alpha: what `other` is multiplied by.
        y: another name of `other`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Follows: mindspore.Tensor.sub (2.10).
    """
    other = other if y is None else y
    return binary(sub_data, "Tensor.sub", self, other) if alpha == 1 else arithmetic.sub(self, other, alpha)


def logical_and(self: Tensor, other: Any = None, *, y: Any = None) -> Tensor:
    """Return whether both are true, element by element; `y` is another name of `other`.

    Args:
        self: any shape and dtype.
        other: a Tensor that broadcasts against this one, or a bool.
        y: another name of `other`.

    Returns:
        A Tensor of the broadcast shape; Bool.

    Follows: mindspore.Tensor.logical_and (2.10).
    """
    return comparison.logical_and(self, other if y is None else y)


def logical_or(self: Tensor, other: Any = None, *, y: Any = None) -> Tensor:
    """Return whether one is true or both, element by element; `y` is another name of `other`.

    Args:
        self: any shape and dtype.
        other: a Tensor that broadcasts against this one, or a bool.
        y: another name of `other`.

    Returns:
        A Tensor of the broadcast shape; Bool.

    Follows: mindspore.Tensor.logical_or (2.10).
    """
    return comparison.logical_or(self, other if y is None else y)


def isclose(
    self: Tensor,
    other: Any = None,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
    *,
    x2: Any = None,
) -> Tensor:
    """Return whether elements differ by at most atol + rtol * |other|; `x2` is another name of `other`.

    Args:
        self: any shape.
        other: a Tensor that broadcasts against this one.
        rtol: the part of the tolerance that is relative to `other`.
        atol: the absolute part.
        equal_nan: whether NaN equals NaN.
        x2: another name of `other`.

    Returns:
        A Tensor of the broadcast shape; Bool.

    Follows: mindspore.Tensor.isclose (2.10).
    """
    return comparison.isclose(self, other if x2 is None else x2, rtol, atol, equal_nan)


FACES = (
    face("softmax", activation.softmax, "self axis dtype", axis=REQUIRED),
    face("multiply", arithmetic.multiply, "self value"),
    face("float_power", arithmetic.float_power, "self other"),
    face("true_divide", arithmetic.true_divide, "self other"),
    face("subtract", arithmetic.sub, "self other * alpha"),
    face("approximate_equal", comparison.approximate_equal, "self other tolerance"),
)
SAME = (
    same(activation, "hardshrink sigmoid soft_shrink tanh")
    | same(
        arithmetic,
        "arctan2 atan2 copysign div divide floor_divide fmax fmin fmod gcd heaviside hypot "
        "lcm logaddexp logaddexp2 maximum minimum mul nextafter pow xdivy xlogy",
    )
    | same(combinations, "addcdiv addcmul lerp")
    | same(
        comparison,
        "allclose bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor eq "
        "equal ge greater greater_equal gt invert is_complex is_floating_point isreal le less less_equal "
        "logical_not logical_xor lt ne not_equal",
    )
    | same(
        elementwise,
        "abs absolute angle ceil clamp clip conj exp expm1 floor frac imag inv isfinite isinf isnan "
        "isneginf isposinf ldexp log log10 log1p log2 logit nan_to_num neg negative positive real reciprocal round "
        "rsqrt sgn sign signbit sqrt square trunc type_as",
    )
    | same(special, "digamma erf erfc erfinv i0 igamma igammac lgamma mvlgamma sinc")
    | same(
        trigonometry,
        "acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh cos cosh deg2rad "
        "rad2deg sin sinh tan",
    )
)
