"""The Laplace distribution."""

from msbridge.core.runtime.changed_defaults import with_defaults
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.nn.probability._base.parametric import MeanAndDeviation
from msbridge.ops.elementwise.elementwise.functions import log

__all__ = ["Laplace"]


class Laplace(MeanAndDeviation):
    """The Laplace distribution; it has `prob` and `log_prob` only.

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

    __init__ = with_defaults(MeanAndDeviation.__init__, dtype=mstype.float32, name="Laplace")

    def _log_prob(self, value: Tensor, mean: Tensor | None = None, sd: Tensor | None = None) -> Tensor:
        value = self._cast_value(value)
        mean, sd = self._check_param_type(mean, sd)
        return -((value - mean) / sd).abs() - log(2.0 * sd)
