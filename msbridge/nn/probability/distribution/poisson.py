"""The Poisson distribution."""

import math

from msbridge.core.checks.arguments import is_number
from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import a_tuple, discrete, positive
from msbridge.nn.probability._base.parametric import Parametric, Value
from msbridge.ops.elementwise.elementwise.functions import clamp, floor, log
from msbridge.ops.elementwise.special.functions import igamma, lgamma
from msbridge.ops.random.distributions.functions import poisson
from msbridge.ops.shape.gather_and_select.functions import where

__all__ = ["Poisson"]


class Poisson(Parametric):
    """The number of events of a constant rate in a unit of time.

    Args:
        rate: positive; no number, but a list, an array or a Tensor.
        seed: starts the sequence that samples are drawn from.
        dtype: of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is none of numbers, or `rate` is a number.
        ValueError: `rate` is not positive.

    Follows: mindspore.nn.probability.distribution.Poisson (2.10); samples, which its CPU build does not draw, by numpy.
    """

    _labels = ("rate",)

    def __init__(
        self, rate: Value = None, seed: int | None = None, dtype: Type = mstype.float32, name: str = "Poisson"
    ) -> None:
        discrete(dtype, type(self).__name__)
        if is_number(rate):
            raise TypeError("Input rate can't be scalar")
        super().__init__({"rate": rate}, seed, dtype, name)
        self._rate = self._add_parameter(rate, "rate")
        positive(self._rate, "rate")

    rate: Tensor | None = read_only("_rate", "The expected number of events.")

    def _get_dist_args(self, rate: Tensor | None = None) -> tuple[Tensor]:
        return self._or_default(rate)

    def _mean(self, rate: Tensor | None = None) -> Tensor:
        return self._check_param_type(rate)

    _var = _mean

    def _mode(self, rate: Tensor | None = None) -> Tensor:
        return floor(self._check_param_type(rate))

    def _log_prob(self, value: Tensor, rate: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        rate = self._check_param_type(rate)
        count = clamp(value, 0)
        return where(value < 0, -math.inf, log(rate) * count - lgamma(count + 1.0) - rate)

    def _cdf(self, value: Tensor, rate: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        rate = self._check_param_type(rate)
        return where(value < 0, 0.0, 1.0 - igamma(clamp(value, 0) + 1.0, rate))

    def _sample(self, shape: tuple[int, ...] = (), rate: Tensor | None = None) -> Tensor:
        rate = self._check_param_type(rate)
        return poisson(a_tuple(shape, "shape") + rate.shape, rate, self.seed).astype(self.dtype)
