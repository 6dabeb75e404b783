"""Fourier transforms."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import torch

from msbridge.core.checks.arguments import positive_int
from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import describe, refuse
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, torch_of
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import unary, unary_with

Axes = int | Sequence[int]
Lengths = Sequence[int] | None
_HALVES = frozenset({torch.float16, torch.bfloat16})


def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Return the discrete Fourier transform, along one axis.

    Args:
        input: any shape of numbers; integers count as Float32.
        n: the length along the axis, to which it is cut or filled with zeros; None keeps.
        dim: along which axis, in [-rank, rank).
        norm: "backward" divides in the inverse, "forward" in the transform, "ortho" by the root in both; None is
            "backward".

    Returns:
        A Tensor of the shape of `input`, with n along the axis; complex.

    Follows: mindspore.ops.fft (2.10).
    """
    return _transform(torch.fft.fft, "fft", input, n, dim, norm)


def fft2(input: Tensor, s: Lengths = None, dim: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """Return the discrete Fourier transform, over two axes.

    Args:
        input: any shape of numbers; integers count as Float32.
        s: the lengths along the axes, to which they are cut or filled with zeros; None keeps.
        dim: the axes.
        norm: "backward" divides in the inverse, "forward" in the transform, "ortho" by the root in both; None is
            "backward".

    Returns:
        A Tensor of the shape of `input`, with the lengths `s` along the axes; complex.

    Follows: mindspore.ops.fft2 (2.10).
    """
    return _transform(torch.fft.fft2, "fft2", input, s, dim, norm)


def fftn(input: Tensor, s: Lengths = None, dim: Axes | None = None, norm: str | None = None) -> Tensor:
    """Return the discrete Fourier transform, over several axes.

    Args:
        input: any shape of numbers; integers count as Float32.
        s: the lengths along the axes, to which they are cut or filled with zeros; None keeps.
        dim: the axes; None means all.
        norm: "backward" divides in the inverse, "forward" in the transform, "ortho" by the root in both; None is
            "backward".

    Returns:
        A Tensor of the shape of `input`, with the lengths `s` along the axes; complex.

    Follows: mindspore.ops.fftn (2.10).
    """
    return _transform(torch.fft.fftn, "fftn", input, s, dim, norm)


def _transform(fn: Callable[..., torch.Tensor], op: str, input: Tensor, *settings: Any) -> Tensor:
    """Apply a transform; half precision is computed in float32, and so is the result."""
    return unary_with(partial(_numbers, fn), op, input, *settings)


_transformed = partial(define, _transform)
ifft = _transformed(torch.fft.ifft, "Return the inverse discrete Fourier transform, along one axis.", like=fft)
ifft2 = _transformed(torch.fft.ifft2, "Return the inverse discrete Fourier transform, over two axes.", like=fft2)
ifftn = _transformed(torch.fft.ifftn, "Return the inverse discrete Fourier transform, over several axes.", like=fftn)


def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """Return the discrete Fourier transform of real numbers, the positive frequencies only, along one axis.

    Args:
        input: any shape of real numbers.
        n: the length along the axis, to which it is cut or filled with zeros; None keeps.
        dim: along which axis, in [-rank, rank).
        norm: "backward" divides in the inverse, "forward" in the transform, "ortho" by the root in both; None is
            "backward".

    Returns:
        A Tensor of the shape of `input`, with n // 2 + 1 along the axis; complex.

    Follows: mindspore.ops.rfft (2.10).
    """
    return _one_sided(torch.fft.rfft, "rfft", input, n, dim, norm)


def rfft2(input: Tensor, s: Lengths = None, dim: Axes = (-2, -1), norm: str | None = None) -> Tensor:
    """Return the discrete Fourier transform of real numbers, the positive frequencies only, over two axes.

    Args:
        input: any shape of real numbers.
        s: the lengths along the axes, to which they are cut or filled with zeros; None keeps.
        dim: the axes.
        norm: "backward" divides in the inverse, "forward" in the transform, "ortho" by the root in both; None is
            "backward".

    Returns:
        A Tensor of the shape of `input`, with s[-1] // 2 + 1 along the last of the axes; complex.

    Follows: mindspore.ops.rfft2 (2.10).
    """
    return _one_sided(torch.fft.rfft2, "rfft2", input, s, dim, norm)


def rfftn(input: Tensor, s: Lengths = None, dim: Axes | None = None, norm: str | None = None) -> Tensor:
    """Return the discrete Fourier transform of real numbers, the positive frequencies only, over several axes.

    Args:
        input: any shape of real numbers.
        s: the lengths along the axes, to which they are cut or filled with zeros; None keeps.
        dim: the axes; None means all.
        norm: "backward" divides in the inverse, "forward" in the transform, "ortho" by the root in both; None is
            "backward".

    Returns:
        A Tensor of the shape of `input`, with s[-1] // 2 + 1 along the last of the axes; complex.

    Follows: mindspore.ops.rfftn (2.10).
    """
    return _one_sided(torch.fft.rfftn, "rfftn", input, s, dim, norm)


irfft = _transformed(
    torch.fft.irfft,
    "Return the real numbers whose transform's positive frequencies are given, along one axis.",
    like=fft,
)
irfft2 = _transformed(
    torch.fft.irfft2,
    "Return the real numbers whose transform's positive frequencies are given, over two axes.",
    like=fft2,
)
irfftn = _transformed(
    torch.fft.irfftn,
    "Return the real numbers whose transform's positive frequencies are given, over several axes.",
    like=fftn,
)
hfft = _transformed(
    torch.fft.hfft, "Return the real transform of a signal with Hermitian symmetry, along one axis.", like=fft
)
hfft2 = _transformed(
    torch.fft.hfft2, "Return the real transform of a signal with Hermitian symmetry, over two axes.", like=fft2
)
hfftn = _transformed(
    torch.fft.hfftn, "Return the real transform of a signal with Hermitian symmetry, over several axes.", like=fftn
)


def _one_sided(fn: Callable[..., torch.Tensor], op: str, input: Tensor, *settings: Any) -> Tensor:
    """Apply a transform that returns the positive frequencies of real numbers; of complex ones, too."""
    return _transform(partial(_half_of, fn, COMPLEX_OF[fn]), op, input, *settings)


ihfft = define(_one_sided, torch.fft.ihfft, "Return the inverse of `hfft`, along one axis.", like=rfft)
ihfft2 = define(_one_sided, torch.fft.ihfft2, "Return the inverse of `hfft`, over two axes.", like=rfft2)
ihfftn = define(_one_sided, torch.fft.ihfftn, "Return the inverse of `hfft`, over several axes.", like=rfftn)


def fftfreq(n: int | Tensor, d: float = 1.0, dtype: Type | None = None) -> Tensor:
    """Return the frequencies of `fft` for `n` samples at distance `d`; a Tensor `n` has no axes.

    Args:
        n: how many samples, an int or a 0-d Tensor.
        d: the distance of samples.
        dtype: a float; None for Float32.

    Returns:
        A Tensor of shape (n,), negative frequencies last.

    Follows: mindspore.ops.fftfreq (2.10).
    """
    return _frequencies(torch.fft.fftfreq, "fftfreq", n, d, dtype)


def rfftfreq(n: int | Tensor, d: float = 1.0, dtype: Type | None = None) -> Tensor:
    """Return the frequencies of `rfft` for `n` samples at distance `d`; a Tensor `n` has no axes.

    Args:
        n: how many samples, an int or a 0-d Tensor.
        d: the distance of samples.
        dtype: a float; None for Float32.

    Returns:
        A Tensor of shape (n // 2 + 1,).

    Follows: mindspore.ops.rfftfreq (2.10).
    """
    return _frequencies(torch.fft.rfftfreq, "rfftfreq", n, d, dtype)


def fftshift(input: Tensor, dim: Axes | None = None) -> Tensor:
    """Bring the frequency 0 into the middle.

    Args:
        input: any shape and dtype.
        dim: the axes; None means all.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.fftshift (2.10).
    """
    return unary_with(torch.fft.fftshift, "fftshift", input, dim)


ifftshift = define(unary_with, torch.fft.ifftshift, "Undo `fftshift`.", like=fftshift)


def stft(
    x: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "REFLECT",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Tensor:
    """Return the Fourier transforms of short windows of a signal.

    Args:
        x: shape (length,) or (batch, length).
        n_fft: the length of the transform.
        hop_length: the distance of the windows; a quarter of `n_fft` by default.
        win_length: the length of a window; `n_fft` by default.
        window: the window's weights; ones by default.
        center: pad the signal, so that windows are centred.
        pad_mode: how to pad: "REFLECT", "CONSTANT" or "REPLICATE".
        normalized: divide by the root of the window's length.
        onesided: return the positive frequencies only; the default for real signals.
        return_complex: return complex numbers, or pairs of real ones (the default for real signals).

    Returns:
        A Tensor of shape (frequencies, windows) or (batch, frequencies, windows); complex, or real with a last axis of
        2.

    Follows: mindspore.ops.stft (2.10).
    """

    def transform(data: torch.Tensor) -> torch.Tensor:
        length = win_length or n_fft
        weights = torch.ones(length, device=data.device) if window is None else window._data
        result = torch.stft(
            data,
            n_fft,
            hop_length,
            length,
            weights,
            center,
            pad_mode.lower(),
            normalized,
            onesided,
            return_complex=True,
        )
        wants_complex = data.is_complex() if return_complex is None else return_complex
        return result if wants_complex else torch.view_as_real(result)

    return unary(transform, "stft", x)


def _half_of(
    fn: Callable[..., torch.Tensor], whole: Callable[..., torch.Tensor], data: torch.Tensor, *settings: Any
) -> torch.Tensor:
    if not data.is_complex():
        return fn(data, *settings)
    real = fn(data.real, *settings)  # has the wanted shape, and refuses what does not fit
    found = whole(data, *settings)
    return found[tuple(map(slice, real.shape))]


def _numbers(fn: Callable[..., torch.Tensor], data: torch.Tensor, *settings: Any) -> torch.Tensor:
    return fn(data.float() if data.dtype in _HALVES else data, *settings)


COMPLEX_OF: Mapping[Callable[..., torch.Tensor], Callable[..., torch.Tensor]] = {
    torch.fft.rfft: torch.fft.fft,
    torch.fft.rfft2: torch.fft.fft2,
    torch.fft.rfftn: torch.fft.fftn,
    torch.fft.ihfft: torch.fft.ifft,
    torch.fft.ihfft2: torch.fft.ifft2,
    torch.fft.ihfftn: torch.fft.ifftn,
}


def _frequencies(fn: Callable[..., torch.Tensor], op: str, n: int | Tensor, d: float, dtype: Type | None) -> Tensor:
    try:
        found = fn(positive_int(_plain_count(n, op), "n", op), d, device=torch_device())
    except ValueError as error:
        raise refuse(error) from error
    return wrap(found if dtype is None else found.to(torch_of(dtype)))


def _plain_count(n: int | Tensor, op: str) -> Any:
    if isinstance(n, Tensor) and n.ndim:
        raise ValueError(f"For '{op}', n must be an int or a Tensor of no axes, got {describe(n)}.")
    return n.item() if isinstance(n, Tensor) else n
