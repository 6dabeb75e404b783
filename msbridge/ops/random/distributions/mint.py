"""Functions of `mint` under torch's argument names."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, float32, int64
from msbridge.ops.kernel_calls.families import Number
from msbridge.ops.random.distributions import functions
from msbridge.ops.random.distributions.kernels import draw, shift_and_scale


def rand(*size: Any, generator: Any = None, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw from [0, 1), Float32 by default.

    Args:
        size: the lengths of the axes, one by one or as one tuple.
        generator: draws the numbers; None for the default one.
        dtype: a dtype of floats; None for Float32.
        device: where the result lies; None for the device that is in use.

    Returns:
        A Tensor of shape `size`.

    Follows: mindspore.mint.rand (2.10).
    """
    _on_context("rand", device)
    return draw("rand", torch.rand, _shape_of(size), dtype or float32, generator)


def randn(*size: Any, generator: Any = None, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw from the standard normal distribution, Float32 by default.

    Args:
        size: the lengths of the axes, one by one or as one tuple.
        generator: draws the numbers; None for the default one.
        dtype: a dtype of floats; None for Float32.
        device: where the result lies; None for the device that is in use.

    Returns:
        A Tensor of shape `size`.

    Follows: mindspore.mint.randn (2.10).
    """
    _on_context("randn", device)
    return draw("randn", torch.randn, _shape_of(size), dtype or float32, generator)


def randint(*args: Any, generator: Any = None, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw integers: `randint(high, size)` from [0, high), `randint(low, high, size)` from [low, high).

    Args:
        args: as above; `size` is a tuple.
        generator: draws the numbers; None for the default one.
        dtype: of the result; None for Int64.
        device: where the result lies; None for the device that is in use.

    Returns:
        A Tensor of shape `size`.

    Follows: mindspore.mint.randint (2.10).
    """
    _on_context("randint", device)
    low, high, size = args if len(args) == 3 else (0, *args)
    return draw("randint", torch.randint, size, dtype or int64, generator, int(low), int(high))


@explaining
def rand_like(input: Tensor, *, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw from [0, 1) in the shape (and dtype) of `input`.

    Args:
        input: a Tensor of any shape; of floats, unless `dtype` is given.
        dtype: a dtype of floats; None for that of `input`.
        device: where the result lies; None for the device that is in use.

    Returns:
        A Tensor of the shape of `input`.

    Raises:
        TypeError: `input` is not a Tensor, or the dtype is not of floats.

    Follows: mindspore.mint.rand_like (2.10).
    """
    _on_context("rand_like", device)
    return draw("rand_like", torch.rand, input.shape, dtype or input.dtype, None)


@explaining
def randn_like(input: Tensor, *, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw from the standard normal distribution in the shape (and dtype) of `input`.

    Args:
        input: a Tensor of any shape; of floats, unless `dtype` is given.
        dtype: a dtype of floats; None for that of `input`.
        device: where the result lies; None for the device that is in use.

    Returns:
        A Tensor of the shape of `input`.

    Raises:
        TypeError: `input` is not a Tensor, or the dtype is not of floats.

    Follows: mindspore.mint.randn_like (2.10).
    """
    _on_context("randn_like", device)
    return draw("randn_like", torch.randn, input.shape, dtype or input.dtype, None)


@explaining
def randint_like(input: Tensor, *bounds: int, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Draw integers in the shape (and dtype) of `input`, from [0, high) or [low, high).

    Args:
        input: any shape.
        bounds: the end, exclusive, after the least integer, if that is not 0.
        dtype: None for that of `input`.
        device: that of the context, or None.

    Returns:
        A Tensor of the shape of `input` and dtype `dtype`.

    Follows: mindspore.mint.randint_like (2.10).
    """
    _on_context("randint_like", device)
    low, high = bounds if len(bounds) == 2 else (0, *bounds)
    return draw("randint_like", torch.randint, input.shape, dtype or input.dtype, None, int(low), int(high))


def randperm(n: int, *, generator: Any = None, dtype: Type = int64) -> Tensor:
    """Return 0 … n-1 in random order.

    Args:
        n: how many numbers.
        generator: draws the order; None for the default one.
        dtype: of the result.

    Returns:
        A vector of length `n`.

    Follows: mindspore.mint.randperm (2.10).
    """
    return functions.randperm(n, generator, 0, dtype)


def normal(
    mean: Tensor | Number = 0.0, std: Tensor | Number = 1.0, size: Sequence[int] | None = None, generator: Any = None
) -> Tensor:
    """Draw from normal distributions.

    Args:
        mean: the middle, a number or a Tensor.
        std: the standard deviation, a number or a Tensor that broadcasts against `mean`.
        size: the shape, for two numbers.
        generator: a Generator, or None for the global one.

    Returns:
        A Tensor of the broadcast shape; Float32, or Float64 where `mean` or `std` is.

    Follows: mindspore.mint.normal (2.10).
    """
    return shift_and_scale("normal", torch.randn, () if size is None else size, mean, std, generator)


def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    """Draw 1 with the probability in each element, else 0.

    Args:
        input: probabilities in [0, 1], of any shape.
        generator: draws the numbers; None for the default one.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.bernoulli (2.10).
    """
    return functions.bernoulli(input, input, generator)


def _shape_of(size: tuple[Any, ...]) -> Any:
    return size[0] if len(size) == 1 else size


def _on_context(op: str, device: str | None) -> None:
    if device is not None:
        without_effect(f"mindspore.mint.{op}.device", device)
