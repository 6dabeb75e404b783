"""The Bernoulli distribution."""

from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import discrete, probabilities, same_distribution
from msbridge.nn.probability._base.parametric import Parametric, Value
from msbridge.ops.elementwise.elementwise.functions import clamp, floor, log
from msbridge.ops.shape.gather_and_select.functions import where

__all__ = ["Bernoulli"]


class Bernoulli(Parametric):
    """1 with the probability `probs`, else 0.

    Args:
        probs: between 0 and 1.
        seed: starts the sequence that samples are drawn from.
        dtype: of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is none of numbers, or `probs` is neither a number, a list, an array nor a Tensor.
        ValueError: `probs` is not between 0 and 1.

    Follows: mindspore.nn.probability.distribution.Bernoulli (2.10); its `mode` fails there, and is what its
    documentation says here.
    """

    _labels = ("probs",)

    def __init__(
        self, probs: Value = None, seed: int | None = None, dtype: Type = mstype.int32, name: str = "Bernoulli"
    ) -> None:
        super().__init__({"probs": probs}, seed, discrete(dtype, type(self).__name__), name)
        self._probs = self._add_parameter(probs, "probs")
        probabilities(self._probs)

    probs: Tensor | None = read_only("_probs", "The probability of 1.")

    def _get_dist_args(self, probs1: Tensor | None = None) -> tuple[Tensor]:
        return self._or_default(probs1)

    def _mean(self, probs1: Tensor | None = None) -> Tensor:
        return self._check_param_type(probs1)

    def _mode(self, probs1: Tensor | None = None) -> Tensor:
        return (self._check_param_type(probs1) > 0.5).astype(self.dtype)

    def _var(self, probs1: Tensor | None = None) -> Tensor:
        probs = self._check_param_type(probs1)
        return probs * (1.0 - probs)

    def _entropy(self, probs1: Tensor | None = None) -> Tensor:
        probs = self._check_param_type(probs1)
        rest = 1.0 - probs
        return -(rest * log(rest)) - probs * log(probs)

    def _log_prob(self, value: Tensor, probs1: Tensor | None = None) -> Tensor:
        value = self._check_value(value, "value").astype(self.parameter_type)
        probs = self._check_param_type(probs1)
        eps = 2.0**-10 if probs.dtype == mstype.float16 else 2.0**-23
        probs = clamp(probs, eps, 1 - eps)
        return log(probs) * value + log(1.0 - probs) * (1.0 - value)

    def _cdf(self, value: Tensor, probs1: Tensor | None = None) -> Tensor:
        value = floor(self._check_value(value, "value").astype(self.parameter_type))
        rest = 1.0 - self._check_param_type(probs1)
        return where(value < 0, 0.0, where(value < 1, rest, 1.0))

    def _kl_loss(self, dist: str, probs1_b: Tensor, probs1: Tensor | None = None) -> Tensor:
        same_distribution(dist, "Bernoulli")
        other = self._other_parameters((probs1_b, "probs1_b"))
        probs = self._check_param_type(probs1)
        return probs * log(probs / other) + (1.0 - probs) * log((1.0 - probs) / (1.0 - other))

    def _sample(self, shape: tuple[int, ...] = (), probs1: Tensor | None = None) -> Tensor:
        probs = self._check_param_type(probs1)
        return (self._uniform(shape, probs) < probs).astype(self.dtype)
