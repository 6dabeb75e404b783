"""Initialization of the parameters of layers."""

from typing import Any

from msbridge.core.parameter.initializer import HeUniform, Initializer, Uniform, initializer
from msbridge.core.parameter.parameter import Parameter, adopt
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type

Init = Tensor | str | Initializer | float | None


def weight_and_bias_init(drawn: str, weight_init: Init, bias_init: Init, fan_in: int) -> tuple[Init, Init]:
    """Replace what is None by the default of the followed release, `drawn`.

    "he_uniform" draws the weight from HeUniform(√5) and the bias from ±1/√fan_in; "normal" from N(0, 0.01²), and zeros.
    """
    if drawn == "normal":
        return ("normal" if weight_init is None else weight_init, "zeros" if bias_init is None else bias_init)
    weight = HeUniform(5**0.5) if weight_init is None else weight_init
    return weight, (Uniform(1 / fan_in**0.5) if bias_init is None else bias_init)


def make_parameter(
    init: Any, shape: tuple[int, ...] | list[int], dtype: Type, name: str | None, requires_grad: bool = True
) -> Parameter:
    """Return an initialized Parameter: a copy of a Tensor, without a copy of what is drawn for it."""
    made = initializer(init, shape, dtype)
    if isinstance(init, Tensor):
        return Parameter(made, name=name, requires_grad=requires_grad)
    parameter = adopt(made._data, name)
    parameter.requires_grad = requires_grad
    return parameter
