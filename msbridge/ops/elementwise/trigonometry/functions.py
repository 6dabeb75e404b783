"""Trigonometric and hyperbolic functions of each element."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import unary

sin = define(unary, torch.sin, "Return the sine.")
cos = define(unary, torch.cos, "Return the cosine.")
tan = define(unary, torch.tan, "Return the tangent.")
asin = define(unary, torch.asin, "Return the inverse sine.")
acos = define(unary, torch.acos, "Return the inverse cosine.")
atan = define(unary, torch.atan, "Return the inverse tangent.")
sinh = define(unary, torch.sinh, "Return the hyperbolic sine.")
cosh = define(unary, torch.cosh, "Return the hyperbolic cosine.")
asinh = define(unary, torch.asinh, "Return the inverse hyperbolic sine.")
acosh = define(unary, torch.acosh, "Return the inverse hyperbolic cosine.")
atanh = define(unary, torch.atanh, "Return the inverse hyperbolic tangent.")
deg2rad = define(unary, torch.deg2rad, "Turn degrees into radians.", "x")
rad2deg = define(unary, torch.rad2deg, "Turn radians into degrees.", "x")


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
