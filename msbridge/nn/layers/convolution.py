"""Convolution layers and their transposes."""

import math
from functools import cached_property
from typing import Any, Self

from torch.nn import functional as F

from msbridge.core.checks.arguments import boolean, instance, per_axis
from msbridge.core.releases.rows import Default
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers._convolution_arguments import ConvolutionArguments
from msbridge.nn.layers.parameter_init import Init, make_parameter, weight_and_bias_init
from msbridge.ops.kernel_calls.channels_last import in_format
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.convolution.kernels import convolution, explain_convolution, transposed_convolution
from msbridge.ops.operations import BiasAdd, Conv2D

__all__ = ["Conv1d", "Conv1dTranspose", "Conv2d", "Conv2dTranspose", "Conv3d", "Conv3dTranspose"]
_DRAWN = Default("nn.Conv2d.weight_init", "he_uniform")


class Convolution(Cell):
    """Base of the convolutions: the arguments, the parameters, the printed form.

    Over one axis the weight, and what is printed, keep a height of 1: MindSpore's Conv1d is a Conv2d.
    """

    def __init__(
        self,
        rank: int,
        is_transposed: bool,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes,
        pad_mode: str,
        padding: Sizes,
        dilation: Sizes,
        group: int,
        has_bias: bool,
        weight_init: Init,
        bias_init: Init,
        data_format: str,
        dtype: Type,
        output_padding: Sizes = 0,
    ) -> None:
        super().__init__()
        op = self.cls_name
        channels = (in_channels, out_channels)
        ConvolutionArguments(
            op, rank, *channels, kernel_size, stride, padding, dilation, group, data_format, output_padding
        ).check(is_transposed)
        self.in_channels, self.out_channels, self.group, self.data_format = *channels, group, data_format
        kernel = per_axis(kernel_size, "kernel_size", op, rank)
        steps = per_axis(stride, "stride", op, rank)
        gaps = per_axis(dilation, "dilation", op, rank)
        flat = (1,) if rank == 1 else ()
        self.kernel_size = flat + kernel
        self.stride = flat + steps
        self.dilation = flat + gaps
        self.pad_mode = pad_mode
        self.padding: Any = padding if rank > 1 else (0, 0, *per_axis(padding, "padding", op, 1, 0) * 2)
        self.output_padding = output_padding
        outer = (in_channels, out_channels // group) if is_transposed else (out_channels, in_channels // group)
        shape = outer + self.kernel_size
        if data_format == "NHWC":
            shape = (shape[0], *shape[2:], shape[1])
        if rank == 1 and isinstance(weight_init, Tensor) and weight_init.ndim == 3:
            weight_init = wrap(weight_init._data.unsqueeze(2))
        fan_in = math.prod(kernel) * outer[1]
        given = bias_init
        weight_init, bias_init = weight_and_bias_init(_DRAWN.value, weight_init, bias_init, fan_in)
        self.weight_init = weight_init
        self.weight = make_parameter(weight_init, shape, dtype, "weight")
        self.has_bias = boolean(has_bias, "has_bias", op)
        self.bias_init = bias_init if has_bias or isinstance(bias_init, str) else given
        self._convolve = self._convolution(is_transposed, kernel, steps, gaps)
        self.bias = make_parameter(bias_init, (out_channels,), dtype, "bias") if has_bias else None
        self._axes = rank + 2
        self._layer = f"Conv{rank}d{'Transpose' * is_transposed}"  # the name in errors of a call, of subclasses too

    def _convolution(
        self, is_transposed: bool, kernel: tuple[int, ...], steps: tuple[int, ...], gaps: tuple[int, ...]
    ) -> Any:
        op, rank = self.cls_name, len(kernel)
        if rank == 3 or (rank == 2 and not is_transposed):  # the others call another type an unknown mode
            instance(self.pad_mode, "pad_mode", op, str)
        if rank == 2 and not is_transposed and isinstance(self.padding, tuple) and len(self.padding) != 4:
            raise ValueError(f"For 'Conv2D', the 'padding' must be an int or 4 of them, but got {self.padding!r}.")
        padding = self.padding if rank > 1 else self.padding[-1]
        settings = (steps, self.pad_mode, padding, gaps, self.group)
        if is_transposed:
            extra = self.output_padding if rank == 3 else 0  # over two axes zeros are appended
            return transposed_convolution(rank, op, kernel, *settings, extra)
        return convolution(rank, op, *settings, kernel)

    def construct(self, x: Tensor) -> Tensor:
        bias = self.bias
        try:
            if x._data.dim() != self._axes:  # torch takes one sample too, which MindSpore refuses
                raise ValueError
            return wrap(self._convolve(x._data, self.weight._data, None if bias is None else bias._data))
        except Exception as error:
            raise explain_convolution(error, self._layer, x, self.weight, bias) from error

    def extend_repr(self) -> str:
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, weight_init={self.weight_init}, "
            f"bias_init={self.bias_init}, format={self.data_format}"
        )


class _FlatConv(Convolution):
    """A convolution over one axis, whose weight has a height of 1."""

    _is_transposed = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        pad_mode: str = "same",
        padding: int = 0,
        dilation: int = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Init = None,
        bias_init: Init = None,
        dtype: Type = mstype.float32,
    ) -> None:
        settings = (stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init)
        super().__init__(1, self._is_transposed, in_channels, out_channels, kernel_size, *settings, "NCHW", dtype)

    def construct(self, x: Tensor) -> Tensor:
        bias = self.bias
        try:
            weight = self.weight._data.squeeze(2)
            return wrap(self._convolve(x._data, weight, None if bias is None else bias._data))
        except Exception as error:
            raise explain_convolution(error, self._layer, x, wrap(self.weight._data.squeeze(2)), bias) from error


class Conv2d(Convolution):
    """Convolve over height and width.

    Args:
        in_channels: channels of the input (N, C_in, H, W).
        out_channels: channels of the output.
        kernel_size: an int or (height, width).
        stride: an int or (height, width).
        pad_mode: "same" yields ceil(size / stride) outputs, "valid" pads nothing, "pad" pads by `padding`.
        padding: with "pad": an int, or (top, bottom, left, right).
        dilation: an int or (height, width).
        group: how many groups of channels are convolved apart.
        has_bias: whether there is a bias.
        weight_init: fills `weight`, shape (C_out, C_in / group, height, width); None for the release's default.
        bias_init: fills `bias`, shape (C_out,); None for the release's default.
        data_format: "NCHW", or "NHWC" for channels last (the weight likewise).
        dtype: of the parameters.

    Inputs:
        x: shape (N, C_in, H, W), or (N, H, W, C_in) with "NHWC"; of the parameters' dtype.

    Outputs:
        A Tensor of shape (N, C_out, H_out, W_out), channels last with "NHWC", and that dtype.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or a padding is given for another mode than "pad".

    Examples:
        >>> x = ops.ones((1, 3, 8, 8), ms.float32)
        >>> nn.Conv2d(3, 16, 3)(x).shape
        (1, 16, 8, 8)
        >>> nn.Conv2d(3, 16, 3, stride=2, pad_mode="pad", padding=1)(x).shape
        (1, 16, 4, 4)

    Follows: mindspore.nn.Conv2d (2.10).
    """

    bias_add = cached_property(lambda self: BiasAdd(self.data_format))

    @cached_property
    def conv2d(self) -> Conv2D:
        """The operator without the bias, for strategies and for the `construct` of subclasses."""
        settings = (self.pad_mode, self.padding, self.stride, self.dilation, self.group, self.data_format)
        return Conv2D(self.out_channels, self.kernel_size, 1, *settings)

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
        weight_init: Init = None,
        bias_init: Init = None,
        data_format: str = "NCHW",
        dtype: Type = mstype.float32,
    ) -> None:
        settings = (stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init)
        super().__init__(2, False, in_channels, out_channels, kernel_size, *settings, data_format, dtype)
        self._dilation = dilation
        self._convolve = in_format(data_format, self._convolve, moved=2)

    def _by_operators(self, x: Tensor) -> Tensor:
        result: Tensor = self.conv2d(x, self.weight)
        return self.bias_add(result, self.bias) if self.has_bias else result  # type: ignore[no-any-return]


class Conv1d(_FlatConv):
    """Convolve over the last axis of (N, C_in, L); `weight` has shape (C_out, C_in / group, 1, kernel_size).

    Args:
        in_channels, out_channels: as in every convolution.
        kernel_size: length of the kernel, an int.
        stride: an int.
        pad_mode: as in every convolution.
        padding: with "pad": an int, on both ends.
        dilation: an int: the distance between elements of the kernel.
        group, has_bias, weight_init, bias_init, dtype: as in every convolution.

    Inputs:
        x: shape (N, C_in, L), of the parameters' dtype.

    Outputs:
        A Tensor of shape (N, C_out, L_out) and that dtype.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or a padding is given for another mode than "pad".

    Follows: mindspore.nn.Conv1d (2.10).
    """

    def _by_operators(self: Any, x: Tensor) -> Tensor:
        result = self.conv2d(self.expand_dims(x, 2), self.weight)
        return self.squeeze(self.bias_add(result, self.bias) if self.has_bias else result)  # type: ignore[no-any-return]


class Conv3d(Convolution):
    """Convolve over the last three axes of (N, C_in, D, H, W).

    Args:
        in_channels, out_channels: as in every convolution.
        kernel_size: an int or (depth, height, width).
        stride: an int or (depth, height, width).
        pad_mode: as in every convolution.
        padding: with "pad": an int, or (front, back, top, bottom, left, right).
        dilation: an int or (depth, height, width).
        group, has_bias, weight_init, bias_init: as in every convolution.
        data_format: "NCDHW", the only one.
        dtype: as in every convolution.

    Inputs:
        x: shape (N, C_in, D, H, W), of the parameters' dtype.

    Outputs:
        A Tensor of shape (N, C_out, D_out, H_out, W_out) and that dtype.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or a padding is given for another mode than "pad".

    Follows: mindspore.nn.Conv3d (2.10).
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
        weight_init: Init = None,
        bias_init: Init = None,
        data_format: str = "NCDHW",
        dtype: Type = mstype.float32,
    ) -> None:
        settings = (stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init)
        super().__init__(3, False, in_channels, out_channels, kernel_size, *settings, data_format, dtype)

    def _by_operators(self: Any, x: Tensor) -> Tensor:
        result = self.conv3d(x, self.weight)
        return self.bias_add(result, self.bias) if self.has_bias else result  # type: ignore[no-any-return]


class Conv2dTranspose(Convolution):
    """Compute the transposed convolution over the last two axes; `weight` has shape (C_in, C_out / group, H, W).

    "same" yields size·stride outputs, "valid" size·stride + max(kernel - stride, 0), "pad" what is left after cutting
    `padding` off (size - 1)·stride + kernel. With "pad", `output_padding` rows and columns of zeros follow: not the
    values that torch computes there.

    Args:
        in_channels, out_channels: as in every convolution.
        kernel_size: an int or (height, width).
        stride: an int or (height, width).
        pad_mode: "same", "valid" or "pad".
        padding: with "pad": an int, or (top, bottom, left, right).
        output_padding: with "pad": an int or (height, width).
        dilation: an int or (height, width).
        group, has_bias, weight_init, bias_init, dtype: as in every convolution.

    Inputs:
        x: shape (N, C_in, H, W), of the parameters' dtype.

    Outputs:
        A Tensor of shape (N, C_out, H_out, W_out) and that dtype.

    Examples:
        >>> nn.Conv2dTranspose(3, 16, 2, stride=2)(ops.ones((1, 3, 4, 4), ms.float32)).shape
        (1, 16, 8, 8)

    Follows: mindspore.nn.Conv2dTranspose (2.10).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        pad_mode: str = "same",
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        dilation: Sizes = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Init = None,
        bias_init: Init = None,
        dtype: Type = mstype.float32,
    ) -> None:
        settings = (stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init)
        sizes = (in_channels, out_channels, kernel_size)
        super().__init__(2, True, *sizes, *settings, "NCHW", dtype, output_padding)
        extra = per_axis(output_padding, "output_padding", self.cls_name, 2, 0)
        if any(extra):
            if pad_mode != "pad":
                raise ValueError(f"For 'Conv2dTranspose', output_padding must be 0 when pad_mode is {pad_mode!r}.")
            self._convolve = _Extended(self._convolve, extra)

    def shard(self, strategy: Any) -> Self:  # type: ignore[override]  # as there
        """Accept how the operator is divided: it follows its input."""
        return self


class _Extended:
    """A convolution followed by rows and columns of zeros."""

    def __init__(self, convolve: Any, extra: tuple[int, ...]) -> None:
        self._convolve = convolve
        self._extra = (0, extra[1], 0, extra[0])

    def __call__(self, data: Any, weight: Any, bias: Any) -> Any:
        return F.pad(self._convolve(data, weight, bias), self._extra)


class Conv1dTranspose(_FlatConv):
    """Compute the transposed convolution over the last axis; `weight` has shape (C_in, C_out / group, 1, kernel_size).

    Args:
        in_channels, out_channels: as in every convolution.
        kernel_size: length of the kernel, an int.
        stride: an int.
        pad_mode: "same" yields size·stride outputs, "valid" cuts nothing off, "pad" cuts `padding` off at both ends.
        padding: with "pad": an int.
        dilation: an int: the distance between elements of the kernel.
        group, has_bias, weight_init, bias_init, dtype: as in every convolution.

    Inputs:
        x: shape (N, C_in, L), of the parameters' dtype.

    Outputs:
        A Tensor of shape (N, C_out, L_out) and that dtype.

    Follows: mindspore.nn.Conv1dTranspose (2.10).
    """

    _is_transposed = True

    def shard(self, strategy: Any) -> Self:  # type: ignore[override]  # as there
        """Accept how the operator is divided: it follows its input."""
        return self


class Conv3dTranspose(Convolution):
    """Compute the transposed convolution over the last three axes.

    Args:
        in_channels, out_channels: as in every convolution.
        kernel_size: an int or (depth, height, width).
        stride: an int or (depth, height, width).
        pad_mode: "same" yields size·stride outputs, "valid" cuts nothing off, "pad" cuts `padding` off.
        padding: with "pad": an int, or (front, back, top, bottom, left, right).
        dilation: an int or (depth, height, width).
        group: as in every convolution.
        output_padding: an int or (depth, height, width): added at the ends.
        has_bias, weight_init, bias_init: as in every convolution.
        data_format: "NCDHW", the only one.
        dtype: as in every convolution.

    Inputs:
        x: shape (N, C_in, D, H, W), of the parameters' dtype.

    Outputs:
        A Tensor of shape (N, C_out, D_out, H_out, W_out) and that dtype.

    Follows: mindspore.nn.Conv3dTranspose (2.10).
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
        output_padding: Sizes = 0,
        has_bias: bool = False,
        weight_init: Init = None,
        bias_init: Init = None,
        data_format: str = "NCDHW",
        dtype: Type = mstype.float32,
    ) -> None:
        settings = (stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init)
        sizes = (in_channels, out_channels, kernel_size)
        super().__init__(3, True, *sizes, *settings, data_format, dtype, output_padding)
