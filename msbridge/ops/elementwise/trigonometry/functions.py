"""Trigonometric and hyperbolic functions of each element."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import unary


def sin(input: Tensor) -> Tensor:
    """Return the sine.

    Follows: mindspore.ops.sin (2.10).
    """
    return unary(torch.sin, "sin", input)


def cos(input: Tensor) -> Tensor:
    """Return the cosine.

    Follows: mindspore.ops.cos (2.10).
    """
    return unary(torch.cos, "cos", input)


def tan(input: Tensor) -> Tensor:
    """Return the tangent.

    Follows: mindspore.ops.tan (2.10).
    """
    return unary(torch.tan, "tan", input)


def asin(input: Tensor) -> Tensor:
    """Return the inverse sine.

    Follows: mindspore.ops.asin (2.10).
    """
    return unary(torch.asin, "asin", input)


def acos(input: Tensor) -> Tensor:
    """Return the inverse cosine.

    Follows: mindspore.ops.acos (2.10).
    """
    return unary(torch.acos, "acos", input)


def atan(input: Tensor) -> Tensor:
    """Return the inverse tangent.

    Follows: mindspore.ops.atan (2.10).
    """
    return unary(torch.atan, "atan", input)


def sinh(input: Tensor) -> Tensor:
    """Return the hyperbolic sine.

    Follows: mindspore.ops.sinh (2.10).
    """
    return unary(torch.sinh, "sinh", input)


def cosh(input: Tensor) -> Tensor:
    """Return the hyperbolic cosine.

    Follows: mindspore.ops.cosh (2.10).
    """
    return unary(torch.cosh, "cosh", input)


def asinh(input: Tensor) -> Tensor:
    """Return the inverse hyperbolic sine.

    Follows: mindspore.ops.asinh (2.10).
    """
    return unary(torch.asinh, "asinh", input)


def acosh(input: Tensor) -> Tensor:
    """Return the inverse hyperbolic cosine.

    Follows: mindspore.ops.acosh (2.10).
    """
    return unary(torch.acosh, "acosh", input)


def atanh(input: Tensor) -> Tensor:
    """Return the inverse hyperbolic tangent.

    Follows: mindspore.ops.atanh (2.10).
    """
    return unary(torch.atanh, "atanh", input)


def deg2rad(x: Tensor) -> Tensor:
    """Turn degrees into radians.

    Follows: mindspore.ops.deg2rad (2.10).
    """
    return unary(torch.deg2rad, "deg2rad", x)


def rad2deg(x: Tensor) -> Tensor:
    """Turn radians into degrees.

    Follows: mindspore.ops.rad2deg (2.10).
    """
    return unary(torch.rad2deg, "rad2deg", x)


arccos = acos


arccosh = acosh


def arcsin(x: Tensor) -> Tensor:
    """Return the angle in radians, in [-π/2, π/2], whose sine is `x`.

    Follows: mindspore.ops.arcsin (2.10).
    """
    return asin(x)


arcsinh = asinh


arctan = atan


arctanh = atanh
