"""The Cauchy distribution."""

import math
from typing import Any, Never

from msbridge.core.runtime.changed_defaults import with_defaults
from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.probability._base.checks import same_distribution
from msbridge.nn.probability._base.parametric import LocationAndScale
from msbridge.ops.elementwise.elementwise.functions import log, log1p, square
from msbridge.ops.elementwise.trigonometry.functions import atan, tan

__all__ = ["Cauchy"]


def _raise_undefined(moment: str) -> Never:
    raise ValueError(f"{moment} is undefined for Cauchy distribution.")


class Cauchy(LocationAndScale):
    """The Cauchy distribution, which has no mean and no variance.

    Args:
        loc: the middle.
        scale: half the width at half the height, positive.
        seed: starts the sequence that samples are drawn from.
        dtype: floating; of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is not floating, or a parameter is neither a number, a list, an array nor a Tensor.
        ValueError: `scale` is not positive; or `mean`, `sd` or `var` is asked for.

    Follows: mindspore.nn.probability.distribution.Cauchy (2.10).
    """

    _labels = ("location", "scale")
    __init__ = with_defaults(LocationAndScale.__init__, dtype=mstype.float32, name="Cauchy")
    loc: Tensor | None = read_only("_loc", "The middle.")
    scale: Tensor | None = read_only("_scale", "Half the width at half the height.")

    def _mode(self, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        return self._check_param_type(loc, scale)[0]

    def _mean(self, *args: Any, **kwargs: Any) -> Never:
        _raise_undefined("mean")

    def _sd(self, *args: Any, **kwargs: Any) -> Never:
        _raise_undefined("standard deviation")

    def _var(self, *args: Any, **kwargs: Any) -> Never:
        _raise_undefined("variance")

    def _entropy(self, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        return log(self._check_param_type(loc, scale)[1]) + math.log(4 * math.pi)

    def _log_prob(self, value: Tensor, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        loc, scale = self._check_param_type(loc, scale)
        return -log1p(square((value - loc) / scale)) - log(math.pi * scale)

    def _cdf(self, value: Tensor, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        loc, scale = self._check_param_type(loc, scale)
        return atan((value - loc) / scale) / math.pi + 0.5

    def _log_cdf(self, value: Tensor, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        loc, scale = self._check_param_type(loc, scale)
        return log1p(2.0 * atan((value - loc) / scale) / math.pi) - math.log(2)

    def _quantile(self, p: Tensor, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        loc, scale = self._check_param_type(loc, scale)
        return loc + scale * tan(math.pi * (p - 0.5))

    def _kl_loss(
        self, dist: str, loc_b: Tensor, scale_b: Tensor, loc_a: Tensor | None = None, scale_a: Tensor | None = None
    ) -> Tensor:
        same_distribution(dist, "Cauchy")
        loc, scale = self._check_param_type(loc_a, scale_a)
        loc_b, scale_b = self._other_parameters((loc_b, "loc_b"), (scale_b, "scale_b"))
        apart = square(scale + scale_b) + square(loc - loc_b)
        return log(apart) - math.log(4) - log(scale) - log(scale_b)

    def _sample(self, shape: tuple[int, ...] = (), loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        loc, scale = self._check_param_type(loc, scale)
        return (loc + scale * tan(math.pi * (self._uniform(shape, loc) - 0.5))).astype(self.dtype)
