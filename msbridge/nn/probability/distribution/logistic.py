"""The logistic distribution."""

import math

from msbridge.core.runtime.changed_defaults import with_defaults
from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.probability._base.parametric import LocationAndScale
from msbridge.ops.elementwise.activation.functions import logsigmoid, sigmoid
from msbridge.ops.elementwise.elementwise.functions import log, log1p

__all__ = ["Logistic"]


class Logistic(LocationAndScale):
    """The logistic distribution.

    Args:
        loc: the middle.
        scale: positive.
        seed: starts the sequence that samples are drawn from.
        dtype: floating; of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is not floating, or a parameter is neither a number, a list, an array nor a Tensor.
        ValueError: `scale` is not positive.

    Follows: mindspore.nn.probability.distribution.Logistic (2.10).
    """

    _labels = ("location", "scale")
    __init__ = with_defaults(LocationAndScale.__init__, dtype=mstype.float32, name="Logistic")
    loc: Tensor | None = read_only("_loc", "The middle.")
    scale: Tensor | None = read_only("_scale", "The scale.")

    def _standard(self, value: Tensor, loc: Tensor | None, scale: Tensor | None) -> Tensor:
        value = self._cast_value(value)
        loc, scale = self._check_param_type(loc, scale)
        return (value - loc) / scale

    def _mean(self, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        return self._check_param_type(loc, scale)[0]

    _mode = _mean

    def _sd(self, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        return self._check_param_type(loc, scale)[1] * (math.pi / math.sqrt(3))

    def _entropy(self, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        return log(self._check_param_type(loc, scale)[1]) + 2.0

    def _log_prob(self, value: Tensor, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        z = self._standard(value, loc, scale)
        return 2.0 * logsigmoid(z) - z - log(self._check_param_type(loc, scale)[1])

    def _cdf(self, value: Tensor, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        return sigmoid(self._standard(value, loc, scale))

    def _log_cdf(self, value: Tensor, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        return logsigmoid(self._standard(value, loc, scale))

    def _survival_function(self, value: Tensor, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        return sigmoid(-self._standard(value, loc, scale))

    def _log_survival(self, value: Tensor, loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        return logsigmoid(-self._standard(value, loc, scale))

    def _sample(self, shape: tuple[int, ...] = (), loc: Tensor | None = None, scale: Tensor | None = None) -> Tensor:
        loc, scale = self._check_param_type(loc, scale)
        share = self._uniform(shape, loc)
        return ((log(share) - log1p(-share)) * scale + loc).astype(self.dtype)
