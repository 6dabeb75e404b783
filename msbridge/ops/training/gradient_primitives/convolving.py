"""Gradients of convolutions and their relatives, by torch's own backward passes.

Follows: mindspore.ops.operations._grad_ops (2.10).
"""

from collections.abc import Callable
from typing import Any

from torch.nn import functional as F

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops import operations as P
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.training.gradient_primitives.families import gradient
from msbridge.ops.training.gradient_primitives.shapes import back

Five = int | tuple[int, ...]


def _last(sizes: Any, count: int) -> Any:
    return sizes if isinstance(sizes, int) else tuple(sizes)[-count:]


def _filter_3d(
    x: Tensor,
    out_backprop: Tensor,
    filter_size: Any,
    out_channel: int,
    kernel_size: Sizes,
    mode: int = 1,
    pad_mode: str = "valid",
    pad: Sizes = 0,
    stride: Five = (1, 1, 1, 1, 1),
    dilation: Five = (1, 1, 1, 1, 1),
    group: int = 1,
    data_format: str = "NCDHW",
) -> Tensor:
    """Return the gradient of the weight of `Conv3D`."""
    steps, gaps = _last(stride, 3), _last(dilation, 3)
    convolve = P.Conv3D(out_channel, kernel_size, mode, pad_mode, pad, steps, gaps, group, data_format)
    return back("Conv3DBackpropFilter", lambda weight: convolve(x, weight), out_backprop, filter_size)


def _input_3d(
    filter: Tensor,
    out_backprop: Tensor,
    input_size: Any,
    out_channel: int,
    kernel_size: Sizes,
    mode: int = 1,
    pad_mode: str = "valid",
    pad: Sizes = 0,
    stride: Five = 1,
    dilation: Five = 1,
    group: int = 1,
    data_format: str = "NCDHW",
) -> Tensor:
    """Return the gradient of the input of `Conv3D`.

    Follows: mindspore.ops.operations.nn_ops.Conv3DBackpropInput (2.10).
    """
    steps, gaps = _last(stride, 3), _last(dilation, 3)
    convolve = P.Conv3D(out_channel, kernel_size, mode, pad_mode, pad, steps, gaps, group, data_format)
    return back("Conv3DBackpropInput", lambda data: convolve(data, filter), out_backprop, input_size)


def _depthwise(settings: dict[str, Any]) -> Callable[[Tensor, Tensor], Tensor]:
    """Return the depthwise convolution of an input with a weight (multiplier, channels, height, width)."""
    above, below, left, right = settings["pad_list"]
    steps, gaps = _last(settings["stride"], 2), _last(settings["dilation"], 2)

    def convolve(x: Tensor, weight: Tensor) -> Tensor:
        kernels = weight._data.transpose(0, 1).flatten(0, 1).unsqueeze(1)
        padded = F.pad(x._data, (left, right, above, below))
        return wrap(F.conv2d(padded, kernels, None, steps, 0, gaps, x._data.shape[1]))

    return convolve


def _depthwise_filter(
    input: Tensor,
    filter_size: Any,
    dout: Tensor,
    channel_multiplier: int,
    kernel_size: Sizes,
    pad_mode: str = "valid",
    pad: Sizes = 0,
    pad_list: tuple[int, int, int, int] = (0, 0, 0, 0),
    mode: int = 3,
    stride: Five = 1,
    dilation: Five = 1,
    group: int = 1,
) -> Tensor:
    """Return the gradient of the weight of a depthwise convolution, whose padding is `pad_list`."""
    convolve = _depthwise({"pad_list": pad_list, "stride": stride, "dilation": dilation})
    return back("DepthwiseConv2dNativeBackpropFilter", lambda weight: convolve(input, weight), dout, filter_size)


def _depthwise_input(
    input_size: Any,
    filter: Tensor,
    dout: Tensor,
    channel_multiplier: int,
    kernel_size: Sizes,
    pad_mode: str = "valid",
    pad: Sizes = 0,
    pad_list: tuple[int, int, int, int] = (0, 0, 0, 0),
    mode: int = 3,
    stride: Five = 1,
    dilation: Five = 1,
    group: int = 1,
) -> Tensor:
    """Return the gradient of the input of a depthwise convolution, whose padding is `pad_list`."""
    convolve = _depthwise({"pad_list": pad_list, "stride": stride, "dilation": dilation})
    return back("DepthwiseConv2dNativeBackpropInput", lambda data: convolve(data, filter), dout, input_size)


def _deformable(
    out_backprop: Tensor,
    input: Tensor,
    offsets: Tensor,
    strides: Any,
    pads: Any,
    kernel_size: Any,
    dilations: Any = (1, 1, 1, 1),
    data_format: str = "NCHW",
    deformable_groups: int = 1,
    modulated: bool = True,
) -> tuple[Tensor, ...]:
    """Return the gradients of `DeformableOffsets`: of the input and of the offsets."""
    forward = P.DeformableOffsets(strides, pads, kernel_size, dilations, data_format, deformable_groups, modulated)
    return gradient("DeformableOffsetsGrad", forward, out_backprop, input, offsets)


def _dilation_input(
    x: Tensor,
    filter: Tensor,
    out_backprop: Tensor,
    stride: Any,
    dilation: Any,
    pad_mode: str = "SAME",
    data_format: str = "NCHW",
) -> Tensor:
    """Return the gradient of the input of `Dilation2D`."""
    forward = P.Dilation2D(stride, dilation, pad_mode, data_format)
    return gradient("Dilation2DBackpropInput", lambda data: forward(data, filter), out_backprop, x)[0]


def _dilation_filter(
    x: Tensor,
    filter: Tensor,
    out_backprop: Tensor,
    stride: Any,
    dilation: Any,
    pad_mode: str = "SAME",
    data_format: str = "NCHW",
) -> Tensor:
    """Return the gradient of the filter of `Dilation2D`."""
    forward = P.Dilation2D(stride, dilation, pad_mode, data_format)
    return gradient("Dilation2DBackpropFilter", lambda kernel: forward(x, kernel), out_backprop, filter)[0]


_CONVOLUTION = "out_channel kernel_size mode pad_mode pad stride dilation group data_format"
_DEPTHWISE = "channel_multiplier kernel_size pad_mode pad pad_list mode stride dilation group"
_DILATION = "stride dilation pad_mode data_format"
DERIVED = (
    derive("Conv3DBackpropFilter", _filter_3d, _CONVOLUTION),
    derive("Conv3DBackpropInput", _input_3d, _CONVOLUTION),
    derive(
        *("DeformableOffsetsGrad", _deformable),
        "strides pads kernel_size dilations data_format deformable_groups modulated",
    ),
    derive("DepthwiseConv2dNativeBackpropFilter", _depthwise_filter, _DEPTHWISE),
    derive("DepthwiseConv2dNativeBackpropInput", _depthwise_input, _DEPTHWISE),
    derive("Dilation2DBackpropFilter", _dilation_filter, _DILATION),
    derive("Dilation2DBackpropInput", _dilation_input, _DILATION),
)
