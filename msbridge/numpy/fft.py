"""Discrete Fourier transforms under numpy's argument names."""

from collections.abc import Sequence

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.numpy._faces import Array, tensor_of
from msbridge.ops.linalg.fft import functions as spectral

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

Axes = int | Sequence[int]
Lengths = Sequence[int] | None


def fft(a: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Transform, along one axis.

    Follows: mindspore.numpy.fft.fft (2.10).
    """
    return spectral.fft(tensor_of(a, "fft", "a"), n, axis, norm)


def ifft(a: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Transform back, along one axis.

    Follows: mindspore.numpy.fft.ifft (2.10).
    """
    return spectral.ifft(tensor_of(a, "ifft", "a"), n, axis, norm)


def rfft(a: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Transform real values, along one axis.

    Follows: mindspore.numpy.fft.rfft (2.10).
    """
    return spectral.rfft(tensor_of(a, "rfft", "a"), n, axis, norm)


def irfft(a: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Transform back to real values, along one axis.

    Follows: mindspore.numpy.fft.irfft (2.10).
    """
    return spectral.irfft(tensor_of(a, "irfft", "a"), n, axis, norm)


def hfft(a: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Transform a signal that is Hermitian in time, along one axis.

    Follows: mindspore.numpy.fft.hfft (2.10).
    """
    return spectral.hfft(tensor_of(a, "hfft", "a"), n, axis, norm)


def ihfft(a: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Transform back to a signal that is Hermitian in time, along one axis.

    Follows: mindspore.numpy.fft.ihfft (2.10).
    """
    return spectral.ihfft(tensor_of(a, "ihfft", "a"), n, axis, norm)


def fft2(a: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """Transform, along two axes.

    Follows: mindspore.numpy.fft.fft2 (2.10).
    """
    return spectral.fft2(tensor_of(a, "fft2", "a"), s, axes, norm)


def fftn(a: Array, s: Lengths = None, axes: Axes | None = None, norm: str | None = None) -> Tensor:
    """Transform, along several axes.

    Follows: mindspore.numpy.fft.fftn (2.10).
    """
    return spectral.fftn(tensor_of(a, "fftn", "a"), s, axes, norm)


def ifft2(a: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """Transform back, along two axes.

    Follows: mindspore.numpy.fft.ifft2 (2.10).
    """
    return spectral.ifft2(tensor_of(a, "ifft2", "a"), s, axes, norm)


def ifftn(a: Array, s: Lengths = None, axes: Axes | None = None, norm: str | None = None) -> Tensor:
    """Transform back, along several axes.

    Follows: mindspore.numpy.fft.ifftn (2.10).
    """
    return spectral.ifftn(tensor_of(a, "ifftn", "a"), s, axes, norm)


def rfft2(a: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """Transform real values, along two axes.

    Follows: mindspore.numpy.fft.rfft2 (2.10).
    """
    return spectral.rfft2(tensor_of(a, "rfft2", "a"), s, axes, norm)


def rfftn(a: Array, s: Lengths = None, axes: Axes | None = None, norm: str | None = None) -> Tensor:
    """Transform real values, along several axes.

    Follows: mindspore.numpy.fft.rfftn (2.10).
    """
    return spectral.rfftn(tensor_of(a, "rfftn", "a"), s, axes, norm)


def irfft2(a: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """Transform back to real values, along two axes.

    Follows: mindspore.numpy.fft.irfft2 (2.10).
    """
    return spectral.irfft2(tensor_of(a, "irfft2", "a"), s, axes, norm)


def irfftn(a: Array, s: Lengths = None, axes: Axes | None = None, norm: str | None = None) -> Tensor:
    """Transform back to real values, along several axes.

    Follows: mindspore.numpy.fft.irfftn (2.10).
    """
    return spectral.irfftn(tensor_of(a, "irfftn", "a"), s, axes, norm)


def hfft2(a: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """Transform a signal that is Hermitian in time, along two axes.

    Follows: mindspore.numpy.fft.hfft2 (2.10).
    """
    return spectral.hfft2(tensor_of(a, "hfft2", "a"), s, axes, norm)


def hfftn(a: Array, s: Lengths = None, axes: Axes | None = None, norm: str | None = None) -> Tensor:
    """Transform a signal that is Hermitian in time, along several axes.

    Follows: mindspore.numpy.fft.hfftn (2.10).
    """
    return spectral.hfftn(tensor_of(a, "hfftn", "a"), s, axes, norm)


def ihfft2(a: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """Transform back to a signal that is Hermitian in time, along two axes.

    Follows: mindspore.numpy.fft.ihfft2 (2.10).
    """
    return spectral.ihfft2(tensor_of(a, "ihfft2", "a"), s, axes, norm)


def ihfftn(a: Array, s: Lengths = None, axes: Axes | None = None, norm: str | None = None) -> Tensor:
    """Transform back to a signal that is Hermitian in time, along several axes.

    Follows: mindspore.numpy.fft.ihfftn (2.10).
    """
    return spectral.ihfftn(tensor_of(a, "ihfftn", "a"), s, axes, norm)


def fftshift(x: Array, axes: Lengths = None) -> Tensor:
    """Put the frequency 0 in the middle.

    Follows: mindspore.numpy.fft.fftshift (2.10).
    """
    return spectral.fftshift(tensor_of(x, "fftshift", "x"), axes)


def ifftshift(x: Array, axes: Lengths = None) -> Tensor:
    """Put the frequency 0 first again.

    Follows: mindspore.numpy.fft.ifftshift (2.10).
    """
    return spectral.ifftshift(tensor_of(x, "ifftshift", "x"), axes)


def fftfreq(n: int, d: float = 1.0, dtype: Type | None = None) -> Tensor:
    """Return the frequencies of `fft` of `n` samples at distance `d`.

    Follows: mindspore.numpy.fft.fftfreq (2.10).
    """
    return spectral.fftfreq(n, d, dtype=dtype)


def rfftfreq(n: int, d: float = 1.0, dtype: Type | None = None) -> Tensor:
    """Return the frequencies of `rfft` of `n` samples at distance `d`.

    Follows: mindspore.numpy.fft.rfftfreq (2.10).
    """
    return spectral.rfftfreq(n, d, dtype=dtype)
