"""Gradients of convolutions and their relatives, by torch's own backward passes.

Follows: mindspore.ops.operations._grad_ops (2.10).
"""

from collections.abc import Callable
from typing import Any

from torch.nn import functional as F

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops import operations as P
from msbridge.ops.primitive.primitive import REQUIRED
from msbridge.ops.training.gradient_primitives.families import of_primitive


def _last(sizes: Any, count: int) -> Any:
    return sizes if isinstance(sizes, int) else tuple(sizes)[-count:]


def _convolution_3d(stride: Any, dilation: Any, **settings: Any) -> Callable[..., Tensor]:
    return P.Conv3D(stride=_last(stride, 3), dilation=_last(dilation, 3), **settings)


def _deformable(kernel_size: Any, **settings: Any) -> Callable[..., Tensor]:
    return P.DeformableOffsets(ksize=kernel_size, **settings)


def _depthwise(pad_list: Any, stride: Any, dilation: Any, **others: Any) -> Callable[[Tensor, Tensor], Tensor]:
    """Return the depthwise convolution of an input with a weight (multiplier, channels, height, width)."""
    above, below, left, right = pad_list
    steps, gaps = _last(stride, 2), _last(dilation, 2)

    def convolve(x: Tensor, weight: Tensor) -> Tensor:
        kernels = weight._data.transpose(0, 1).flatten(0, 1).unsqueeze(1)
        padded = F.pad(x._data, (left, right, above, below))
        return wrap(F.conv2d(padded, kernels, None, steps, 0, gaps, x._data.shape[1]))

    return convolve


def _settings(stride: Any) -> dict[str, Any]:
    """Return the attributes of the gradients of `Conv3D`, which differ in the default of their steps."""
    sizes = {"out_channel": REQUIRED, "kernel_size": REQUIRED, "mode": 1, "pad_mode": "valid", "pad": 0}
    return {**sizes, "stride": stride, "dilation": stride, "group": 1, "data_format": "NCDHW"}


_FIVE = (1, 1, 1, 1, 1)
_DEPTHWISE = {
    "channel_multiplier": REQUIRED,
    "kernel_size": REQUIRED,
    "pad_mode": "valid",
    "pad": 0,
    "pad_list": (0, 0, 0, 0),
    "mode": 3,
    "stride": 1,
    "dilation": 1,
    "group": 1,
}
_DILATION = {"stride": REQUIRED, "dilation": REQUIRED, "pad_mode": "SAME", "data_format": "NCHW"}
_DEFORMABLE = {
    "strides": REQUIRED,
    "pads": REQUIRED,
    "kernel_size": REQUIRED,
    "dilations": (1, 1, 1, 1),
    "data_format": "NCHW",
    "deformable_groups": 1,
    "modulated": True,
}
DERIVED = (
    of_primitive(
        "Conv3DBackpropFilter",
        _convolution_3d,
        "x out_backprop filter_size",
        "x weight",
        "weight",
        shape="filter_size",
        **_settings(_FIVE),
    ),
    of_primitive(
        "Conv3DBackpropInput",
        _convolution_3d,
        "filter out_backprop input_size",
        "x filter",
        "x",
        shape="input_size",
        **_settings(1),
    ),
    of_primitive(
        "DeformableOffsetsGrad",
        _deformable,
        "out_backprop input offsets",
        "input offsets",
        "input offsets",
        **_DEFORMABLE,
    ),
    of_primitive(
        "DepthwiseConv2dNativeBackpropFilter",
        _depthwise,
        "input filter_size dout",
        "input weight",
        "weight",
        shape="filter_size",
        **_DEPTHWISE,
    ),
    of_primitive(
        "DepthwiseConv2dNativeBackpropInput",
        _depthwise,
        "input_size filter dout",
        "x filter",
        "x",
        shape="input_size",
        **_DEPTHWISE,
    ),
    of_primitive("Dilation2DBackpropFilter", P.Dilation2D, "x filter out_backprop", "x filter", "filter", **_DILATION),
    of_primitive("Dilation2DBackpropInput", P.Dilation2D, "x filter out_backprop", "x filter", "x", **_DILATION),
)
