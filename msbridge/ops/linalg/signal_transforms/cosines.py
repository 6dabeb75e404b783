"""Discrete cosine transforms of the second kind, orthonormal: the only ones that MindSpore computes."""

import math
from collections.abc import Callable, Sequence

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap

__all__ = ["dct", "dctn", "idct", "idctn"]

Transform = Callable[[torch.Tensor], torch.Tensor]


def dct(x: Tensor, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return the discrete cosine transform along one axis.

    Args:
        x: real or complex; integers and float16 are computed in float32.
        type: must be 2.
        n: cut or fill with zeros to this size first.
        axis: which one.
        norm: None or "ortho", which are the same here.

    Raises:
        ValueError: `type` or `norm` is something else, or there is no such axis.

    Follows: mindspore.scipy.fft.dct (2.10).
    """
    return _along(_forward, "dct", x, type, None if n is None else (n,), (axis,), norm)


def idct(x: Tensor, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return the inverse of the discrete cosine transform along one axis; the arguments are those of `dct`.

    Follows: mindspore.scipy.fft.idct (2.10).
    """
    return _along(_backward, "idct", x, type, None if n is None else (n,), (axis,), norm)


def dctn(
    x: Tensor,
    type: int = 2,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Return the discrete cosine transform along several axes.

    Args:
        x: real or complex; integers and float16 are computed in float32.
        type: must be 2.
        s: cut or fill with zeros to these sizes first.
        axes: which ones; None means the last ones, as many as `s` has, or all.
        norm: None or "ortho", which are the same here.

    Raises:
        ValueError: `type` or `norm` is something else, or there is no such axis.

    Follows: mindspore.scipy.fft.dctn (2.10).
    """
    return _along(_forward, "dctn", x, type, s, axes, norm)


def idctn(
    x: Tensor,
    type: int = 2,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Return the inverse of the discrete cosine transform along several axes; the arguments are those of `dctn`.

    Follows: mindspore.scipy.fft.idctn (2.10).
    """
    return _along(_backward, "idctn", x, type, s, axes, norm)


def _along(
    transform: Transform,
    op: str,
    x: Tensor,
    type: int,
    sizes: Sequence[int] | None,
    axes: Sequence[int] | None,
    norm: str | None,
) -> Tensor:
    if type != 2 or norm not in (None, "ortho"):
        raise ValueError(f"For '{op}', only type 2 and norm None or 'ortho' are computed, got {type} and {norm!r}.")
    try:
        data = x._data
        if not data.is_complex() and data.dtype is not torch.float64:
            data = data.float()
        if axes is None:
            axes = range(-(data.dim() if sizes is None else len(sizes)), 0)
        if any(not -data.dim() <= axis < data.dim() for axis in axes):
            raise ValueError(f"the axes must be in [-{data.dim()}, {data.dim()}), got {tuple(axes)}.")
        for place, axis in enumerate(axes):
            rows = data.movedim(axis, -1)
            if sizes is not None:
                rows = torch.nn.functional.pad(rows, (0, sizes[place] - rows.shape[-1]))
            data = _of_parts(transform, rows).movedim(-1, axis)
        return wrap(data)
    except Exception as error:
        raise explain(error, op, x=x) from error


def _of_parts(transform: Transform, rows: torch.Tensor) -> torch.Tensor:
    if rows.is_complex():
        return torch.complex(transform(rows.real), transform(rows.imag))
    return transform(rows)


def _forward(rows: torch.Tensor) -> torch.Tensor:
    """Transform real rows: even places, then odd ones backwards, go through one Fourier transform (Makhoul, 1980)."""
    size = rows.shape[-1]
    spectrum = torch.fft.fft(torch.cat((rows[..., ::2], rows[..., 1::2].flip(-1)), -1))
    turned: torch.Tensor = (spectrum * _turns(size, rows).conj()).real * _scales(size, rows)
    return turned


def _backward(rows: torch.Tensor) -> torch.Tensor:
    """Undo `_forward`."""
    size = rows.shape[-1]
    scaled = rows / _scales(size, rows)
    mirrored = torch.nn.functional.pad(scaled[..., 1:].flip(-1), (1, 0))
    spread = torch.fft.ifft(torch.complex(scaled, -mirrored) * _turns(size, rows)).real
    result = torch.empty_like(rows)
    half = (size + 1) // 2
    result[..., ::2] = spread[..., :half]
    result[..., 1::2] = spread[..., half:].flip(-1)
    return result


def _turns(size: int, like: torch.Tensor) -> torch.Tensor:
    angles = torch.arange(size, dtype=like.dtype, device=like.device) * (math.pi / (2 * size))
    return torch.polar(torch.ones_like(angles), angles)


def _scales(size: int, like: torch.Tensor) -> torch.Tensor:
    scales = torch.full((size,), math.sqrt(2 / size), dtype=like.dtype, device=like.device)
    scales[0] = math.sqrt(1 / size)
    return scales
