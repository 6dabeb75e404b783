"""Special functions of each element: error, gamma, zeta and Bessel functions."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.special import bessel, incomplete
from msbridge.ops.kernel_calls.families import binary_tensors, unary, unary_with


def erf(input: Tensor) -> Tensor:
    """Return the Gauss error function.

    Follows: mindspore.ops.erf (2.10).
    """
    return unary(torch.erf, "erf", input)


def erfc(input: Tensor) -> Tensor:
    """Return 1 - erf(input).

    Follows: mindspore.ops.erfc (2.10).
    """
    return unary(torch.erfc, "erfc", input)


def erfinv(input: Tensor) -> Tensor:
    """Return the inverse of `erf`, defined in (-1, 1).

    Follows: mindspore.ops.erfinv (2.10).
    """
    return unary(torch.erfinv, "erfinv", input)


def sinc(input: Tensor) -> Tensor:
    """Return sin(πx) / (πx), and 1 at 0.

    Follows: mindspore.ops.sinc (2.10).
    """
    return unary(torch.sinc, "sinc", input)


def lgamma(input: Tensor) -> Tensor:
    """Return the logarithm of the absolute value of the gamma function.

    Follows: mindspore.ops.lgamma (2.10).
    """
    return unary(torch.lgamma, "lgamma", input)


def digamma(input: Tensor) -> Tensor:
    """Return the derivative of `lgamma`.

    Follows: mindspore.ops.digamma (2.10).
    """
    return unary(torch.digamma, "digamma", input)


def i0(input: Tensor) -> Tensor:
    """Return the modified Bessel function of the first kind, order 0.

    Follows: mindspore.ops.i0 (2.10).
    """
    return unary(torch.special.i0, "i0", input)


def bessel_i0(x: Tensor) -> Tensor:
    """Return the modified Bessel function of the first kind, order 0.

    Follows: mindspore.ops.bessel_i0 (2.10).
    """
    return unary(torch.special.i0, "bessel_i0", x)


def bessel_i0e(x: Tensor) -> Tensor:
    """Return `bessel_i0` scaled by exp(-|x|).

    Follows: mindspore.ops.bessel_i0e (2.10).
    """
    return unary(torch.special.i0e, "bessel_i0e", x)


def bessel_i1(x: Tensor) -> Tensor:
    """Return the modified Bessel function of the first kind, order 1.

    Follows: mindspore.ops.bessel_i1 (2.10).
    """
    return unary(torch.special.i1, "bessel_i1", x)


def bessel_i1e(x: Tensor) -> Tensor:
    """Return `bessel_i1` scaled by exp(-|x|).

    Follows: mindspore.ops.bessel_i1e (2.10).
    """
    return unary(torch.special.i1e, "bessel_i1e", x)


def bessel_j0(x: Tensor) -> Tensor:
    """Return the Bessel function of the first kind, order 0.

    Follows: mindspore.ops.bessel_j0 (2.10).
    """
    return unary(bessel.j0, "bessel_j0", x)


def bessel_j1(x: Tensor) -> Tensor:
    """Return the Bessel function of the first kind, order 1.

    Follows: mindspore.ops.bessel_j1 (2.10).
    """
    return unary(bessel.j1, "bessel_j1", x)


def bessel_y0(x: Tensor) -> Tensor:
    """Return the Bessel function of the second kind, order 0.

    Follows: mindspore.ops.bessel_y0 (2.10).
    """
    return unary(bessel.y0, "bessel_y0", x)


def bessel_y1(x: Tensor) -> Tensor:
    """Return the Bessel function of the second kind, order 1.

    Follows: mindspore.ops.bessel_y1 (2.10).
    """
    return unary(bessel.y1, "bessel_y1", x)


def bessel_k0(x: Tensor) -> Tensor:
    """Return the modified Bessel function of the second kind, order 0.

    Follows: mindspore.ops.bessel_k0 (2.10).
    """
    return unary(bessel.k0, "bessel_k0", x)


def bessel_k0e(x: Tensor) -> Tensor:
    """Return `bessel_k0` scaled by exp(x).

    Follows: mindspore.ops.bessel_k0e (2.10).
    """
    return unary(bessel.k0e, "bessel_k0e", x)


def bessel_k1(x: Tensor) -> Tensor:
    """Return the modified Bessel function of the second kind, order 1.

    Follows: mindspore.ops.bessel_k1 (2.10).
    """
    return unary(bessel.k1, "bessel_k1", x)


def bessel_k1e(x: Tensor) -> Tensor:
    """Return `bessel_k1` scaled by exp(x).

    Follows: mindspore.ops.bessel_k1e (2.10).
    """
    return unary(bessel.k1e, "bessel_k1e", x)


def mvlgamma(input: Tensor, p: int) -> Tensor:
    """Return the logarithm of the gamma function of dimension `p`.

    Follows: mindspore.ops.mvlgamma (2.10).
    """
    return unary_with(torch.mvlgamma, "mvlgamma", input, p)


def polygamma(n: int | Tensor, input: Tensor) -> Tensor:
    """Return the n-th derivative of `digamma`.

    Follows: mindspore.ops.polygamma (2.10).
    """
    return unary(lambda data: torch.polygamma(int(n), data), "polygamma", input)


def igamma(input: Tensor, other: Tensor) -> Tensor:
    """Return the lower regularised incomplete gamma function P(input, other).

    Follows: mindspore.ops.igamma (2.10).
    """
    return binary_tensors(incomplete.lower, "igamma", input, other)


def igammac(input: Tensor, other: Tensor) -> Tensor:
    """Return the upper regularised incomplete gamma function Q(input, other).

    Follows: mindspore.ops.igammac (2.10).
    """
    return binary_tensors(incomplete.upper, "igammac", input, other)


def zeta(input: Tensor, other: Tensor) -> Tensor:
    """Return the Hurwitz zeta function.

    Follows: mindspore.ops.zeta (2.10).
    """
    return binary_tensors(torch.special.zeta, "zeta", input, other)
