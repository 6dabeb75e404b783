"""Powers, and the exponential function as their limit."""

from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.probability._base.checks import not_negative
from msbridge.nn.probability._base.parametric import Value
from msbridge.nn.probability._base.transforming import Bijector
from msbridge.ops.elementwise.elementwise.functions import exp, expm1, log, log1p
from msbridge.ops.shape.gather_and_select.functions import where

__all__ = ["PowerTransform"]


class PowerTransform(Bijector):
    """Compute (1 + power·x)^(1 / power), and exp(x) where the power is 0.

    Args:
        power: zero or more.
        name: of the bijector.

    Raises:
        TypeError: `power` is not floating.
        ValueError: `power` is negative.

    Follows: mindspore.nn.probability.bijector.PowerTransform (2.10).
    """

    def __init__(self, power: Value = 0.0, name: str = "PowerTransform") -> None:
        super().__init__(name=name, param={"power": power, "name": name, "param_dict": {"power": power}})
        self._power = self._add_parameter(power, "power")
        not_negative(self._power, "Power")

    power: Tensor = read_only("_power", "The power.")

    def extend_repr(self) -> str:
        return f"power = {self.power}" if self.is_scalar_batch else f"batch_shape = {self.batch_shape}"

    def _powers(self, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the powers in the dtype of `value`, where they are 0, and 1 in those places."""
        power = self.cast_param_by_value(value, self.power)
        is_zero = power == 0
        return power, is_zero, where(is_zero, 1.0, power)

    def _forward(self, x: Tensor) -> Tensor:
        x = self._check_value_dtype(x)
        _, is_zero, safe = self._powers(x)
        return where(is_zero, exp(x), exp(log1p(x * safe) / safe))

    def _inverse(self, y: Tensor) -> Tensor:
        y = self._check_value_dtype(y)
        _, is_zero, safe = self._powers(y)
        return where(is_zero, log(y), expm1(log(y) * safe) / safe)

    def _forward_log_jacobian(self, x: Tensor) -> Tensor:
        x = self._check_value_dtype(x)
        _, is_zero, safe = self._powers(x)
        return where(is_zero, x, (1.0 / safe - 1.0) * log1p(x * safe))

    def _inverse_log_jacobian(self, y: Tensor) -> Tensor:
        y = self._check_value_dtype(y)
        return (self._powers(y)[0] - 1.0) * log(y)
