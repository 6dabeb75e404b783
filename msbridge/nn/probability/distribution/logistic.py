"""The logistic distribution."""

import math

from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import continuous, positive
from msbridge.nn.probability._base.parametric import Parametric, Value
from msbridge.ops.elementwise.activation.functions import logsigmoid, sigmoid
from msbridge.ops.elementwise.elementwise.functions import log, log1p

__all__ = ["Logistic"]


class Logistic(Parametric):
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

    def __init__(
        self,
        loc: Value = None,
        scale: Value = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "Logistic",
    ) -> None:
        super().__init__({"loc": loc, "scale": scale}, seed, continuous(dtype, type(self).__name__), name)
        self._loc = self._add_parameter(loc, "loc")
        self._scale = self._add_parameter(scale, "scale")
        positive(self._scale, "scale")

    loc: Tensor | None = read_only("_loc", "The middle.")
    scale: Tensor | None = read_only("_scale", "The scale.")

    def _get_dist_args(self, loc: Tensor | None = None, scale: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return self._or_default(loc, scale)

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
