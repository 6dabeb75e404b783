"""The normal distribution."""

import math

from msbridge.core.runtime.changed_defaults import with_defaults
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.probability._base.checks import a_tuple, same_distribution
from msbridge.nn.probability._base.parametric import MeanAndDeviation
from msbridge.ops.elementwise.elementwise.functions import expm1, log, square
from msbridge.ops.elementwise.special.functions import erf
from msbridge.ops.random.distributions.functions import normal

__all__ = ["Normal"]

_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)


class Normal(MeanAndDeviation):
    """The normal distribution.

    Args:
        mean: the middle.
        sd: the standard deviation, positive.
        seed: starts the sequence that samples are drawn from.
        dtype: floating; of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is not floating, or a parameter is neither a number, a list, an array nor a Tensor.
        ValueError: `sd` is not positive.

    Follows: mindspore.nn.probability.distribution.Normal (2.10).
    """

    _labels = ("mean", "standard deviation")

    __init__ = with_defaults(MeanAndDeviation.__init__, dtype=mstype.float32, name="Normal")

    def _get_dist_args(self, mean: Tensor | None = None, sd: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return self._or_default(mean, sd)

    def _mean(self, mean: Tensor | None = None, sd: Tensor | None = None) -> Tensor:
        return self._check_param_type(mean, sd)[0]

    _mode = _mean

    def _sd(self, mean: Tensor | None = None, sd: Tensor | None = None) -> Tensor:
        return self._check_param_type(mean, sd)[1]

    def _entropy(self, mean: Tensor | None = None, sd: Tensor | None = None) -> Tensor:
        mean, sd = self._check_param_type(mean, sd)
        return log(sd) + (_HALF_LOG_2PI + 0.5)

    def _log_prob(self, value: Tensor, mean: Tensor | None = None, sd: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        mean, sd = self._check_param_type(mean, sd)
        return -0.5 * square((value - mean) / sd) - log(sd) - _HALF_LOG_2PI

    def _cdf(self, value: Tensor, mean: Tensor | None = None, sd: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        mean, sd = self._check_param_type(mean, sd)
        return 0.5 * (1.0 + erf((value - mean) / (sd * math.sqrt(2))))

    def _kl_loss(
        self, dist: str, mean_b: Tensor, sd_b: Tensor, mean: Tensor | None = None, sd: Tensor | None = None
    ) -> Tensor:
        same_distribution(dist, "Normal")
        mean_b, sd_b = self._other_parameters((mean_b, "mean_b"), (sd_b, "sd_b"))
        mean, sd = self._check_param_type(mean, sd)
        ratio = log(sd) - log(sd_b)
        return 0.5 * square((mean - mean_b) / sd_b) + 0.5 * expm1(2.0 * ratio) - ratio

    def _sample(self, shape: tuple[int, ...] = (), mean: Tensor | None = None, sd: Tensor | None = None) -> Tensor:
        mean, sd = self._check_param_type(mean, sd)
        return normal(a_tuple(shape, "shape") + mean.shape, mean, sd, self.seed).astype(self.dtype)
