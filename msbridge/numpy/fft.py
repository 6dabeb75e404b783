"""Discrete Fourier transforms under numpy's argument names."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.numpy._faces import Array, tensor_of
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.linalg.fft import functions as spectral

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

Axes = int | Sequence[int]
Lengths = Sequence[int] | None


def _of_array(fn: Callable[..., Tensor], op: str, a: Array, *settings: Any) -> Tensor:
    return fn(tensor_of(a, op, "a"), *settings)


def fft(a: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Transform, along one axis.

    Follows: mindspore.numpy.fft.fft (2.10).
    """
    return _of_array(spectral.fft, "fft", a, n, axis, norm)


def fft2(a: Array, s: Lengths = None, axes: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """Transform, along two axes.

    Follows: mindspore.numpy.fft.fft2 (2.10).
    """
    return _of_array(spectral.fft2, "fft2", a, s, axes, norm)


def fftn(a: Array, s: Lengths = None, axes: Axes | None = None, norm: str | None = None) -> Tensor:
    """Transform, along several axes.

    Follows: mindspore.numpy.fft.fftn (2.10).
    """
    return _of_array(spectral.fftn, "fftn", a, s, axes, norm)


_transformed = partial(define, _of_array)
ifft = _transformed(spectral.ifft, "Transform back, along one axis.", like=fft)
rfft = _transformed(spectral.rfft, "Transform real values, along one axis.", like=fft)
irfft = _transformed(spectral.irfft, "Transform back to real values, along one axis.", like=fft)
hfft = _transformed(spectral.hfft, "Transform a signal that is Hermitian in time, along one axis.", like=fft)
ihfft = _transformed(spectral.ihfft, "Transform back to a signal that is Hermitian in time, along one axis.", like=fft)
ifft2 = _transformed(spectral.ifft2, "Transform back, along two axes.", like=fft2)
rfft2 = _transformed(spectral.rfft2, "Transform real values, along two axes.", like=fft2)
irfft2 = _transformed(spectral.irfft2, "Transform back to real values, along two axes.", like=fft2)
hfft2 = _transformed(spectral.hfft2, "Transform a signal that is Hermitian in time, along two axes.", like=fft2)
ihfft2 = _transformed(
    spectral.ihfft2, "Transform back to a signal that is Hermitian in time, along two axes.", like=fft2
)
ifftn = _transformed(spectral.ifftn, "Transform back, along several axes.", like=fftn)
rfftn = _transformed(spectral.rfftn, "Transform real values, along several axes.", like=fftn)
irfftn = _transformed(spectral.irfftn, "Transform back to real values, along several axes.", like=fftn)
hfftn = _transformed(spectral.hfftn, "Transform a signal that is Hermitian in time, along several axes.", like=fftn)
ihfftn = _transformed(
    spectral.ihfftn, "Transform back to a signal that is Hermitian in time, along several axes.", like=fftn
)


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
