"""The beta distribution."""

import math

from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import a_tuple, continuous, positive, same_distribution
from msbridge.nn.probability._base.parametric import Parametric, Value
from msbridge.ops.elementwise.elementwise.functions import log, log1p, square
from msbridge.ops.elementwise.special.functions import digamma, lgamma
from msbridge.ops.random.distributions.functions import gamma
from msbridge.ops.shape.gather_and_select.functions import where

__all__ = ["Beta"]


def _log_beta(a: Tensor, b: Tensor) -> Tensor:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


class Beta(Parametric):
    """The beta distribution.

    Args:
        concentration1: α, positive; no float, but a list, an array or a Tensor.
        concentration0: β, positive; no float either.
        seed: starts the sequence that samples are drawn from.
        dtype: floating; of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is not floating, or a parameter is a float.
        ValueError: a parameter is not positive.

    Follows: mindspore.nn.probability.distribution.Beta (2.10); samples, which its CPU build does not draw, by numpy.
    """

    _labels = ("concentration1", "concentration0")

    def __init__(
        self,
        concentration1: Value = None,
        concentration0: Value = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "Beta",
    ) -> None:
        continuous(dtype, type(self).__name__)
        given = {"concentration1": concentration1, "concentration0": concentration0}
        for key, value in given.items():
            if isinstance(value, float):
                raise TypeError(f"Input {key} can't be scalar")
        super().__init__(given, seed, dtype, name)
        self._concentration1 = self._add_parameter(concentration1, "concentration1")
        self._concentration0 = self._add_parameter(concentration0, "concentration0")
        positive(self._concentration1, "concentration1")
        positive(self._concentration0, "concentration0")

    concentration1: Tensor | None = read_only("_concentration1", "The exponent of x, α.")
    concentration0: Tensor | None = read_only("_concentration0", "The exponent of 1 - x, β.")

    def _get_dist_args(
        self, concentration1: Tensor | None = None, concentration0: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        return self._or_default(concentration1, concentration0)

    def _mean(self, concentration1: Tensor | None = None, concentration0: Tensor | None = None) -> Tensor:
        a, b = self._check_param_type(concentration1, concentration0)
        return a / (a + b)

    def _var(self, concentration1: Tensor | None = None, concentration0: Tensor | None = None) -> Tensor:
        a, b = self._check_param_type(concentration1, concentration0)
        return a * b / (square(a + b) * (a + b + 1.0))

    def _mode(self, concentration1: Tensor | None = None, concentration0: Tensor | None = None) -> Tensor:
        a, b = self._check_param_type(concentration1, concentration0)
        return where((a > 1).logical_and(b > 1), (a - 1.0) / (a + b - 2.0), math.nan)

    def _entropy(self, concentration1: Tensor | None = None, concentration0: Tensor | None = None) -> Tensor:
        a, b = self._check_param_type(concentration1, concentration0)
        slopes = (a - 1.0) * digamma(a) + (b - 1.0) * digamma(b)
        return _log_beta(a, b) - slopes + (a + b - 2.0) * digamma(a + b)

    def _log_prob(
        self, value: Tensor, concentration1: Tensor | None = None, concentration0: Tensor | None = None
    ) -> Tensor:
        value = self._cast_value(value)
        a, b = self._check_param_type(concentration1, concentration0)
        return (a - 1.0) * log(value) + (b - 1.0) * log1p(-value) - _log_beta(a, b)

    def _kl_loss(
        self,
        dist: str,
        concentration1_b: Tensor,
        concentration0_b: Tensor,
        concentration1_a: Tensor | None = None,
        concentration0_a: Tensor | None = None,
    ) -> Tensor:
        same_distribution(dist, "Beta")
        other = ((concentration1_b, "concentration1_b"), (concentration0_b, "concentration0_b"))
        one_b, zero_b = self._other_parameters(*other)
        one, zero = self._check_param_type(concentration1_a, concentration0_a)
        total, total_b = one + zero, one_b + zero_b
        slopes = digamma(one) * (one_b - one) + digamma(zero) * (zero_b - zero) - digamma(total) * (total_b - total)
        return _log_beta(one_b, zero_b) - _log_beta(one, zero) - slopes

    def _sample(
        self,
        shape: tuple[int, ...] = (),
        concentration1: Tensor | None = None,
        concentration0: Tensor | None = None,
    ) -> Tensor:
        a, b = self._check_param_type(concentration1, concentration0)
        sizes = a_tuple(shape, "shape") + a.shape
        one, zero = gamma(sizes, a, None, self.seed), gamma(sizes, b, None, self.seed)
        return (one / (one + zero)).astype(self.dtype)
