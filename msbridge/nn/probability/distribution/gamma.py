"""The gamma distribution."""

import math

from msbridge.core.checks.arguments import is_number
from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import a_tuple, continuous, positive, same_distribution
from msbridge.nn.probability._base.parametric import Parametric, Value
from msbridge.ops.elementwise.elementwise.functions import log, sqrt, square
from msbridge.ops.elementwise.special.functions import digamma, igamma, lgamma
from msbridge.ops.random.distributions.functions import gamma
from msbridge.ops.shape.gather_and_select.functions import where

__all__ = ["Gamma"]


class Gamma(Parametric):
    """The gamma distribution.

    Args:
        concentration: the shape, α, positive; no number, but a list, an array or a Tensor.
        rate: β, positive; no number either.
        seed: starts the sequence that samples are drawn from.
        dtype: floating; of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is not floating, or a parameter is a number.
        ValueError: a parameter is not positive.

    Follows: mindspore.nn.probability.distribution.Gamma (2.10); samples, which its CPU build does not draw, by numpy.
    """

    _labels = ("concentration", "rate")

    def __init__(
        self,
        concentration: Value = None,
        rate: Value = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "Gamma",
    ) -> None:
        continuous(dtype, type(self).__name__)
        given = {"concentration": concentration, "rate": rate}
        for key, value in given.items():
            if is_number(value):
                raise TypeError(f"Input {key} can't be scalar")
        super().__init__(given, seed, dtype, name)
        self._concentration = self._add_parameter(concentration, "concentration")
        self._rate = self._add_parameter(rate, "rate")
        positive(self._concentration, "concentration")
        positive(self._rate, "rate")

    concentration: Tensor | None = read_only("_concentration", "The shape, α.")
    rate: Tensor | None = read_only("_rate", "The rate, β.")

    def _get_dist_args(self, concentration: Tensor | None = None, rate: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return self._or_default(concentration, rate)

    def _mean(self, concentration: Tensor | None = None, rate: Tensor | None = None) -> Tensor:
        concentration, rate = self._check_param_type(concentration, rate)
        return concentration / rate

    def _var(self, concentration: Tensor | None = None, rate: Tensor | None = None) -> Tensor:
        concentration, rate = self._check_param_type(concentration, rate)
        return concentration / square(rate)

    def _sd(self, concentration: Tensor | None = None, rate: Tensor | None = None) -> Tensor:
        concentration, rate = self._check_param_type(concentration, rate)
        return sqrt(concentration) / rate

    def _mode(self, concentration: Tensor | None = None, rate: Tensor | None = None) -> Tensor:
        concentration, rate = self._check_param_type(concentration, rate)
        return where(concentration > 1, (concentration - 1.0) / rate, math.nan)

    def _entropy(self, concentration: Tensor | None = None, rate: Tensor | None = None) -> Tensor:
        a, b = self._check_param_type(concentration, rate)
        return a - log(b) + lgamma(a) + (1.0 - a) * digamma(a)

    def _log_prob(self, value: Tensor, concentration: Tensor | None = None, rate: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        a, b = self._check_param_type(concentration, rate)
        return (a - 1.0) * log(value) - b * value - (lgamma(a) - a * log(b))

    def _cdf(self, value: Tensor, concentration: Tensor | None = None, rate: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        concentration, rate = self._check_param_type(concentration, rate)
        return igamma(concentration, rate * value)

    def _kl_loss(
        self,
        dist: str,
        concentration_b: Tensor,
        rate_b: Tensor,
        concentration_a: Tensor | None = None,
        rate_a: Tensor | None = None,
    ) -> Tensor:
        same_distribution(dist, "Gamma")
        a, rate = self._check_param_type(concentration_a, rate_a)
        b, rate_b = self._other_parameters((concentration_b, "concentration_b"), (rate_b, "rate_b"))
        shapes = (a - b) * digamma(a) + lgamma(b) - lgamma(a)
        return shapes + b * (log(rate) - log(rate_b)) + a * (rate_b / rate - 1.0)

    def _sample(
        self, shape: tuple[int, ...] = (), concentration: Tensor | None = None, rate: Tensor | None = None
    ) -> Tensor:
        a, b = self._check_param_type(concentration, rate)
        return gamma(a_tuple(shape, "shape") + a.shape, a, b, self.seed).astype(self.dtype)
