"""The Gumbel distribution."""

import math

import numpy as np

from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import a_tuple, continuous, same_distribution
from msbridge.nn.probability._base.parametric import Value, format_distribution, open_uniform
from msbridge.nn.probability._base.transforming import TransformedDistribution
from msbridge.nn.probability.bijector.gumbel_cdf import GumbelCDF
from msbridge.nn.probability.bijector.invert import Invert
from msbridge.nn.probability.distribution.uniform import Uniform
from msbridge.ops.elementwise.elementwise.functions import exp, expm1, log
from msbridge.ops.elementwise.special.functions import lgamma

__all__ = ["Gumbel"]


class Gumbel(TransformedDistribution):
    """The Gumbel distribution; its parameters are those of the construction.

    Args:
        loc: the mode.
        scale: positive.
        seed: starts the sequence that samples are drawn from.
        dtype: floating; of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` or a parameter is not floating.
        ValueError: `scale` is not positive.

    Follows: mindspore.nn.probability.distribution.Gumbel (2.10).
    """

    def __init__(
        self,
        loc: Value,
        scale: Value,
        seed: int | None = 0,
        dtype: Type = mstype.float32,
        name: str = "Gumbel",
    ) -> None:
        continuous(dtype, type(self).__name__)
        cdf = GumbelCDF(loc, scale)
        super().__init__(Invert(cdf), Uniform(0.0, 1.0, dtype=dtype), seed, name)
        self._reset_parameters()
        self._loc = self._add_parameter(loc, "loc")
        self._scale = self._add_parameter(scale, "scale")
        self._gumbel_bijector = cdf

    loc: Tensor = read_only("_loc", "The mode.")
    scale: Tensor = read_only("_scale", "The scale.")

    def extend_repr(self) -> str:
        return format_distribution(self, ("loc", "scale"))

    def _get_dist_type(self) -> str:
        return "Gumbel"

    def _get_dist_args(self, loc: Tensor | None = None, scale: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return (
            self._loc if loc is None else self._check_value(loc, "loc"),
            self._scale if scale is None else self._check_value(scale, "scale"),
        )

    def _wide_scale(self) -> Tensor:
        return self._check_param_type(None, None)[1]

    def _mean(self) -> Tensor:
        return self._loc + self._scale * np.euler_gamma

    def _mode(self) -> Tensor:
        return self._check_param_type(None, None)[0]

    def _sd(self) -> Tensor:
        return self._wide_scale() * (math.pi / math.sqrt(6))

    def _entropy(self) -> Tensor:
        return log(self._wide_scale()) + (1.0 + np.euler_gamma)

    def _log_prob(self, value: Tensor) -> Tensor:
        z = (self._check_value(value, "value").astype(self.dtype) - self._loc) / self._scale
        return -(z + exp(-z)) - log(self._scale)

    def _cdf(self, value: Tensor) -> Tensor:
        return self._gumbel_bijector("forward", self._check_value(value, "value").astype(self.dtype))

    def _kl_loss(self, dist: str, loc_b: Tensor, scale_b: Tensor) -> Tensor:
        same_distribution(dist, "Gumbel")
        loc_b = self._check_value(loc_b, "loc_b").astype(self.parameter_type)
        scale_b = self._check_value(scale_b, "scale_b").astype(self.parameter_type)
        ratio = self._scale / scale_b
        shift = (loc_b - self._loc) / scale_b
        return -log(ratio) + np.euler_gamma * (ratio - 1.0) - shift + expm1(shift + lgamma(ratio + 1.0))

    def _cross_entropy(self, dist: str, loc_b: Tensor, scale_b: Tensor) -> Tensor:
        return self._kl_loss(dist, loc_b, scale_b) + self._entropy()

    def _sample(self, shape: tuple[int, ...] = ()) -> Tensor:
        drawn = open_uniform(a_tuple(shape, "shape") + (self._broadcast_shape or ()), self.seed)
        return self.bijector("forward", drawn.astype(self.dtype))
