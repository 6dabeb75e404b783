"""Methods of Tensor."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.random.choices import functions
from msbridge.ops.random.distributions import functions as random


def bernoulli(self: Tensor, *, generator: Any = None) -> Tensor:
    """Draw 1 with the probability that each element gives, else 0.

    Follows: mindspore.Tensor.bernoulli (2.10).
    """
    return random.bernoulli(self, self, generator)


SAME = same(functions, "multinomial random_categorical")
