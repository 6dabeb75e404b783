"""The softplus function."""

import math

import numpy as np

from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.probability._base.parametric import Value
from msbridge.nn.probability._base.transforming import Bijector
from msbridge.ops.elementwise.activation.functions import logsigmoid
from msbridge.ops.elementwise.elementwise.functions import exp, expm1, log
from msbridge.ops.shape.gather_and_select.functions import where

__all__ = ["Softplus"]

# Beyond these, 1 is lost beside exp(x), or exp(x) beside 1, in float32.
_LARGE = -math.log(np.finfo(np.float32).eps) - 1
_SMALL = math.exp(-_LARGE)


def _softplus(x: Tensor) -> Tensor:
    is_small, is_large = x < -_LARGE, x > _LARGE
    middle = where(is_small.logical_or(is_large), 1.0, x)  # keeps overflow out of the gradient
    return where(is_small, exp(x), where(is_large, x, log(exp(middle) + 1.0)))


def _inverse_softplus(y: Tensor) -> Tensor:
    is_small, is_large = y < _SMALL, y > _LARGE
    middle = where(is_small.logical_or(is_large), 1.0, y)
    return where(is_small, log(y), where(is_large, y, middle + log(expm1(-middle).abs())))


class Softplus(Bijector):
    """Compute log(1 + exp(sharpness·x)) / sharpness.

    Args:
        sharpness: how close the function comes to x and to 0.
        name: of the bijector.

    Raises:
        TypeError: `sharpness` is not floating.

    Follows: mindspore.nn.probability.bijector.Softplus (2.10).
    """

    def __init__(self, sharpness: Value = 1.0, name: str = "Softplus") -> None:
        given = {"sharpness": sharpness}
        super().__init__(name=name, param={**given, "name": name, "param_dict": given})
        self._sharpness = self._add_parameter(sharpness, "sharpness")

    sharpness: Tensor = read_only("_sharpness", "The sharpness: how close the function comes to x and to 0.")

    def extend_repr(self) -> str:
        return f"sharpness = {self.sharpness}" if self.is_scalar_batch else f"batch_shape = {self.batch_shape}"

    def _scale_by_sharpness(self, value: Tensor) -> tuple[Tensor, Tensor]:
        value = self._check_value_dtype(value)
        sharpness = self.cast_param_by_value(value, self.sharpness)
        return sharpness * value, sharpness

    def _forward(self, x: Tensor) -> Tensor:
        scaled, sharpness = self._scale_by_sharpness(x)
        return _softplus(scaled) / sharpness

    def _inverse(self, y: Tensor) -> Tensor:
        scaled, sharpness = self._scale_by_sharpness(y)
        return _inverse_softplus(scaled) / sharpness

    def _forward_log_jacobian(self, x: Tensor) -> Tensor:
        return logsigmoid(self._scale_by_sharpness(x)[0])

    def _inverse_log_jacobian(self, y: Tensor) -> Tensor:
        scaled, _ = self._scale_by_sharpness(y)
        return scaled - _inverse_softplus(scaled)
