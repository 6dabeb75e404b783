"""Trigonometric and hyperbolic functions of each element."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import unary

sin = define(unary, torch.sin, "Return the sine.", dtypes="any -> float")
cos = define(unary, torch.cos, "Return the cosine.", dtypes="any -> float")
tan = define(unary, torch.tan, "Return the tangent.", dtypes="any -> float")
asin = define(unary, torch.asin, "Return the inverse sine.", dtypes="any -> float")
acos = define(unary, torch.acos, "Return the inverse cosine.", dtypes="any -> float")
atan = define(unary, torch.atan, "Return the inverse tangent.", dtypes="any -> float")
sinh = define(unary, torch.sinh, "Return the hyperbolic sine.", dtypes="any -> float")
cosh = define(unary, torch.cosh, "Return the hyperbolic cosine.", dtypes="any -> float")
asinh = define(unary, torch.asinh, "Return the inverse hyperbolic sine.", dtypes="any -> float")
acosh = define(unary, torch.acosh, "Return the inverse hyperbolic cosine.", dtypes="any -> float")
atanh = define(unary, torch.atanh, "Return the inverse hyperbolic tangent.", dtypes="any -> float")
deg2rad = define(unary, torch.deg2rad, "Turn degrees into radians.", "x", dtypes="real -> float")
rad2deg = define(unary, torch.rad2deg, "Turn radians into degrees.", "x", dtypes="real -> float")


arccos = acos


arccosh = acosh


def arcsin(x: Tensor) -> Tensor:
    """Return the angle in radians, in [-π/2, π/2], whose sine is `x`.

    Args:
        x: any shape and dtype; NaN comes of real numbers outside [-1, 1].

    Returns:
        A Tensor of the shape and dtype of `x`; Float32 for integers and bools.

    Follows: mindspore.ops.arcsin (2.10).
    """
    return asin(x)


arcsinh = asinh


arctan = atan


arctanh = atanh
