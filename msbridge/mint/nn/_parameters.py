"""Initialization of the parameters of mint's layers."""

from msbridge.core.parameter.initializer import HeUniform, Uniform
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.layers.parameter_init import make_parameter


def kind_of(dtype: Type | None) -> Type:
    """Return the dtype of a layer's parameters: Float32 by default."""
    return mstype.float32 if dtype is None else dtype


def draw_weight(shape: tuple[int, ...], dtype: Type) -> Parameter:
    """Return a weight with torch's initialization."""
    return make_parameter(HeUniform(5**0.5), shape, dtype, "weight")


def draw_bias(length: int, fan_in: int, dtype: Type) -> Parameter:
    """Return a bias, uniform in ±1/√fan_in."""
    return make_parameter(Uniform(1 / fan_in**0.5), (length,), dtype, "bias")
