"""Gradients of convolution, pooling, normalisation and resizing.

Follows: mindspore.ops.operations._grad_ops (2.10).
"""

from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops import operations as P
from msbridge.ops.image.resizing.kernels import resize_nearest
from msbridge.ops.kernel_calls.families import call_kernel, plain_shape
from msbridge.ops.primitive.primitive import REQUIRED, derive
from msbridge.ops.training.gradient_primitives.families import back, gradient, of_primitive


def _convolution(stride: Any, dilation: Any, pad_list: Any, **settings: Any) -> Callable[..., Tensor]:
    """Return the convolution; `pad_list` is what `pad` and `pad_mode` say."""
    steps, gaps = (sizes if isinstance(sizes, int) else tuple(sizes)[-2:] for sizes in (stride, dilation))
    return P.Conv2D(stride=steps, dilation=gaps, **settings)


def _batch_norm(
    dout: Tensor,
    x: Tensor,
    scale: Tensor,
    saved_mean: Tensor,
    saved_variance: Tensor,
    reserve: Tensor,
    is_training: bool = False,
    epsilon: float = 1e-5,
    data_format: str = "NCHW",
) -> tuple[Tensor, ...]:
    """Return the gradients of `BatchNorm`: of the input, the factors and the bias, from mean and variance."""

    def run(*datas: torch.Tensor) -> tuple[torch.Tensor, ...]:
        axis = datas[0].dim() - 1 if data_format == "NHWC" else 1
        shape = [-1 if place == axis else 1 for place in range(datas[0].dim())]
        axes = [place for place in range(datas[0].dim()) if place != axis]
        seed, data, factor = datas[:3]
        inverse = (datas[4] + epsilon).rsqrt()
        plain = (data - datas[3].reshape(shape)) * inverse.reshape(shape)
        d_scale, d_bias = (seed * plain).sum(axes), seed.sum(axes)
        slope = (factor * inverse).reshape(shape)
        if not is_training:
            return seed * slope, d_scale, d_bias
        count = data.numel() // data.shape[axis]
        through = (d_bias.reshape(shape) + plain * d_scale.reshape(shape)) / count
        return (seed - through) * slope, d_scale, d_bias

    return call_kernel(run, "BatchNormGrad", dout, x, scale, saved_mean, saved_variance)  # type: ignore[no-any-return]


def _layer_norm(
    x: Tensor,
    dy: Tensor,
    variance: Tensor,
    mean: Tensor,
    gamma: Tensor,
    begin_norm_axis: int = 1,
    begin_params_axis: int = 1,
) -> tuple[Tensor, ...]:
    """Return the gradients of `LayerNorm`: of the input, the factors and the bias, from mean and variance."""

    def run(data: torch.Tensor, seed: torch.Tensor, *others: torch.Tensor) -> tuple[torch.Tensor, ...]:
        spread, middle, factor = others
        axes = tuple(range(begin_norm_axis % data.dim(), data.dim()))
        outer = tuple(range(begin_params_axis % data.dim()))
        inverse = (spread + 1e-12).rsqrt()
        plain = (data - middle) * inverse
        through = seed * factor
        by_spread = (through * plain).mean(axes, keepdim=True)
        by_middle = through.mean(axes, keepdim=True) - by_spread * plain.mean(axes, keepdim=True)
        dx = (through - by_middle - plain * by_spread) * inverse
        return dx, (seed * plain).sum(outer), seed.sum(outer)

    return call_kernel(run, "LayerNormGrad", x, dy, variance, mean, gamma)  # type: ignore[no-any-return]


def _bilinear(grads: Tensor, image: Tensor, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """Return the gradient of `ResizeBilinearV2`."""
    resize = P.ResizeBilinearV2(align_corners, half_pixel_centers)
    return gradient("ResizeBilinearGrad", lambda x: resize(x, grads.shape[2:]), grads, image)[0]


def _bicubic(grads: Tensor, image: Tensor, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """Return the gradient of `ResizeBicubic`."""
    resize = P.ResizeBicubic(align_corners, half_pixel_centers)
    return gradient("ResizeBicubicGrad", lambda x: resize(x, grads.shape[2:]), grads, image)[0]


def _nearest(grads: Tensor, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """Return the gradient of `ResizeNearestNeighborV2`, for images of height and width `size`."""
    shape, settings = (*grads.shape[:2], *plain_shape(size)), (grads.shape[2:], align_corners, half_pixel_centers)
    return back("ResizeNearestNeighborGrad", lambda x: resize_nearest(x, *settings), grads, shape)


def _linear(grads: Tensor, x: Tensor, coordinate_transformation_mode: str = "align_corners") -> Tensor:
    """Return the gradient of `ResizeLinear1D`."""
    resize = P.ResizeLinear1D(coordinate_transformation_mode)
    return gradient("ResizeLinear1DGrad", lambda data: resize(data, grads.shape[2:]), grads, x)[0]


def _upsample_nearest(dy: Tensor, input_size: Any, output_size: Any = None, scales: Any = None) -> Tensor:
    """Return the gradient of `UpsampleNearest3D`, for inputs of the shape `input_size`."""
    forward = P.UpsampleNearest3D()
    return back("UpsampleNearest3DGrad", lambda x: forward(x, output_size, scales), dy, input_size)


def _upsample_trilinear(
    dy: Tensor, input_size: Any, output_size: Any = None, scales: Any = None, align_corners: bool = False
) -> Tensor:
    """Return the gradient of `UpsampleTrilinear3D`, for inputs of the shape `input_size`."""
    forward = P.UpsampleTrilinear3D(align_corners)
    return back("UpsampleTrilinear3DGrad", lambda x: forward(x, output_size, scales), dy, input_size)


def _sample(
    grad: Tensor,
    input_x: Tensor,
    grid: Tensor,
    interpolation_mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
    output_mask: tuple[int, int] = (1, 1),
) -> tuple[Tensor, ...]:
    """Return the gradients of sampling at a grid: of the input and of the grid."""
    make = P.GridSampler2D if input_x.ndim == 4 else P.GridSampler3D
    return gradient("GridSamplerGrad", make(interpolation_mode, padding_mode, align_corners), grad, input_x, grid)


def _local_response(
    dout: Tensor,
    x: Tensor,
    out: Tensor,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
) -> Tensor:
    """Return the gradient of `LRN`; its result is not needed."""

    def run(seed: torch.Tensor, data: torch.Tensor) -> torch.Tensor:
        def window(values: torch.Tensor) -> torch.Tensor:
            padded = torch.nn.functional.pad(values, (0, 0, 0, 0, depth_radius, depth_radius))
            return padded.unfold(1, 2 * depth_radius + 1, 1).sum(-1)

        norm = bias + alpha * window(data.square())
        return seed * norm**-beta - 2 * alpha * beta * data * window(seed * data * norm ** (-beta - 1))

    return call_kernel(run, "LRNGrad", dout, x)  # type: ignore[no-any-return]


_POOL: dict[str, Any] = {"kernel_size": 1, "strides": 1, "pad_mode": "VALID", "data_format": "NCHW"}
_SAMPLE = "interpolation_mode padding_mode align_corners output_mask"
DERIVED = (
    of_primitive("AvgPoolGrad", P.AvgPool, "x out dout", "x", "x", **_POOL),
    derive("BatchNormGrad", _batch_norm, "is_training epsilon data_format"),
    of_primitive(
        "Conv2DBackpropFilter",
        _convolution,
        "doutput input filter_size",
        "input weight",
        "weight",
        shape="filter_size",
        out_channel=REQUIRED,
        kernel_size=REQUIRED,
        pad_mode="valid",
        pad=0,
        pad_list=(0, 0, 0, 0),
        mode=1,
        stride=(1, 1),
        dilation=(1, 1, 1, 1),
        group=1,
        data_format="NCHW",
    ),
    derive("GridSampler2DGrad", _sample, _SAMPLE),
    derive("GridSampler3DGrad", _sample, _SAMPLE),
    derive("LRNGrad", _local_response, "depth_radius bias alpha beta"),
    derive("LayerNormGrad", _layer_norm, "begin_norm_axis begin_params_axis"),
    of_primitive("MaxPoolGrad", P.MaxPool, "x out dout", "x", "x", **_POOL),
    derive("ResizeBicubicGrad", _bicubic, "align_corners half_pixel_centers"),
    derive("ResizeBilinearGrad", _bilinear, "align_corners half_pixel_centers"),
    derive("ResizeLinear1DGrad", _linear, "coordinate_transformation_mode"),
    derive("ResizeNearestNeighborGrad", _nearest, "align_corners half_pixel_centers"),
    derive("ResizeNearestNeighborV2Grad", _nearest, "align_corners half_pixel_centers"),
    derive("UpsampleNearest3DGrad", _upsample_nearest),
    derive("UpsampleTrilinear3DGrad", _upsample_trilinear, "align_corners"),
)
