"""Trigonometric and hyperbolic functions of each element."""

import torch

from msbridge.core.tensor import Tensor
from msbridge.ops.families import unary

__all__ = [
    "acos",
    "acosh",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cos",
    "cosh",
    "deg2rad",
    "rad2deg",
    "sin",
    "sinh",
    "tan",
]


def sin(input: Tensor) -> Tensor:
    """Give the sine.

    Follows: mindspore.ops.sin (2.10).
    """
    return unary(torch.sin, "sin", input)


def cos(input: Tensor) -> Tensor:
    """Give the cosine.

    Follows: mindspore.ops.cos (2.10).
    """
    return unary(torch.cos, "cos", input)


def tan(input: Tensor) -> Tensor:
    """Give the tangent.

    Follows: mindspore.ops.tan (2.10).
    """
    return unary(torch.tan, "tan", input)


def asin(input: Tensor) -> Tensor:
    """Give the inverse sine.

    Follows: mindspore.ops.asin (2.10).
    """
    return unary(torch.asin, "asin", input)


def acos(input: Tensor) -> Tensor:
    """Give the inverse cosine.

    Follows: mindspore.ops.acos (2.10).
    """
    return unary(torch.acos, "acos", input)


def atan(input: Tensor) -> Tensor:
    """Give the inverse tangent.

    Follows: mindspore.ops.atan (2.10).
    """
    return unary(torch.atan, "atan", input)


def sinh(input: Tensor) -> Tensor:
    """Give the hyperbolic sine.

    Follows: mindspore.ops.sinh (2.10).
    """
    return unary(torch.sinh, "sinh", input)


def cosh(input: Tensor) -> Tensor:
    """Give the hyperbolic cosine.

    Follows: mindspore.ops.cosh (2.10).
    """
    return unary(torch.cosh, "cosh", input)


def asinh(input: Tensor) -> Tensor:
    """Give the inverse hyperbolic sine.

    Follows: mindspore.ops.asinh (2.10).
    """
    return unary(torch.asinh, "asinh", input)


def acosh(input: Tensor) -> Tensor:
    """Give the inverse hyperbolic cosine.

    Follows: mindspore.ops.acosh (2.10).
    """
    return unary(torch.acosh, "acosh", input)


def atanh(input: Tensor) -> Tensor:
    """Give the inverse hyperbolic tangent.

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


arcsin = asin


arcsinh = asinh


arctan = atan


arctanh = atanh
