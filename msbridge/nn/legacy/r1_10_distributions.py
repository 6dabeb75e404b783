"""Distributions of 1.10: what a normal one adds constants to is Float32."""

import math

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.probability.distribution.normal import Normal
from msbridge.ops.elementwise.elementwise.functions import log, square

_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)


def _log_prob(self: Normal, value: Tensor, mean: Tensor | None = None, sd: Tensor | None = None) -> Tensor:
    value = self._cast_value(value)
    mean, sd = self._check_param_type(mean, sd)
    return _widen(-(square(value - mean) / (2.0 * square(sd)))) - (_widen(log(sd)) + _HALF_LOG_2PI)


def _entropy(self: Normal, mean: Tensor | None = None, sd: Tensor | None = None) -> Tensor:
    return _widen(log(self._check_param_type(mean, sd)[1])) + (_HALF_LOG_2PI + 0.5)


def _widen(x: Tensor) -> Tensor:
    return x.astype(mstype.float32) if x.dtype == mstype.float16 else x


OVERRIDES = {
    "nn.probability.distribution.Normal": [Part(Normal, "_entropy", _entropy), Part(Normal, "_log_prob", _log_prob)]
}
