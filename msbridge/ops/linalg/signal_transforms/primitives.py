"""Primitives of transforms.

Follows: mindspore.ops.Betainc, FFTWithSize, MatrixLogarithm, MatrixSolveLs, STFT, TridiagonalMatMul (2.10).
"""

from typing import Any

import torch

from msbridge.core.checks.arguments import one_of
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import call_kernel
from msbridge.ops.primitive.primitive import REQUIRED, derive

ROOTS = 20  # halvings of the logarithm; what is left is then small enough for a short series
TERMS = 12
FRACTIONS = 300  # of the incomplete beta function's continued fraction


def _betainc(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """Return the regularised incomplete beta function; it has a gradient with respect to `x`.

    Args:
        a: positive, any shape; Float32 or Float64.
        b: likewise.
        x: the upper limit of the integral, in [0, 1].

    Returns:
        A Tensor of the shape and dtype of `x`.
    """

    def value(*inputs: torch.Tensor) -> torch.Tensor:
        first, second, place = (one.double() for one in inputs)
        result: torch.Tensor = _BetaIncomplete.apply(place, first.detach(), second.detach())  # type: ignore[no-untyped-call]
        return result.to(inputs[2].dtype)

    return call_kernel(value, "Betainc", a, b, x)  # type: ignore[no-any-return]


class _BetaIncomplete(torch.autograd.Function):
    """The function by its continued fraction, and its derivative by `x`, the density."""

    generate_vmap_rule = True

    @staticmethod
    def forward(place: torch.Tensor, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        is_far = place > (first + 1) / (first + second + 2)
        near, far = _beta_fraction(first, second, place), 1 - _beta_fraction(second, first, 1 - place)
        return torch.where(is_far, far, near)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[torch.Tensor, ...], _output: torch.Tensor) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        place, first, second = ctx.saved_tensors
        density = ((first - 1) * place.log() + (second - 1) * (-place).log1p() - _log_beta(first, second)).exp()
        slope = torch.where((place > 0) & (place < 1), density, 0)
        return (gradient * slope).sum_to_size(place.shape), None, None


def _log_beta(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.lgamma(a) + torch.lgamma(b) - torch.lgamma(a + b)


def _beta_fraction(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """Return the function by Lentz's continued fraction, which converges fast for x below about a / (a + b)."""
    tiny = 1e-300
    above, below = torch.ones_like(x), 1 - (a + b) * x / (a + 1)
    below = 1 / torch.where(below.abs() < tiny, tiny, below)
    product = below
    for step in range(1, FRACTIONS):
        twice = a + 2 * step
        for part in (
            step * (b - step) * x / ((twice - 1) * twice),
            -(a + step) * (a + b + step) * x / (twice * (twice + 1)),
        ):
            below, above = 1 + part * below, 1 + part / above
            below = 1 / torch.where(below.abs() < tiny, tiny, below)
            above = torch.where(above.abs() < tiny, tiny, above)
            product = product * below * above
    start = (a * x.log() + b * (-x).log1p() - _log_beta(a, b)).exp() / a
    return torch.where(x > 0, start * product, 0)


def _fft(
    x: Tensor,
    signal_ndim: int,
    inverse: bool,
    real: bool,
    norm: str = "backward",
    onesided: bool = True,
    signal_sizes: tuple[int, ...] = (),
) -> Tensor:
    """Return the Fourier transform along the last `signal_ndim` axes, of complex or real signals, or its inverse.

    Args:
        x: at least `signal_ndim` axes: complex, or real with `real` and without `inverse`.
        signal_ndim: 1, 2 or 3.
        inverse: return the inverse.
        real: the signal is real.
        norm: "backward" divides in the inverse, "forward" in the transform, "ortho" by the root in both.
        onesided: keep the positive frequencies of a real signal only.
        signal_sizes: the lengths of a real signal that an inverse returns.

    Returns:
        A Tensor of the transformed axes: complex, or real for `real` with `inverse`.
    """
    one_of(norm, "norm", "FFTWithSize", ("backward", "forward", "ortho"))
    one_of(signal_ndim, "signal_ndim", "FFTWithSize", (1, 2, 3))
    axes = tuple(range(-signal_ndim, 0))
    sizes = signal_sizes or None

    def transform(data: torch.Tensor) -> torch.Tensor:
        if real and inverse:
            if onesided:
                return torch.fft.irfftn(data, sizes, axes, norm)
            return torch.fft.ifftn(data, sizes, axes, norm).real
        if real and onesided:
            return torch.fft.rfftn(data, sizes, axes, norm)
        return (torch.fft.ifftn if inverse else torch.fft.fftn)(data, sizes, axes, norm)

    return call_kernel(transform, "FFTWithSize", x)  # type: ignore[no-any-return]


def _log(x: Tensor) -> Tensor:
    """Return the principal logarithm of complex matrices (…, n, n): roots first, and then a series.

    Args:
        x: shape (..., n, n); complex.

    Returns:
        A Tensor of the shape and dtype of `x`.
    """

    def logarithm(data: torch.Tensor) -> torch.Tensor:
        identity = torch.eye(data.shape[-1], dtype=torch.complex128, device=data.device)
        root = data.to(torch.complex128)
        for _ in range(ROOTS):
            root = _root(root, identity)
        part = torch.linalg.solve(root + identity, root - identity)
        total, power, square = part, part, part @ part
        for term in range(1, TERMS):
            power = power @ square
            total = total + power / (2 * term + 1)
        return (total * 2 ** (ROOTS + 1)).to(data.dtype)

    return call_kernel(logarithm, "MatrixLogarithm", x)  # type: ignore[no-any-return]


def _root(data: torch.Tensor, one: torch.Tensor) -> torch.Tensor:
    """Return the principal square root, by the iteration of Denman and Beavers."""
    root, inverse = data, one.expand_as(data)
    for _ in range(12):
        root, inverse = (root + torch.linalg.inv(inverse)) / 2, (inverse + torch.linalg.inv(root)) / 2
    return root


def _solve(matrix: Tensor, rhs: Tensor, l2_regularizer: Tensor, fast: bool = True) -> Tensor:
    """Return the least squares solution of matrices (…, m, n); fast, by normal equations with a regulariser.

    Args:
        matrix: shape (..., m, n); floats or complex numbers.
        rhs: shape (..., m, k).
        l2_regularizer: 0-d; Float64.
        fast: use normal equations.

    Returns:
        A Tensor of shape (..., n, k) and the dtype of `matrix`.
    """

    def solve(left: torch.Tensor, right: torch.Tensor, share: torch.Tensor) -> torch.Tensor:
        if not fast:
            return torch.linalg.lstsq(left, right).solution
        rows, columns = left.shape[-2:]
        adjoint = left.mH
        one = torch.eye(min(rows, columns), dtype=left.dtype, device=left.device) * share.to(left.dtype)
        if rows >= columns:
            return torch.linalg.solve(adjoint @ left + one, adjoint @ right)
        return adjoint @ torch.linalg.solve(left @ adjoint + one, right)

    return call_kernel(solve, "MatrixSolveLs", matrix, rhs, l2_regularizer)  # type: ignore[no-any-return]


def _stft(
    x: Tensor,
    window: Tensor,
    n_fft: int,
    hop_length: int,
    win_length: int,
    normalized: bool,
    onesided: bool,
    return_complex: bool,
) -> Tensor:
    """Return the Fourier transforms of short windows of signals (time) or (N, time), which are not padded.

    Args:
        x: shape (time,) or (N, time).
        window: the weights, (win_length,).
        n_fft: the length of the transform.
        hop_length: the distance of windows.
        win_length: the length of a window.
        normalized: divide by the root of the length of the transform.
        onesided: return the positive frequencies only.
        return_complex: return complex numbers, else pairs of real ones.

    Returns:
        A Tensor of shape (..., frequencies, windows); complex, or real with a last axis of 2.
    """

    def transform(data: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        settings = {"normalized": normalized, "onesided": onesided, "return_complex": True, "center": False}
        found = torch.stft(data, n_fft, hop_length, win_length, weights, **settings)
        return found if return_complex else torch.view_as_real(found)

    return call_kernel(transform, "STFT", x, window)  # type: ignore[no-any-return]


def _tridiagonal(superdiag: Tensor, maindiag: Tensor, subdiag: Tensor, rhs: Tensor) -> Tensor:
    """Return the product of matrices that have three diagonals (…, 1, m) with matrices (…, m, n).

    Args:
        superdiag: shape (..., 1, m); the last is not read.
        maindiag: likewise.
        subdiag: likewise; the first is not read.
        rhs: shape (..., m, n).

    Returns:
        A Tensor of the shape and dtype of `rhs`.
    """

    def product(upper: Any, middle: Any, lower: Any, right: torch.Tensor) -> torch.Tensor:
        upper, middle, lower = (part.mT for part in (upper, middle, lower))
        found = middle * right
        after, before = upper[..., :-1, :] * right[..., 1:, :], lower[..., 1:, :] * right[..., :-1, :]
        found = found + torch.nn.functional.pad(after, (0, 0, 0, 1))
        return found + torch.nn.functional.pad(before, (0, 0, 1, 0))

    return call_kernel(product, "TridiagonalMatMul", superdiag, maindiag, subdiag, rhs)  # type: ignore[no-any-return]


_WINDOWS = "n_fft hop_length win_length normalized onesided return_complex"
DERIVED = (
    derive("Betainc", _betainc),
    derive("FFTWithSize", _fft, "signal_ndim inverse real norm onesided signal_sizes"),
    derive("MatrixLogarithm", _log),
    derive("MatrixSolveLs", _solve, "fast"),
    derive("STFT", _stft, _WINDOWS, **dict.fromkeys(_WINDOWS.split(), REQUIRED)),
    derive("TridiagonalMatMul", _tridiagonal),
)
