"""Functions of `mint` under torch's argument names."""

from collections.abc import Sequence
from typing import Any

from msbridge.core.dtype import Type, int64
from msbridge.core.notices import without_effect
from msbridge.core.tensor import Tensor
from msbridge.ops.families import Number
from msbridge.ops.random import functions


def rand(*size: Any, generator: Any = None, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw from [0, 1), Float32 by default.

    Follows: mindspore.mint.rand (2.10).
    """
    _on_context("rand", device)
    return functions.rand(*size, dtype=dtype, seed=generator)


def randn(*size: Any, generator: Any = None, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw from the standard normal distribution, Float32 by default.

    Follows: mindspore.mint.randn (2.10).
    """
    _on_context("randn", device)
    return functions.randn(*size, dtype=dtype, seed=generator)


def randint(*args: Any, generator: Any = None, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw integers: `randint(high, size)` from [0, high), `randint(low, high, size)` from [low, high).

    Follows: mindspore.mint.randint (2.10).
    """
    _on_context("randint", device)
    low, high, size = args if len(args) == 3 else (0, *args)
    return functions.randint(low, high, size, generator, dtype=dtype)


def rand_like(input: Tensor, *, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw from [0, 1) in the shape (and dtype) of `input`.

    Follows: mindspore.mint.rand_like (2.10).
    """
    _on_context("rand_like", device)
    return functions.rand_like(input, dtype=dtype)


def randn_like(input: Tensor, *, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw from the standard normal distribution in the shape (and dtype) of `input`.

    Follows: mindspore.mint.randn_like (2.10).
    """
    _on_context("randn_like", device)
    return functions.randn_like(input, dtype=dtype)


def randint_like(input: Tensor, *bounds: int, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw integers in the shape (and dtype) of `input`, from [0, high) or [low, high).

    Follows: mindspore.mint.randint_like (2.10).
    """
    _on_context("randint_like", device)
    low, high = bounds if len(bounds) == 2 else (0, *bounds)
    return functions.randint_like(input, low, high, dtype=dtype)


def randperm(n: int, *, generator: Any = None, dtype: Type = int64) -> Tensor:
    """Return 0 … n-1 in random order.

    Follows: mindspore.mint.randperm (2.10).
    """
    return functions.randperm(n, generator, 0, dtype)


def normal(
    mean: Tensor | Number = 0.0, std: Tensor | Number = 1.0, size: Sequence[int] | None = None, generator: Any = None
) -> Tensor:
    """Draw from normal distributions.

    Follows: mindspore.mint.normal (2.10).
    """
    return functions.normal(() if size is None else size, mean, std, generator)


def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    """Draw 1 with the probability that each element gives, else 0.

    Follows: mindspore.mint.bernoulli (2.10).
    """
    return functions.bernoulli(input, input, generator)


def _on_context(op: str, device: str | None) -> None:
    if device is not None:
        without_effect(f"mindspore.mint.{op}.device", device)
