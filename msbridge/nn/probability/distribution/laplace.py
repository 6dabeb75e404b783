"""The Laplace distribution."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import continuous, positive
from msbridge.nn.probability._base.parametric import Parametric, Value
from msbridge.ops.elementwise.elementwise.functions import log

__all__ = ["Laplace"]


class Laplace(Parametric):
    """The Laplace distribution; it has `prob` and `log_prob` alone.

    Args:
        mean: the middle.
        sd: the scale, positive.
        seed: starts the sequence that samples are drawn from.
        dtype: floating; of the samples.
        name: of the distribution.

    Raises:
        TypeError: `dtype` is not floating, or a parameter is neither a number, a list, an array nor a Tensor.
        ValueError: `sd` is not positive.

    Follows: mindspore.nn.probability.distribution.Laplace (2.10).
    """

    def __init__(
        self,
        mean: Value = None,
        sd: Value = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "Laplace",
    ) -> None:
        super().__init__({"mean": mean, "sd": sd}, seed, continuous(dtype, type(self).__name__), name)
        self._mean_value = self._add_parameter(mean, "mean")
        self._sd_value = self._add_parameter(sd, "sd")
        positive(self._sd_value, "Standard deviation")

    def _log_prob(self, value: Tensor, mean: Tensor | None = None, sd: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        mean, sd = self._check_param_type(mean, sd)
        return -((value - mean) / sd).abs() - log(2.0 * sd)
