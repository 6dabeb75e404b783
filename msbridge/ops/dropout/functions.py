"""Dropout: zeroing drawn elements, or whole channels, and scaling the rest up."""

from collections.abc import Callable

import torch
from torch.nn import functional as F

from msbridge.core.context import torch_device
from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, wrap

__all__ = ["dropout", "dropout1d", "dropout2d", "dropout3d"]

_POWERS = torch.tensor([1, 2, 4, 8, 16, 32, 64, 128], dtype=torch.uint8)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, seed: int | None = None) -> Tensor:
    """Zero each element with probability `p` and divide the rest by 1 - p.

    Args:
        input: a floating dtype.
        p: in [0, 1).
        training: whether to draw at all; else `input` comes back.
        seed: starts a stream of numbers for this call; None draws from the global one.

    Raises:
        RuntimeError: `p` is out of range.

    Follows: mindspore.ops.dropout (2.10).
    """
    if not training:
        return input
    if not 0 <= p < 1:
        raise RuntimeError(f"For 'Dropout', the 'keep_prob' must be in (0.0, 1.0], but got {1 - p:g}.")
    try:
        data = input._data
        if seed is None:
            return wrap(torch.dropout(data, p, True))
        return wrap(data * seeded_mask(data, p, seed) / (1 - p))
    except Exception as error:
        raise explain(error, "Dropout", input=input, p=p) from error


def seeded_mask(data: torch.Tensor, p: float, seed: int) -> torch.Tensor:
    """Draw zeros with probability `p` and ones from a stream that `seed` starts."""
    generator = torch.Generator(device=data.device).manual_seed(seed)
    return torch.empty_like(data).bernoulli_(1 - p, generator=generator)


def dropout_with_mask(input: Tensor, p: float) -> tuple[Tensor, Tensor]:
    """Give what `dropout` gives, and the ones and zeros it drew, as `input`'s dtype."""
    try:
        result, mask = torch.native_dropout(input._data, p, True)
    except Exception as error:
        raise explain(error, "Dropout", input=input, p=p) from error
    return wrap(result), wrap(mask.to(result.dtype))


def channel_dropout_with_mask(input: Tensor, p: float) -> tuple[Tensor, Tensor]:
    """Zero whole channels with probability `p`: (result, Bool mask of the shape of `input`)."""
    try:
        data = input._data
        kept = torch.rand(*data.shape[:2], *(1,) * (data.dim() - 2), device=data.device) >= p
        mask = kept.expand_as(data)
        return wrap(data * mask / max(1 - p, 1e-38)), wrap(mask.contiguous())
    except Exception as error:
        raise explain(error, "Dropout2D", input=input, p=p) from error


def drawn_bits(count: int, keep_prob: float) -> Tensor:
    """Draw `count` bits, ones with probability `keep_prob`, eight to a UInt8, in whole blocks of 128."""
    bits = torch.rand(-(-count // 128) * 16, 8, device=torch_device()) < keep_prob
    return wrap((bits * _POWERS.to(bits.device)).sum(1).to(torch.uint8))


def apply_bits(input: Tensor, mask: Tensor, keep_prob: float) -> Tensor:
    """Zero the elements whose bit is zero, and divide the rest by `keep_prob`."""
    try:
        data = input._data
        bits = (mask._data[:, None] & _POWERS.to(data.device)).flatten()[: data.numel()] > 0
        return wrap(data * bits.reshape(data.shape) / keep_prob)
    except Exception as error:
        raise explain(error, "DropoutDoMask", input=input, mask=mask) from error


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of `input`, shape (N, C, L) or (C, L), with probability `p`.

    Follows: mindspore.ops.dropout1d (2.10).
    """
    return _channels(F.dropout1d, "dropout1d", input, p, training)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of `input`, shape (N, C, H, W), with probability `p`.

    Follows: mindspore.ops.dropout2d (2.10).
    """
    return _channels(F.dropout2d, "dropout2d", input, p, training)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero whole channels of `input`, shape (N, C, D, H, W), with probability `p`.

    Follows: mindspore.ops.dropout3d (2.10).
    """
    return _channels(F.dropout3d, "dropout3d", input, p, training)


def _channels(fn: Callable[..., torch.Tensor], op: str, input: Tensor, p: float, training: bool) -> Tensor:
    if not training:
        return input
    try:
        return wrap(fn(input._data, p, True))
    except Exception as error:
        raise explain(error, op, input=input, p=p) from error
