"""Computations that the faces of random share."""

import math
from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.context import torch_device
from msbridge.core.dtype import Type, float32
from msbridge.core.errors import explain
from msbridge.core.random import get_seed, sequence
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.families import Function, plain_shape

Seed = int | torch.Generator | None


Shape = int | Sequence[int] | Tensor


def truncated_normal(shape: Shape, dtype: Type = float32, seed: Seed = None) -> Tensor:
    """Draw from the standard normal distribution what lies within two standard deviations.

    Follows: mindspore.ops.TruncatedNormal (2.10).
    """
    return draw("TruncatedNormal", _truncated, shape, dtype, seed)


_sequences: dict[tuple[int, torch.device], torch.Generator] = {}


def generator_of(seed: Any) -> torch.Generator | None:
    """Return the generator of a seed: None, the global one, for None."""
    if seed is None:
        return None
    if isinstance(seed, torch.Generator):
        return seed
    if not isinstance(seed, int):
        return getattr(seed, "torch", seed)
    device = torch_device()
    if get_seed() is None:
        if (seed, device) not in _sequences:
            _sequences[seed, device] = sequence(seed, device)
        return _sequences[seed, device]
    return torch.Generator(device).manual_seed(int(torch.randint(2**31, ())) * 1_000_003 + seed)


def draw(op: str, fn: Function, shape: Any, dtype: Type, seed: Seed, *bounds: int) -> Tensor:
    """Return a Tensor of drawn numbers on the context's device."""
    try:
        generator = generator_of(seed)
        kind = {"dtype": dtype.torch, "device": torch_device(), "generator": generator}
        return wrap(fn(*bounds, plain_shape(shape), **kind))
    except Exception as error:
        raise explain(error, op, shape=shape, dtype=dtype, seed=seed) from error


def _truncated(shape: tuple[int, ...], dtype: torch.dtype, **kind: Any) -> torch.Tensor:
    low = math.erf(-2 / math.sqrt(2))
    share = torch.rand(shape, dtype=torch.float64, **kind)
    return (torch.erfinv(low - 2 * low * share) * math.sqrt(2)).to(dtype)
