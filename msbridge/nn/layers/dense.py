"""Fully connected layers."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from msbridge.core.checks.arguments import boolean, positive_int
from msbridge.core.parameter.initializer import Uniform
from msbridge.core.releases.rows import Default
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.activations.activation import get_activation
from msbridge.nn.layers.parameter_init import Init, make_parameter, weight_and_bias_init
from msbridge.ops.kernel_calls.half_precision import linear_tensors
from msbridge.ops.neural.convolution.functions import bidense
from msbridge.ops.neural.convolution.kernels import explain_linear
from msbridge.ops.operations import BiasAdd, MatMul, Reshape, Shape
from msbridge.ops.primitive.primitive import Primitive

__all__ = ["BiDense", "Dense", "Identity", "Linear"]
_DRAWN = Default("nn.Dense.weight_init", "he_uniform")


def _make_activation(activation: Any, op: str) -> Callable[[Tensor], Tensor] | None:
    if activation is None or isinstance(activation, Cell | Primitive):
        return activation
    if isinstance(activation, str):
        return get_activation(activation)
    raise TypeError(
        f"For '{op}', the 'activation' must be str or Cell or Primitive, but got {type(activation).__name__}."
    )


def _check_init_shape(init: Any, shape: tuple[int, ...], name: str, op: str) -> None:
    if isinstance(init, Tensor) and init.shape != shape:
        raise ValueError(f"For '{op}', the shape of '{name}' must be {shape}, but got {init.shape}.")


class Dense(Cell):
    """Compute activation(x @ weight.T + bias).

    Args:
        in_channels: length of the input's last axis.
        out_channels: length of the output's last axis.
        weight_init: fills `weight`, shape (out_channels, in_channels); None for the release's default.
        bias_init: fills `bias`, shape (out_channels,); None for the release's default.
        has_bias: whether there is a bias.
        activation: a name, Cell or Primitive applied at the end.
        dtype: of the parameters.

    Inputs:
        x: shape (..., in_channels), of the parameters' dtype.

    Outputs:
        A Tensor of shape (..., out_channels) and that dtype.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a size is not positive, or a Tensor to fill with has another shape.

    Examples:
        >>> nn.Dense(2, 3)(ops.ones((4, 2), ms.float32)).shape
        (4, 3)

    Follows: mindspore.nn.Dense (2.10).
    """

    # Operators for strategies, and for the `construct` of subclasses, which scripts take for given.
    matmul = cached_property(lambda self: MatMul(transpose_b=True))
    bias_add = cached_property(lambda self: BiasAdd())
    reshape = cached_property(lambda self: Reshape())
    shape_op = cached_property(lambda self: Shape())

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Init = None,
        bias_init: Init = None,
        has_bias: bool = True,
        activation: str | Cell | Primitive | None = None,
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        self.in_channels = positive_int(in_channels, "in_channels", self.cls_name)
        self.out_channels = positive_int(out_channels, "out_channels", self.cls_name)
        self.has_bias = boolean(has_bias, "has_bias", self.cls_name)
        weight_init, bias_init = weight_and_bias_init(_DRAWN.value, weight_init, bias_init, in_channels)
        _check_init_shape(weight_init, (out_channels, in_channels), "weight_init", self.cls_name)
        self.weight = make_parameter(weight_init, (out_channels, in_channels), dtype, "weight")
        self.bias = None
        if has_bias:
            _check_init_shape(bias_init, (out_channels,), "bias_init", self.cls_name)
            self.bias = make_parameter(bias_init, (out_channels,), dtype, "bias")
        self.activation = _make_activation(activation, self.cls_name)
        self.activation_flag = self.activation is not None

    def construct(self, x: Tensor) -> Tensor:
        try:
            result = linear_tensors(x, self.weight, self.bias)
        except Exception as error:
            raise explain_linear(error, self.cls_name, x=x, weight=self.weight) from error
        return result if self.activation is None else self.activation(result)

    def _by_operators(self, x: Tensor) -> Tensor:
        rows = x if x.ndim == 2 else self.reshape(x, (-1, x.shape[-1]))
        result = self.matmul(rows, self.weight)
        if self.has_bias:
            result = self.bias_add(result, self.bias)
        if self.activation is not None:
            result = self.activation(result)
        return result if x.ndim == 2 else self.reshape(result, (*x.shape[:-1], self.out_channels))

    def extend_repr(self) -> str:
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        if self.has_bias:
            text += f", has_bias={self.has_bias}"
        return text if self.activation is None else f"{text}, activation={self.activation}"


class Linear(Cell):
    """Compute x @ weight.T + bias, in torch's argument names.

    Args:
        in_features: length of the input's last axis.
        out_features: length of the output's last axis.
        bias: whether there is a bias.
        weight_init: fills `weight`, shape (out_features, in_features); None draws evenly from ±1/√in_features.
        bias_init: fills `bias`, shape (out_features,); None likewise.
        dtype: of the parameters; None for Float32.

    Inputs:
        x: shape (..., in_features), of the parameters' dtype.

    Outputs:
        A Tensor of shape (..., out_features) and that dtype.

    Follows: mindspore.nn.Linear (2.10).
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        weight_init: Init = None,
        bias_init: Init = None,
        dtype: Type | None = None,
    ) -> None:
        super().__init__()
        self.in_features = positive_int(in_features, "in_features", self.cls_name)
        self.out_features = positive_int(out_features, "out_features", self.cls_name)
        self.has_bias = boolean(bias, "bias", self.cls_name)
        kind = mstype.float32 if dtype is None else dtype
        weight_init, bias_init = weight_and_bias_init(_DRAWN.value, weight_init, bias_init, in_features)
        self.weight = make_parameter(weight_init, (out_features, in_features), kind, "weight")
        self.bias = make_parameter(bias_init, (out_features,), kind, "bias") if bias else None

    construct = Dense.construct
    activation = None

    def extend_repr(self) -> str:
        text = f"input_features={self.in_features}, output_features={self.out_features}"
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


class BiDense(Cell):
    """Compute x1 @ weight @ x2 + bias, for each output channel.

    Args:
        in1_channels: length of the first input's last axis.
        in2_channels: length of the second input's last axis.
        out_channels: length of the output's last axis.
        weight_init: fills `weight`, shape (out_channels, in1_channels, in2_channels); None draws from ±1/√in1_channels.
        bias_init: fills `bias`, shape (out_channels,); None likewise.
        has_bias: whether there is a bias.
        dtype: of the parameters.

    Inputs:
        input1: shape (..., in1_channels), of the parameters' dtype.
        input2: shape (..., in2_channels), with the same axes before.

    Outputs:
        A Tensor of shape (..., out_channels) and that dtype.

    Follows: mindspore.nn.BiDense (2.10).
    """

    def __init__(
        self,
        in1_channels: int,
        in2_channels: int,
        out_channels: int,
        weight_init: Init = None,
        bias_init: Init = None,
        has_bias: bool = True,
        dtype: Type = mstype.float32,
    ) -> None:
        super().__init__()
        self.in1_channels = positive_int(in1_channels, "in1_channels", self.cls_name)
        self.in2_channels = positive_int(in2_channels, "in2_channels", self.cls_name)
        self.out_channels = positive_int(out_channels, "out_channels", self.cls_name)
        self.has_bias = boolean(has_bias, "has_bias", self.cls_name)
        bound = Uniform(1 / in1_channels**0.5)
        shape = (out_channels, in1_channels, in2_channels)
        _check_init_shape(weight_init, shape, "weight_init", self.cls_name)
        self.weight = make_parameter(bound if weight_init is None else weight_init, shape, dtype, "weight")
        self.bias = None
        if has_bias:
            _check_init_shape(bias_init, shape[:1], "bias_init", self.cls_name)
            self.bias = make_parameter(bound if bias_init is None else bias_init, shape[:1], dtype, "bias")

    def construct(self, input1: Tensor, input2: Tensor) -> Tensor:
        return bidense(input1, input2, self.weight, self.bias)

    def extend_repr(self) -> str:
        text = (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, output_channels={self.out_channels}"
        )
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


class Identity(Cell):
    """Return the input; arguments are accepted and have no effect.

    Args:
        args: without effect.
        kwargs: without effect.

    Inputs:
        input: anything.

    Outputs:
        The input itself.

    Follows: mindspore.nn.Identity (2.10).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def construct(self, input: Any) -> Any:
        return input
