"""Random numbers that take the place of a Tensor's elements."""

from typing import Any

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.item_assignment import writable
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.random.distributions.kernels import generator_of


@explaining
def uniform_(input: Tensor, from_: float = 0, to: float = 1, *, generator: Any = None) -> Tensor:
    """Draw every element again from [from_, to).

    Args:
        input: changed in place; floats.
        from_: the lower end.
        to: the upper one, exclusive.
        generator: a Generator, or None for the global one.

    Returns:
        `input` itself.

    Follows: mindspore.Tensor.uniform_ (2.10).
    """
    writable(input).uniform_(from_, to, generator=generator_of(generator))
    return input


@explaining
def normal_(input: Tensor, mean: float = 0, std: float = 1, *, generator: Any = None) -> Tensor:
    """Draw every element again from a normal distribution.

    Args:
        input: changed in place; floats.
        mean: the middle.
        std: the standard deviation.
        generator: a Generator, or None for the global one.

    Returns:
        `input` itself.

    Follows: mindspore.Tensor.normal_ (2.10).
    """
    writable(input).normal_(mean, std, generator=generator_of(generator))
    return input


@explaining
def bernoulli_(input: Tensor, p: float | Tensor = 0.5, *, generator: Any = None) -> Tensor:
    """Draw every element again: 1 with probability `p`, else 0.

    Args:
        input: changed in place.
        p: in [0, 1]; a number, or a Tensor that broadcasts to `input`.
        generator: a Generator, or None for the global one.

    Returns:
        `input` itself.

    Follows: mindspore.Tensor.bernoulli_ (2.10).
    """
    chance = p._data if isinstance(p, Tensor) else p
    writable(input).bernoulli_(chance, generator=generator_of(generator))
    return input


@explaining
def random_(input: Tensor, from_: int = 0, to: int | None = None, *, generator: Any = None) -> Tensor:
    """Draw every element again from the integers of [from_, to).

    Args:
        input: changed in place.
        from_: the least integer.
        to: the end, exclusive; None for what the dtype holds.
        generator: a Generator, or None for the global one.

    Returns:
        `input` itself.

    Follows: mindspore.Tensor.random_ (2.10).
    """
    data = writable(input)
    if to is None:
        data.random_(generator=generator_of(generator))
    else:
        data.random_(from_, to, generator=generator_of(generator))
    return input


@explaining
def exponential_(input: Tensor, lambd: float = 1, *, generator: Any = None) -> Tensor:
    """Draw every element again from the exponential distribution of rate `lambd`.

    Args:
        input: changed in place; floats.
        lambd: the rate, positive.
        generator: a Generator, or None for the global one.

    Returns:
        `input` itself.

    Follows: mindspore.Tensor.exponential_ (2.10).
    """
    writable(input).exponential_(lambd, generator=generator_of(generator))
    return input
