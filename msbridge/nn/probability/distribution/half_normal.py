"""The half-normal distribution."""

import math

from msbridge.core.runtime.changed_defaults import with_defaults
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.probability._base.parametric import MeanAndDeviation
from msbridge.ops.elementwise.elementwise.functions import exp, square

__all__ = ["HalfNormal"]


class HalfNormal(MeanAndDeviation):
    """Twice the upper half of a normal distribution; it has `prob` and `log_prob` only.

    The density is zero below 0, wherever `mean` is.

    Args:
        mean: the lower bound.
        sd: the standard deviation of the whole, positive.
        seed: starts the sequence that samples are drawn from.
        dtype: floating; of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is not floating, or a parameter is neither a number, a list, an array nor a Tensor.
        ValueError: `sd` is not positive.

    Follows: mindspore.nn.probability.distribution.HalfNormal (2.10).
    """

    __init__ = with_defaults(MeanAndDeviation.__init__, dtype=mstype.float32, name="HalfNormal")

    def _prob(self, value: Tensor, mean: Tensor | None = None, sd: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        mean, sd = self._check_param_type(mean, sd)
        density = math.sqrt(2 / math.pi) / sd * exp(-0.5 * square((value - mean) / sd))
        return density * (value >= 0).astype(self.dtype)
