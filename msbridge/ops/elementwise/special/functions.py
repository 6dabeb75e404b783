"""Special functions of each element: error, gamma, zeta and Bessel functions."""

from functools import partial

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.special import bessel, incomplete
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import binary_tensors, unary, unary_with

erf = define(unary, torch.erf, "Return the Gauss error function.", dtypes="real -> float")
erfc = define(unary, torch.erfc, "Return 1 - erf(input).", dtypes="real -> float")
erfinv = define(unary, torch.erfinv, "Return the inverse of `erf`, defined in (-1, 1).", dtypes="real -> float")
sinc = define(unary, torch.sinc, "Return sin(πx) / (πx), and 1 at 0.", dtypes="any -> float")
lgamma = define(
    unary, torch.lgamma, "Return the logarithm of the absolute value of the gamma function.", dtypes="real -> float"
)
digamma = define(unary, torch.digamma, "Return the derivative of `lgamma`.", dtypes="real -> float")
i0 = define(
    unary, torch.special.i0, "Return the modified Bessel function of the first kind, order 0.", dtypes="real -> float"
)
bessel_i0 = define(
    unary,
    torch.special.i0,
    "Return the modified Bessel function of the first kind, order 0.",
    "x",
    name="bessel_i0",
    dtypes="real -> float",
)
bessel_i0e = define(
    unary, torch.special.i0e, "Return `bessel_i0` scaled by exp(-|x|).", "x", name="bessel_i0e", dtypes="real -> float"
)
bessel_i1 = define(
    unary,
    torch.special.i1,
    "Return the modified Bessel function of the first kind, order 1.",
    "x",
    name="bessel_i1",
    dtypes="real -> float",
)
bessel_i1e = define(
    unary, torch.special.i1e, "Return `bessel_i1` scaled by exp(-|x|).", "x", name="bessel_i1e", dtypes="real -> float"
)
_bessel = partial(
    define,
    unary,
    args="x: any shape; any dtype but BFloat16 and Complex.",
    returns="A Tensor of the shape and dtype of `x`; Float32 for integers and bools.",
)
bessel_j0 = _bessel(bessel.j0, "Return the Bessel function of the first kind, order 0.", "x", name="bessel_j0")
bessel_j1 = _bessel(bessel.j1, "Return the Bessel function of the first kind, order 1.", "x", name="bessel_j1")
bessel_y0 = _bessel(bessel.y0, "Return the Bessel function of the second kind, order 0.", "x", name="bessel_y0")
bessel_y1 = _bessel(bessel.y1, "Return the Bessel function of the second kind, order 1.", "x", name="bessel_y1")
bessel_k0 = _bessel(
    bessel.k0,
    "Return the modified Bessel function of the second kind, order 0.",
    "x",
    name="bessel_k0",
)
bessel_k0e = _bessel(bessel.k0e, "Return `bessel_k0` scaled by exp(x).", "x", name="bessel_k0e")
bessel_k1 = _bessel(
    bessel.k1,
    "Return the modified Bessel function of the second kind, order 1.",
    "x",
    name="bessel_k1",
)
bessel_k1e = _bessel(bessel.k1e, "Return `bessel_k1` scaled by exp(x).", "x", name="bessel_k1e")


def mvlgamma(input: Tensor, p: int) -> Tensor:
    """Return the logarithm of the gamma function of dimension `p`.

    Args:
        input: any shape; floats, each over (p - 1) / 2.
        p: the dimension, at least 1.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.mvlgamma (2.10).
    """
    return unary_with(torch.mvlgamma, "mvlgamma", input, p)


def polygamma(n: int | Tensor, input: Tensor) -> Tensor:
    """Return the n-th derivative of `digamma`.

    Args:
        n: the order, at least 0.
        input: any shape; floats.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.polygamma (2.10).
    """
    return unary(lambda data: torch.polygamma(int(n), data), "polygamma", input)


def igamma(input: Tensor, other: Tensor) -> Tensor:
    """Return the lower regularised incomplete gamma function P(input, other).

    Args:
        input: the parameter, positive: any shape; Float32 or Float64.
        other: the upper limit of the integral, not negative; broadcasts against `input`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Follows: mindspore.ops.igamma (2.10).
    """
    return binary_tensors(incomplete.lower, "igamma", input, other)


def igammac(input: Tensor, other: Tensor) -> Tensor:
    """Return the upper regularised incomplete gamma function Q(input, other).

    Args:
        input: the parameter, positive: any shape; Float32 or Float64.
        other: the lower limit of the integral, not negative; broadcasts against `input`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Follows: mindspore.ops.igammac (2.10).
    """
    return binary_tensors(incomplete.upper, "igammac", input, other)


zeta = define(
    binary_tensors,
    torch.special.zeta,
    "Return the Hurwitz zeta function.",
    like=igamma,
    args=(
        "input: the exponent, over 1: any shape; Float32 or Float64.\n"
        "other: the shift, positive; broadcasts against `input`."
    ),
    returns="A Tensor of the broadcast shape and the promoted dtype.",
)
