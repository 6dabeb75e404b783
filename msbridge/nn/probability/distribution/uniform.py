"""The uniform distribution."""

import math

from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import below, continuous, same_distribution
from msbridge.nn.probability._base.parametric import Parametric, Value
from msbridge.ops.elementwise.elementwise.functions import log, square
from msbridge.ops.shape.gather_and_select.functions import where

__all__ = ["Uniform"]


class Uniform(Parametric):
    """The uniform distribution over [low, high].

    Args:
        low: the lower bound.
        high: the upper bound.
        seed: starts the sequence that samples are drawn from.
        dtype: floating; of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is not floating, or a bound is neither a number, a list, an array nor a Tensor.
        ValueError: `low` is not less than `high`.

    Follows: mindspore.nn.probability.distribution.Uniform (2.10).
    """

    _labels = ("low", "high")

    def __init__(
        self,
        low: Value = None,
        high: Value = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "Uniform",
    ) -> None:
        super().__init__({"low": low, "high": high}, seed, continuous(dtype, type(self).__name__), name)
        self._low = self._add_parameter(low, "low")
        self._high = self._add_parameter(high, "high")
        below(self._low, self._high)

    low: Tensor | None = read_only("_low", "The lower bound.")
    high: Tensor | None = read_only("_high", "The upper bound.")

    def _get_dist_args(self, low: Tensor | None = None, high: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return self._or_default(low, high)

    def _range(self, low: Tensor | None = None, high: Tensor | None = None) -> Tensor:
        low, high = self._check_param_type(low, high)
        return high - low

    def _mean(self, low: Tensor | None = None, high: Tensor | None = None) -> Tensor:
        low, high = self._check_param_type(low, high)
        return (low + high) / 2.0

    def _var(self, low: Tensor | None = None, high: Tensor | None = None) -> Tensor:
        return square(self._range(low, high)) / 12.0

    def _entropy(self, low: Tensor | None = None, high: Tensor | None = None) -> Tensor:
        return log(self._range(low, high))

    def _prob(self, value: Tensor, low: Tensor | None = None, high: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        low, high = self._check_param_type(low, high)
        return where((value >= low).logical_and(value <= high), 1.0 / (high - low), 0.0)

    def _cdf(self, value: Tensor, low: Tensor | None = None, high: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        low, high = self._check_param_type(low, high)
        return where(value < low, 0.0, where(value < high, (value - low) / (high - low), 1.0))

    def _kl_loss(
        self, dist: str, low_b: Tensor, high_b: Tensor, low: Tensor | None = None, high: Tensor | None = None
    ) -> Tensor:
        same_distribution(dist, "Uniform")
        low_b, high_b = self._other_parameters((low_b, "low_b"), (high_b, "high_b"))
        low, high = self._check_param_type(low, high)
        is_inside = (low_b <= low).logical_and(high <= high_b)
        return where(is_inside, log(high_b - low_b) - log(high - low), math.inf)

    def _sample(self, shape: tuple[int, ...] = (), low: Tensor | None = None, high: Tensor | None = None) -> Tensor:
        low, high = self._check_param_type(low, high)
        return ((high - low) * self._uniform(shape, low) + low).astype(self.dtype)
