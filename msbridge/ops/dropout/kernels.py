"""Computations that the faces of dropout share."""

import torch

from msbridge.core.context import torch_device
from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, wrap

_POWERS = torch.tensor([1, 2, 4, 8, 16, 32, 64, 128], dtype=torch.uint8)


def seeded_mask(data: torch.Tensor, p: float, seed: int) -> torch.Tensor:
    """Draw zeros with probability `p` and ones from a stream that `seed` starts."""
    generator = torch.Generator(device=data.device).manual_seed(seed)
    return torch.empty_like(data).bernoulli_(1 - p, generator=generator)


def dropout_with_mask(input: Tensor, p: float) -> tuple[Tensor, Tensor]:
    """Return what `dropout` gives, and the ones and zeros it drew, as `input`'s dtype."""
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
