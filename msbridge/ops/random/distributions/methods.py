"""Methods of Tensor."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.contents import same
from msbridge.ops.framework.memory_layout.methods import clone
from msbridge.ops.random.distributions import functions


def cauchy(self: Tensor, median: float = 0.0, sigma: float = 1.0) -> Tensor:
    """Draw a tensor of this shape from the Cauchy distribution, Float32.

    Follows: mindspore.Tensor.cauchy (2.10).
    """
    return wrap(torch.empty_like(self._data, dtype=torch.float32).cauchy_(median, sigma))


def log_normal(self: Tensor, mean: float = 1.0, std: float = 2.0) -> Tensor:
    """Draw a tensor of this shape from the log-normal distribution.

    Follows: mindspore.Tensor.log_normal (2.10).
    """
    return wrap(torch.empty_like(self._data).log_normal_(mean, std))


def uniform(self: Tensor, from_: float = 0.0, to: float = 1.0, generator: Any = None) -> Tensor:
    """Draw a tensor of this shape and dtype from [from_, to).

    Follows: mindspore.Tensor.uniform (2.10).
    """
    return functions.uniform_(clone(self), from_, to, generator=generator)


SAME = same(functions, "bernoulli_ exponential_ normal_ random_ uniform_")
