"""Layers composed of a few others: convolution or dense layer with normalisation and activation, a layer over time."""

from typing import Any

import torch

from msbridge.core.checks.arguments import boolean, instance, integer
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.activations.activation import get_activation
from msbridge.nn.layers.activations.rectifiers import LeakyReLU
from msbridge.nn.layers.convolution import Conv2d
from msbridge.nn.layers.dense import Dense
from msbridge.nn.layers.normalization.batch_norm import BatchNorm1d, BatchNorm2d
from msbridge.nn.layers.parameter_init import Init
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.primitive.primitive import Primitive

__all__ = ["Conv2dBnAct", "DenseBnAct", "TimeDistributed"]


def _make_activation(activation: Any, alpha: float, op: str) -> Any:
    if activation == "leakyrelu":
        return LeakyReLU(alpha)
    if activation is None or isinstance(activation, Cell | Primitive):
        return activation
    if isinstance(activation, str):
        return get_activation(activation)
    raise TypeError(f"For '{op}', the 'activation' must be str or Cell, but got {type(activation).__name__}.")


class Conv2dBnAct(Cell):
    """Convolve, normalise over the batch, activate; the last two if asked for.

    Args:
        in_channels: channels of the input.
        out_channels: channels of the output.
        kernel_size: an int or (height, width).
        stride: an int or (height, width).
        pad_mode: "same", "valid" or "pad".
        padding: with "pad".
        dilation: an int or (height, width).
        group: groups of channels.
        has_bias: whether the convolution has a bias.
        weight_init: fills its weight.
        bias_init: fills its bias.
        has_bn: whether to normalise.
        momentum: of the normalisation.
        eps: of the normalisation.
        activation: a name, Cell or None.
        alpha: slope of "leakyrelu".
        after_fake: whether a conversion for quantisation puts an observer at the end, where there is no activation.

    Inputs:
        x: shape (N, C_in, H, W), Float32.

    Outputs:
        A Tensor of shape (N, C_out, H_out, W_out), Float32.

    Follows: mindspore.nn.Conv2dBnAct (2.10).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        pad_mode: str = "same",
        padding: Sizes = 0,
        dilation: Sizes = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        has_bn: bool = False,
        momentum: float = 0.997,
        eps: float = 1e-5,
        activation: str | Cell | Primitive | None = None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ) -> None:
        super().__init__()
        settings = (stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init)
        self.conv = Conv2d(in_channels, out_channels, kernel_size, *settings)
        self.has_bn = boolean(has_bn, "has_bn", self.cls_name)
        self.after_fake = boolean(after_fake, "after_fake", self.cls_name)
        if has_bn:
            self.batchnorm = BatchNorm2d(out_channels, eps, momentum)
        self.activation = _make_activation(activation, alpha, self.cls_name)
        self.has_act = self.activation is not None

    def construct(self, x: Tensor) -> Tensor:
        x = self.conv(x)
        x = self.batchnorm(x) if self.has_bn else x
        return self.activation(x) if self.has_act else x


class DenseBnAct(Cell):
    """Multiply by a matrix, normalise over the batch, activate; the last two if asked for.

    Args:
        in_channels: length of the input's last axis.
        out_channels: length of the output's last axis.
        weight_init: fills the weight.
        bias_init: fills the bias.
        has_bias: whether the dense layer has a bias.
        has_bn: whether to normalise.
        momentum: of the normalisation.
        eps: of the normalisation.
        activation: a name, Cell or None.
        alpha: slope of "leakyrelu".
        after_fake: whether a conversion for quantisation puts an observer at the end, where there is no activation.

    Inputs:
        x: shape (N, in_channels), Float32.

    Outputs:
        A Tensor of shape (N, out_channels), Float32.

    Follows: mindspore.nn.DenseBnAct (2.10).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        has_bias: bool = True,
        has_bn: bool = False,
        momentum: float = 0.9,
        eps: float = 1e-5,
        activation: str | Cell | Primitive | None = None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ) -> None:
        super().__init__()
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        self.has_bn = boolean(has_bn, "has_bn", self.cls_name)
        self.after_fake = boolean(after_fake, "after_fake", self.cls_name)
        if has_bn:
            self.batchnorm = BatchNorm1d(out_channels, eps, momentum)
        self.activation = _make_activation(activation, alpha, self.cls_name)
        self.has_act = self.activation is not None

    def construct(self, x: Tensor) -> Tensor:
        x = self.dense(x)
        x = self.batchnorm(x) if self.has_bn else x
        return self.activation(x) if self.has_act else x


class TimeDistributed(Cell):
    """Apply a layer to each slice along an axis.

    Args:
        layer: a Cell or Primitive.
        time_axis: which axis the slices are taken along.
        reshape_with_axis: instead of slicing, merge this axis with `time_axis` in front, and apply the layer once.

    Inputs:
        inputs: shape (N, ..., time, ...), of a dtype that the layer takes.

    Outputs:
        A Tensor of the layer's dtype: its results, put together along `time_axis`.

    Raises:
        TypeError: `layer` is neither Cell nor Primitive.

    Follows: mindspore.nn.TimeDistributed (2.10).
    """

    def __init__(self, layer: Cell | Primitive, time_axis: int, reshape_with_axis: int | None = None) -> None:
        super().__init__()
        instance(layer, "layer", self.cls_name, (Cell, Primitive))
        self.layer = layer
        self.time_axis = integer(time_axis, "time_axis", self.cls_name)
        if reshape_with_axis is not None:
            integer(reshape_with_axis, "reshape_with_axis", self.cls_name)
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs: Tensor) -> Tensor:
        try:
            data = inputs._data
            axis = self.time_axis % data.dim()
            if self.reshape_with_axis is None or self.reshape_with_axis % data.dim() == axis:
                outputs = [self.layer(wrap(part))._data for part in data.unbind(axis)]
                return wrap(torch.stack(outputs, min(axis, outputs[0].dim())))
            beside = self.reshape_with_axis % data.dim()
            beside -= axis < beside
            moved = data.movedim(axis, beside + 1)
            merged = self.layer(wrap(moved.flatten(beside, beside + 1)))._data
            return wrap(merged.unflatten(beside, moved.shape[beside : beside + 2]).movedim(beside + 1, axis))
        except Exception as error:
            raise explain(error, self.cls_name, inputs=inputs) from error
