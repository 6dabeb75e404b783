"""The log-normal distribution."""

import math

from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import a_tuple, same_distribution
from msbridge.nn.probability._base.parametric import Value, format_distribution
from msbridge.nn.probability._base.transforming import TransformedDistribution
from msbridge.nn.probability.bijector.exp import Exp
from msbridge.nn.probability.distribution.normal import Normal
from msbridge.ops.elementwise.elementwise.functions import exp, expm1, log, square
from msbridge.ops.shape.gather_and_select.functions import where

__all__ = ["LogNormal"]


class LogNormal(TransformedDistribution):
    """The distribution of exp(x) for x of a normal distribution.

    Args:
        loc: the mean of x.
        scale: the standard deviation of x, positive.
        seed: kept; samples are those of a normal distribution without a seed.
        dtype: floating; of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is not floating, or a parameter is neither a number, a list, an array nor a Tensor.
        ValueError: `scale` is not positive.

    Follows: mindspore.nn.probability.distribution.LogNormal (2.10).
    """

    def __init__(
        self,
        loc: Value = None,
        scale: Value = None,
        seed: int | None = 0,
        dtype: Type = mstype.float32,
        name: str = "LogNormal",
    ) -> None:
        super().__init__(Exp(), Normal(loc, scale, dtype=dtype), seed, name)
        self._reset_parameters()
        self._loc = self._add_parameter(loc, "loc")
        self._scale = self._add_parameter(scale, "scale")

    loc: Tensor | None = read_only("_loc", "The mean of the logarithm.")
    scale: Tensor | None = read_only("_scale", "The standard deviation of the logarithm.")

    def extend_repr(self) -> str:
        return format_distribution(self, ("loc", "scale"))

    def _get_dist_type(self) -> str:
        return "LogNormal"

    def _get_dist_args(self, loc: Tensor | None = None, scale: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return (
            self._loc if loc is None else self._check_value(loc, "loc"),
            self._scale if scale is None else self._check_value(scale, "scale"),
        )

    def _mean(self, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        mean, sd = self._check_param_type(loc, scale)
        return exp(mean + 0.5 * square(sd))

    def _mode(self, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        mean, sd = self._check_param_type(loc, scale)
        return exp(mean - square(sd))

    def _var(self, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        mean, sd = self._check_param_type(loc, scale)
        variance = square(sd)
        return expm1(variance) * exp(2.0 * mean + variance)

    def _entropy(self, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        mean, sd = self._check_param_type(loc, scale)
        return mean + log(sd) + (0.5 + 0.5 * math.log(2 * math.pi))

    def _cdf(self, value: Tensor, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        mean, sd = self._check_param_type(loc, scale)
        below = self.distribution("cdf", self.bijector("inverse", value), mean, sd)
        return where(value > 0, below, 0.0)

    def _log_prob(self, value: Tensor, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        mean, sd = self._check_param_type(loc, scale)
        below = self.distribution("log_prob", self.bijector("inverse", value), mean, sd)
        return below + self.bijector("inverse_log_jacobian", value)

    def _kl_loss(
        self, dist: str, loc_b: Tensor, scale_b: Tensor, loc_a: Tensor | None = None, scale_a: Tensor | None = None
    ) -> Tensor:
        same_distribution(dist, "LogNormal")
        return self.distribution("kl_loss", "Normal", loc_b, scale_b, loc_a, scale_a)

    def _cross_entropy(
        self, dist: str, loc_b: Tensor, scale_b: Tensor, loc_a: Tensor | None = None, scale_a: Tensor | None = None
    ) -> Tensor:
        return self._kl_loss(dist, loc_b, scale_b, loc_a, scale_a) + self._entropy(loc_a, scale_a)

    def _sample(self, shape: tuple[int, ...] = (), loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        mean, sd = self._check_param_type(loc, scale)
        drawn = self.distribution("sample", a_tuple(shape, "shape"), mean, sd)
        return self.bijector("forward", drawn.astype(self.dtype))
