"""Methods of Tensor: the functions themselves where the arguments are the same."""

from typing import Any

import torch

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.faces import same
from msbridge.ops.framework.memory_layout.methods import clone
from msbridge.ops.random.choices import functions as choices
from msbridge.ops.random.distributions import functions as random
from msbridge.ops.random.redrawing import functions as redrawing


def bernoulli(self: Tensor, *, generator: Any = None) -> Tensor:
    """Draw 1 with the probability in each element, else 0.

    Args:
        self: probabilities, any shape; floats.
        generator: a Generator, or None for the global one.

    Returns:
        A Tensor of the same shape and dtype.

    Follows: mindspore.Tensor.bernoulli (2.10).
    """
    return random.bernoulli(self, self, generator)


@explaining
def cauchy(self: Tensor, median: float = 0.0, sigma: float = 1.0) -> Tensor:
    """Draw a tensor of this shape and dtype from the Cauchy distribution.

    Args:
        self: any shape.
        median: the middle.
        sigma: the scale, positive.

    Returns:
        A Tensor of the same shape; Float32.

    Follows: mindspore.Tensor.cauchy (2.10).
    """
    drawn = torch.empty_like(self._data, dtype=self._data.dtype if self._data.is_floating_point() else torch.float32)
    return wrap(drawn.cauchy_(median, sigma).to(self._data.dtype))


@explaining
def log_normal(self: Tensor, mean: float = 1.0, std: float = 2.0) -> Tensor:
    """Draw a tensor of this shape from the log-normal distribution.

    Args:
        self: any shape; floats.
        mean: of the logarithm.
        std: its standard deviation.

    Returns:
        A Tensor of the same shape and dtype.

    Follows: mindspore.Tensor.log_normal (2.10).
    """
    return wrap(torch.empty_like(self._data).log_normal_(mean, std))


def uniform(self: Tensor, from_: float = 0.0, to: float = 1.0, generator: Any = None) -> Tensor:
    """Draw a tensor of this shape and dtype from [from_, to).

    Args:
        self: any shape; floats.
        from_: the lower end.
        to: the upper one, exclusive.
        generator: a Generator, or None for the global one.

    Returns:
        A Tensor of the same shape and dtype.

    Follows: mindspore.Tensor.uniform (2.10).
    """
    return redrawing.uniform_(clone(self), from_, to, generator=generator)


SAME = same(choices, "multinomial random_categorical") | same(
    redrawing, "bernoulli_ exponential_ normal_ random_ uniform_"
)
