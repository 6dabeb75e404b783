"""The exponential distribution."""

import math

from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import continuous, positive, same_distribution
from msbridge.nn.probability._base.parametric import Parametric, Value
from msbridge.ops.elementwise.elementwise.functions import exp, log
from msbridge.ops.shape.gather_and_select.functions import where

__all__ = ["Exponential"]


class Exponential(Parametric):
    """The waiting time for an event of a constant rate.

    Args:
        rate: events per unit of time, positive.
        seed: starts the sequence that samples are drawn from.
        dtype: floating; of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is not floating, or `rate` is neither a number, a list, an array nor a Tensor.
        ValueError: `rate` is not positive.

    Follows: mindspore.nn.probability.distribution.Exponential (2.10).
    """

    _labels = ("rate",)

    def __init__(
        self, rate: Value = None, seed: int | None = None, dtype: Type = mstype.float32, name: str = "Exponential"
    ) -> None:
        super().__init__({"rate": rate}, seed, continuous(dtype, type(self).__name__), name)
        self._rate = self._add_parameter(rate, "rate")
        positive(self._rate, "rate")

    rate: Tensor | None = read_only("_rate", "Events per unit of time.")

    def _get_dist_args(self, rate: Tensor | None = None) -> tuple[Tensor]:
        return self._or_default(rate)

    def _mean(self, rate: Tensor | None = None) -> Tensor:
        return 1.0 / self._check_param_type(rate)

    _sd = _mean

    def _mode(self, rate: Tensor | None = None) -> Tensor:
        return (self._check_param_type(rate) * 0.0).astype(self.dtype)

    def _entropy(self, rate: Tensor | None = None) -> Tensor:
        return 1.0 - log(self._check_param_type(rate))

    def _log_prob(self, value: Tensor, rate: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        rate = self._check_param_type(rate)
        return where(value < 0, -math.inf, log(rate) - rate * value)

    def _cdf(self, value: Tensor, rate: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        rate = self._check_param_type(rate)
        return where(value < 0, 0.0, 1.0 - exp(-rate * value))

    def _log_survival(self, value: Tensor, rate: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        rate = self._check_param_type(rate)
        return where(value < 0, 0.0, -rate * value)

    def _kl_loss(self, dist: str, rate_b: Tensor, rate: Tensor | None = None) -> Tensor:
        same_distribution(dist, "Exponential")
        other = self._other_parameters((rate_b, "rate_b"))
        rate = self._check_param_type(rate)
        return log(rate) - log(other) + other / rate - 1.0

    def _sample(self, shape: tuple[int, ...] = (), rate: Tensor | None = None) -> Tensor:
        rate = self._check_param_type(rate)
        return (-log(self._uniform(shape, rate)) / rate).astype(self.dtype)
