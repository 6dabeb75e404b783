"""Computations that the faces of random share."""

import math
from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explain
from msbridge.core.random.generators import Generator
from msbridge.core.random.seeds import get_seed, sequence
from msbridge.core.tensor.tensor import Tensor, as_torch, wrap
from msbridge.core.types.dtype import Type, float32, float64
from msbridge.ops.kernel_calls.families import Function, plain_shape

Seed = int | torch.Generator | None


Shape = int | Sequence[int] | Tensor


def truncated_normal(shape: Shape, dtype: Type = float32, seed: Seed = None) -> Tensor:
    """Draw from the standard normal distribution what lies within two standard deviations.

    Follows: mindspore.ops.TruncatedNormal (2.10).
    """
    return draw("TruncatedNormal", _truncated_normal, shape, dtype, seed)


_sequences: dict[tuple[int, torch.device], torch.Generator] = {}


def generator_of(seed: Any) -> torch.Generator | None:
    """Return the generator of a seed: None, the global one, for None.

    Raises:
        ValueError: `seed` is negative.
    """
    if seed is None:
        return None
    if isinstance(seed, torch.Generator):
        return seed
    if not isinstance(seed, int):
        return seed._for_call() if isinstance(seed, Generator) else seed
    if seed < 0:
        raise ValueError(f"a seed must not be negative, got {seed}")
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


def shift_and_scale(op: str, fn: Function, shape: Any, mean: Any, scale: Any, seed: Seed) -> Tensor:
    """Draw numbers of mean 0, and spread them around others: Float64 where one of the two is, else Float32."""
    try:
        middle, width = _wide(mean), _wide(scale)
        sizes = torch.broadcast_shapes(plain_shape(shape), middle.shape, width.shape)
        drawn = fn(
            sizes,
            dtype=torch.promote_types(middle.dtype, width.dtype),
            device=torch_device(),
            generator=generator_of(seed),
        )
        return wrap(middle + drawn * width)
    except Exception as error:
        raise explain(error, op, shape=shape, mean=mean, scale=scale) from error


def floats(value: Any) -> torch.Tensor:
    """Convert to a float32."""
    return as_torch(value, torch.float32)


def _wide(value: Any) -> torch.Tensor:
    return value._data if isinstance(value, Tensor) and value.dtype == float64 else floats(value)


def _truncated_normal(shape: tuple[int, ...], dtype: torch.dtype, **kind: Any) -> torch.Tensor:
    low = math.erf(-2 / math.sqrt(2))
    share = torch.rand(shape, dtype=torch.float64, **kind)
    return (torch.erfinv(low - 2 * low * share) * math.sqrt(2)).to(dtype)
