"""Primitives of convolution."""

from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.checks.arguments import one_of, per_axis
from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.channels_last import in_format
from msbridge.ops.kernel_calls.families import plain_shape
from msbridge.ops.kernel_calls.windows import Sizes, pad_pairs, same_pairs
from msbridge.ops.neural.convolution import functions, kernels
from msbridge.ops.primitive.primitive import REQUIRED, Primitive, derive


class _Convolution(Primitive):
    """A convolution whose torch function is chosen when it is made."""

    _fn: kernels.Convolution

    def __init__(self, **attributes: Any) -> None:
        super().__init__(type(self).__name__)
        for name, value in attributes.items():
            self.add_prim_attr(name, value)

    def __call__(self, x: Tensor, weight: Tensor) -> Tensor:
        return kernels.apply_convolution(self._fn, self.name, x, weight, None)

    def convolve_with_bias(self, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        """Convolve, and add a number for each channel."""
        return kernels.apply_convolution(self._fn, self.name, x, weight, bias)


class Conv2D(_Convolution):
    """Convolve `x` (N, C_in, H, W) with `weight` (C_out, C_in / group, K_h, K_w).

    Args:
        out_channel: C_out.
        kernel_size: an int, or (K_h, K_w).
        mode: 1.
        pad_mode: "valid", "same" or "pad".
        pad: with "pad": an int, or (top, bottom, left, right).
        stride: an int, or two.
        dilation: an int, or two.
        group: how many groups of channels are convolved apart.
        data_format: "NCHW" or "NHWC".

    Inputs:
        x: shape (N, C_in, H, W); floats.
        weight: shape (C_out, C_in / group, K_h, K_w), of the dtype of `x`.

    Outputs:
        A Tensor of shape (N, C_out, H_out, W_out) and the dtype of `x`.

    Follows: mindspore.ops.Conv2D (2.10).
    """

    def __init__(
        self,
        out_channel: int,
        kernel_size: Sizes,
        mode: int = 1,
        pad_mode: str = "valid",
        pad: Sizes = 0,
        stride: Sizes = 1,
        dilation: Sizes = 1,
        group: int = 1,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(
            out_channel=out_channel,
            kernel_size=kernel_size,
            mode=mode,
            pad_mode=pad_mode,
            pad=tuple(size for pair in pad_pairs(pad, 2, "Conv2D") for size in pair),
            stride=(1, 1, *per_axis(stride, "stride", "Conv2D", 2)),
            dilation=(1, 1, *per_axis(dilation, "dilation", "Conv2D", 2)),
            group=group,
            data_format=data_format,
            groups=group,
        )
        self.kernel_size = per_axis(kernel_size, "kernel_size", "Conv2D", 2)
        fn = kernels.convolution(2, "Conv2D", stride, pad_mode.lower(), pad, dilation, group)
        self._fn = in_format(data_format, fn, moved=2)


class Conv3D(_Convolution):
    """Convolve `x` (N, C_in, D, H, W) with `weight` (C_out, C_in / group, K_d, K_h, K_w).

    Args:
        out_channel: C_out.
        kernel_size: an int, or (K_d, K_h, K_w).
        mode: 1.
        pad_mode: "valid", "same" or "pad".
        pad: with "pad": an int, or six.
        stride: an int, or three.
        dilation: an int, or three.
        group: how many groups of channels are convolved apart.
        data_format: "NCDHW".

    Inputs:
        x: shape (N, C_in, D, H, W); floats.
        weight: shape (C_out, C_in / group, K_d, K_h, K_w), of the dtype of `x`.

    Outputs:
        A Tensor of shape (N, C_out, D_out, H_out, W_out) and the dtype of `x`.

    Follows: mindspore.ops.Conv3D (2.10).
    """

    def __init__(
        self,
        out_channel: int,
        kernel_size: Sizes,
        mode: int = 1,
        pad_mode: str = "valid",
        pad: Sizes = 0,
        stride: Sizes = 1,
        dilation: Sizes = 1,
        group: int = 1,
        data_format: str = "NCDHW",
    ) -> None:
        one_of(data_format, "data_format", "Conv3D", ("NCDHW",))
        one_of(mode, "mode", "Conv3D", (1,))
        super().__init__(out_channel=out_channel, kernel_size=kernel_size, pad_mode=pad_mode, group=group)
        self._fn = kernels.convolution(3, "Conv3D", stride, pad_mode.lower(), pad, dilation, group)


class DepthwiseConv2dNative(_Convolution):
    """Convolve each channel of `x` apart: `weight` (multiplier, C, K_h, K_w) yields C·multiplier channels.

    Args:
        channel_multiplier: how many channels each channel yields.
        kernel_size: an int or (height, width).
        mode: 3.
        pad_mode: "valid", "same" or "pad".
        pad: with "pad": an int, or (top, bottom, left, right).
        stride: an int, or two.
        dilation: an int, or two.
        group: 1.

    Inputs:
        x: shape (N, C, H, W); floats.
        weight: shape (multiplier, C, K_h, K_w), of the dtype of `x`.

    Outputs:
        A Tensor of shape (N, C·multiplier, H_out, W_out) and the dtype of `x`.

    Follows: mindspore.ops.DepthwiseConv2dNative (1.10).
    """

    def __init__(
        self,
        channel_multiplier: int,
        kernel_size: Sizes,
        mode: int = 3,
        pad_mode: str = "valid",
        pad: Sizes = 0,
        stride: Sizes = 1,
        dilation: Sizes = 1,
        group: int = 1,
    ) -> None:
        super().__init__(channel_multiplier=channel_multiplier, kernel_size=kernel_size, pad_mode=pad_mode)
        self._settings = (stride, pad_mode.lower(), pad, dilation)

    def __call__(self, x: Tensor, weight: Tensor) -> Tensor:
        multiplier, channels, *kernel = weight.shape
        fn = kernels.convolution(2, self.name, *self._settings, group=channels)
        grouped = wrap(weight._data.transpose(0, 1).reshape(channels * multiplier, 1, *kernel))
        return kernels.apply_convolution(fn, self.name, x, grouped, None)


class Conv2DTranspose(Primitive):
    """Return the gradient of a convolution to its input: (gradient or input, weight, size of the result).

    Args:
        out_channel: C_out.
        kernel_size: an int, or (K_h, K_w).
        pad_mode: that of the convolution: "valid", "same" or "pad".
        pad: with "pad": an int, or (top, bottom, left, right).
        pad_list: the same as `pad`; None for that.
        mode: 1.
        stride: an int, or two.
        dilation: an int, or two.
        group: how many groups of channels are convolved apart.
        data_format: "NCHW".

    Inputs:
        dout: the gradient, (N, C_out, H_out, W_out); floats.
        weight: shape (C_out, C_in / group, K_h, K_w), of the dtype of `dout`.
        input_size: the shape of the result, (N, C_in, H, W).

    Outputs:
        A Tensor of shape `input_size` and the dtype of `dout`.

    Follows: mindspore.ops.Conv2DTranspose (2.10).
    """

    def __init__(
        self,
        out_channel: int,
        kernel_size: Sizes,
        pad_mode: str = "valid",
        pad: Sizes = 0,
        pad_list: tuple[int, ...] | None = None,
        mode: int = 1,
        stride: Sizes = 1,
        dilation: Sizes = 1,
        group: int = 1,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(type(self).__name__)
        one_of(data_format, "data_format", self.name, ("NCHW",))  # NHWC is for GPUs only in MindSpore
        one_of(mode, "mode", self.name, (1,))
        self.add_prim_attr("out_channel", out_channel)
        self.add_prim_attr("kernel_size", kernel_size)
        self.add_prim_attr("pad_mode", pad_mode)
        self._stride = per_axis(stride, "stride", self.name, 2)
        self._dilation = per_axis(dilation, "dilation", self.name, 2)
        self._group = group
        self._pad_mode = pad_mode.lower()
        self._pairs = pad_pairs(pad if pad_list is None else pad_list, 2, self.name)

    def __call__(self, dout: Tensor, weight: Tensor, input_size: Any) -> Tensor:
        try:
            return wrap(self._run(dout._data, weight._data, plain_shape(input_size)))
        except Exception as error:
            raise explain(error, self.name, dout=dout, weight=weight, input_size=input_size) from error

    def _run(self, dout: torch.Tensor, weight: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
        kernel = weight.shape[2:]
        pairs = self._pairs
        if self._pad_mode == "same":
            pairs = same_pairs(shape[2:], kernel, self._stride, self._dilation)
        full = F.conv_transpose2d(dout, weight, None, self._stride, 0, 0, self._group, self._dilation)
        sides = []
        for (before, _), size, have in zip(reversed(pairs), reversed(shape[2:]), reversed(full.shape[2:]), strict=True):
            sides += [-before, size + before - have]
        return F.pad(full, sides)


class Conv2DBackpropInput(Conv2DTranspose):
    """Return the gradient of a convolution to its input.

    Args:
        out_channel: C_out.
        kernel_size: an int, or (K_h, K_w).
        pad_mode: that of the convolution: "valid", "same" or "pad".
        pad: with "pad": an int, or (top, bottom, left, right).
        pad_list: the same as `pad`; None for that.
        mode: 1.
        stride: an int, or two.
        dilation: an int, or two.
        group: how many groups of channels are convolved apart.
        data_format: "NCHW".

    Inputs:
        dout: the gradient, (N, C_out, H_out, W_out); floats.
        weight: shape (C_out, C_in / group, K_h, K_w), of the dtype of `dout`.
        input_size: the shape of the result, (N, C_in, H, W).

    Outputs:
        A Tensor of shape `input_size` and the dtype of `dout`.

    Follows: mindspore.ops.Conv2DBackpropInput (2.10).
    """


class Conv3DTranspose(_Convolution):
    """Return the transposed convolution of `x` (N, C_in, D, H, W) with `weight` (C_in, C_out / group, K_d, K_h, K_w).

    Args:
        in_channel: C_in.
        out_channel: C_out.
        kernel_size: an int, or (K_d, K_h, K_w).
        mode: 1.
        pad_mode: "valid", "same" or "pad".
        pad: with "pad": an int, or six.
        stride: an int, or three.
        dilation: an int, or three.
        group: how many groups of channels are convolved apart.
        output_padding: how much larger one side is, an int or three.
        data_format: "NCDHW".

    Inputs:
        x: shape (N, C_in, D, H, W); floats.
        weight: shape (C_in, C_out / group, K_d, K_h, K_w), of the dtype of `x`.

    Outputs:
        A Tensor of shape (N, C_out, D_out, H_out, W_out) and the dtype of `x`.

    Follows: mindspore.ops.Conv3DTranspose (2.10).
    """

    def __init__(
        self,
        in_channel: int,
        out_channel: int,
        kernel_size: Sizes,
        mode: int = 1,
        pad_mode: str = "valid",
        pad: Sizes = 0,
        stride: Sizes = 1,
        dilation: Sizes = 1,
        group: int = 1,
        output_padding: Sizes = 0,
        data_format: str = "NCDHW",
    ) -> None:
        one_of(data_format, "data_format", type(self).__name__, ("NCDHW",))
        one_of(mode, "mode", type(self).__name__, (1,))
        super().__init__(in_channel=in_channel, out_channel=out_channel, kernel_size=kernel_size, pad_mode=pad_mode)
        kernel = per_axis(kernel_size, "kernel_size", self.name, 3)
        settings = (stride, pad_mode.lower(), pad, dilation, group, output_padding)
        self._fn = kernels.transposed_convolution(3, self.name, kernel, *settings)


def _bias_add(input_x: Tensor, bias: Tensor, data_format: str = "NCHW") -> Tensor:
    """Add `bias` along the channels of `input_x`.

    Args:
        input_x: shape (N, C, ...), or (N, ..., C) with "NHWC".
        bias: shape (C,), of the dtype of `input_x`.
        data_format: "NCHW", "NHWC" or "NCDHW".

    Returns:
        A Tensor of the shape and dtype of `input_x`.
    """
    if data_format == "NHWC":
        return wrap(input_x._data + bias._data)
    return functions.bias_add(input_x, bias)


def _deformable_offsets(
    x: Tensor,
    offsets: Tensor,
    strides: tuple[int, ...] = (1, 1, 1, 1),
    pads: tuple[int, int, int, int] = (0, 0, 0, 0),
    ksize: tuple[int, int] = (1, 1),
    dilations: tuple[int, ...] = (1, 1, 1, 1),
    data_format: str = "NCHW",
    deformable_groups: int = 1,
    modulated: bool = True,
) -> Tensor:
    """Sample `x` where each element of each window is moved to.

    Args:
        x: shape (N, C, H, W); floats.
        offsets: shape (N, 3·deformable_groups·K_h·K_w, H_out, W_out): offsets in x, offsets in y, weights.
        strides: (1, 1, stride_h, stride_w).
        pads: (top, bottom, left, right).
        ksize: (K_h, K_w).
        dilations: (1, 1, dilation_h, dilation_w).
        data_format: "NCHW".
        deformable_groups: groups of channels that share offsets.
        modulated: True.

    Returns:
        A Tensor of shape (N, C, H_out·K_h, W_out·K_w) and the dtype of `x`.
    """
    settings = (ksize, strides, pads, dilations, deformable_groups)
    return wrap(kernels.deformable_offsets(x._data, offsets._data, *settings))


DERIVED = (
    derive("BiasAdd", _bias_add, "data_format"),
    derive(
        "DeformableOffsets",
        _deformable_offsets,
        "strides pads ksize dilations data_format deformable_groups modulated",
        **dict.fromkeys(("strides", "pads", "ksize"), REQUIRED),
    ),
    derive("Dense", functions.dense),
)
