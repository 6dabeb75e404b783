"""Scaling and shifting."""

from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.probability._base.parametric import Value
from msbridge.nn.probability._base.transforming import Bijector
from msbridge.ops.elementwise.elementwise.functions import log

__all__ = ["ScalarAffine"]


class ScalarAffine(Bijector):
    """Compute scale·x + shift.

    Args:
        scale: the factor.
        shift: the summand.
        name: of the bijector.

    Raises:
        TypeError: a parameter is not floating, or they differ in dtype.

    Follows: mindspore.nn.probability.bijector.ScalarAffine (2.10).
    """

    def __init__(self, scale: Value = 1.0, shift: Value = 0.0, name: str = "ScalarAffine") -> None:
        given = {"scale": scale, "shift": shift}
        param = {**given, "name": name, "param_dict": given}
        super().__init__(is_constant_jacobian=True, is_injective=True, name=name, param=param)
        self._scale = self._add_parameter(scale, "scale")
        self._shift = self._add_parameter(shift, "shift")

    scale: Tensor = read_only("_scale", "The factor.")
    shift: Tensor = read_only("_shift", "The summand.")

    def extend_repr(self) -> str:
        if self.is_scalar_batch:
            return f"scale = {self.scale}, shift = {self.shift}"
        return f"batch_shape = {self.batch_shape}"

    def _parts(self, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        value = self._check_value_dtype(value)
        return value, self.cast_param_by_value(value, self.scale), self.cast_param_by_value(value, self.shift)

    def _forward(self, x: Tensor) -> Tensor:
        x, scale, shift = self._parts(x)
        return scale * x + shift

    def _inverse(self, y: Tensor) -> Tensor:
        y, scale, shift = self._parts(y)
        return (y - shift) / scale

    def _forward_log_jacobian(self, x: Tensor) -> Tensor:
        return log(self._parts(x)[1].abs())

    def _inverse_log_jacobian(self, y: Tensor) -> Tensor:
        return -log(self._parts(y)[1].abs())
