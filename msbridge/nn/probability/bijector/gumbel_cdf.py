"""The Gumbel distribution's function."""

from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.probability._base.checks import positive
from msbridge.nn.probability._base.parametric import Value
from msbridge.nn.probability._base.transforming import Bijector
from msbridge.ops.elementwise.elementwise.functions import exp, log

__all__ = ["GumbelCDF"]


class GumbelCDF(Bijector):
    """Compute exp(-exp(-(x - loc) / scale)).

    Args:
        loc: the mode.
        scale: positive.
        name: of the bijector.

    Raises:
        TypeError: a parameter is not floating, or they differ in dtype.
        ValueError: `scale` is not positive.

    Follows: mindspore.nn.probability.bijector.GumbelCDF (2.10).
    """

    def __init__(self, loc: Value = 0.0, scale: Value = 1.0, name: str = "GumbelCDF") -> None:
        given = {"loc": loc, "scale": scale}
        super().__init__(name=name, param={**given, "name": name, "param_dict": given})
        self._loc = self._add_parameter(loc, "loc")
        self._scale = self._add_parameter(scale, "scale")
        positive(self._scale, "scale")

    loc: Tensor = read_only("_loc", "The mode.")
    scale: Tensor = read_only("_scale", "The scale.")

    def extend_repr(self) -> str:
        if self.is_scalar_batch:
            return f"loc = {self.loc}, scale = {self.scale}"
        return f"batch_shape = {self.batch_shape}"

    def _standard(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = self._check_value_dtype(x)
        scale = self.cast_param_by_value(x, self.scale)
        return (x - self.cast_param_by_value(x, self.loc)) / scale, scale

    def _forward(self, x: Tensor) -> Tensor:
        return exp(-exp(-self._standard(x)[0]))

    def _inverse(self, y: Tensor) -> Tensor:
        y = self._check_value_dtype(y)
        loc, scale = self.cast_param_by_value(y, self.loc), self.cast_param_by_value(y, self.scale)
        return loc - scale * log(-log(y))

    def _forward_log_jacobian(self, x: Tensor) -> Tensor:
        z, scale = self._standard(x)
        return -z - exp(-z) - log(scale)

    def _inverse_log_jacobian(self, y: Tensor) -> Tensor:
        y = self._check_value_dtype(y)
        return log(self.cast_param_by_value(y, self.scale) / (-y * log(y)))
