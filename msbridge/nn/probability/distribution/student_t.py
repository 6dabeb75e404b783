"""Student's t-distribution."""

import math

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import continuous, positive
from msbridge.nn.probability._base.parametric import Parametric, Value
from msbridge.ops.elementwise.elementwise.functions import log, log1p, square
from msbridge.ops.elementwise.special.functions import lgamma

__all__ = ["StudentT"]


class StudentT(Parametric):
    """Student's t-distribution; it has `prob` and `log_prob` only.

    Args:
        df: the degrees of freedom, positive.
        mean: the middle.
        sd: the scale, positive.
        seed: starts the sequence that samples are drawn from.
        dtype: floating; of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is not floating, or a parameter is neither a number, a list, an array nor a Tensor.
        ValueError: `df` or `sd` is not positive.

    Follows: mindspore.nn.probability.distribution.StudentT (2.10).
    """

    def __init__(
        self,
        df: Value = None,
        mean: Value = None,
        sd: Value = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "StudentT",
    ) -> None:
        super().__init__({"df": df, "mean": mean, "sd": sd}, seed, continuous(dtype, type(self).__name__), name)
        self._df_value = self._add_parameter(df, "df")
        self._mean_value = self._add_parameter(mean, "mean")
        self._sd_value = self._add_parameter(sd, "sd")
        positive(self._sd_value, "Standard deviation")
        positive(self._df_value, "Degrees of freedom")

    def _log_prob(
        self, value: Tensor, df: Tensor | None = None, mean: Tensor | None = None, sd: Tensor | None = None
    ) -> Tensor:
        value = self._cast_value(value)
        df, mean, sd = self._check_param_type(df, mean, sd)
        half = 0.5 * (df + 1.0)
        norm = log(sd.abs()) + 0.5 * log(df) + 0.5 * math.log(math.pi) + lgamma(0.5 * df) - lgamma(half)
        return -half * log1p(square((value - mean) / sd) / df) - norm
