"""Convolution layers with torch's argument and parameter names."""

import math
from typing import Any

from torch.nn import functional as F

from msbridge.core.checks.arguments import boolean, divisible, non_negative_int, one_of, per_axis, positive_int
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type
from msbridge.mint.nn import functional
from msbridge.mint.nn._parameters import draw_bias, draw_weight, kind_of
from msbridge.nn.cell.cell import Cell
from msbridge.ops.kernel_calls.mixed_dtypes import is_mixed, widest
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.convolution import kernels

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d"]

_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")
_SETTINGS = ("stride", "padding", "dilation", "groups", "padding_mode", "kernel_size")


class _Conv(Cell):
    """Base of the convolutions: the arguments, the parameters, the printed form.

    Args:
        in_channels: channels of the input.
        out_channels: channels of the output.
        kernel_size: an int, or one for each axis.
        stride: an int, or one for each axis.
        padding: an int, or one for each axis; or "same" (as many outputs as inputs) or "valid" (none).
        dilation: an int, or one for each axis.
        groups: how many groups of channels are convolved apart.
        bias: whether there is a bias.
        padding_mode: "zeros", "reflect", "replicate" or "circular".
        dtype: of the parameters; None for Float32.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, the groups do not divide the channels, or "same" has a stride.

    `conv1d`, `conv2d`, `conv3d`, `transposed`, `output_padding` and `_reversed_padding` are for subclasses, which use
    them in a `construct` of their own.
    """

    transposed = False

    _rank: int

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes | str = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        dtype: Type | None = None,
    ) -> None:
        super().__init__()
        op, rank = self.cls_name, self._rank
        self.kernel_size = per_axis(kernel_size, "kernel_size", op, rank, None, is_exact=True)
        self.stride = per_axis(stride, "stride", op, rank, None, is_exact=True)
        is_named = isinstance(padding, str)
        self.padding: Any = padding if is_named else per_axis(padding, "padding", op, rank, None, is_exact=True)
        self.dilation = per_axis(dilation, "dilation", op, rank, None, is_exact=True)
        self.in_channels = non_negative_int(in_channels, "in_channels", op)
        self.out_channels = non_negative_int(out_channels, "out_channels", op)
        self.groups = positive_int(groups, "groups", op)
        if is_named:
            one_of(padding, "padding", op, ("valid", "same"))
            if padding == "same" and max(self.stride) > 1:
                raise ValueError(f"For '{op}', padding='same' is not supported for strided convolutions.")
        divisible(in_channels, "in_channels", op, groups, "groups")
        divisible(out_channels, "out_channels", op, groups, "groups")
        self.padding_mode = one_of(padding_mode, "padding_mode", op, _PADDING_MODES)
        for name in ("kernel_size", "stride", "dilation"):
            per_axis(getattr(self, name), name, op, rank)
        shape = self._weight_shape()
        self.output_padding: tuple[int, ...] = (0,) * rank
        self._reversed_padding = self._borders()
        self.weight = draw_weight(shape, kind_of(dtype))
        fan_in = shape[1] * math.prod(self.kernel_size)
        self.bias = draw_bias(out_channels, fan_in, kind_of(dtype)) if boolean(bias, "bias", op) else None
        self._prepare()

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name in _SETTINGS and "_convolve" in self.__dict__:  # what a subclass sets later holds for the next call
            self._prepare()

    def _weight_shape(self) -> tuple[int, ...]:
        return (self.out_channels, self.in_channels // self.groups, *self.kernel_size)

    def _prepare(self) -> None:
        """Choose the border to add, which stays that of the first padding, and the convolution of what is inside it."""
        self._border = () if self.padding_mode == "zeros" else self._reversed_padding
        padding = 0 if self._border else self.padding
        mode, amount = (padding, 0) if isinstance(padding, str) else ("pad", padding)
        settings = (self.stride, mode, amount, self.dilation, self.groups, self.kernel_size)
        self._convolve = kernels.convolution(self._rank, self.cls_name, *settings)

    def _borders(self) -> tuple[int, ...]:
        """Return the borders that `torch.nn.functional.pad` adds before and after each axis, the last one first."""
        if self.padding == "valid":
            return (0, 0) * self._rank
        if self.padding == "same":
            totals = [step * (size - 1) for step, size in zip(self.dilation, self.kernel_size, strict=True)]
            return tuple(side for total in reversed(totals) for side in (total // 2, total - total // 2))
        return tuple(size for size in reversed(self.padding) for _ in range(2))

    def construct(self, input: Tensor) -> Tensor:
        try:
            return self._of(input, self.weight, self.bias)
        except Exception as error:
            if is_mixed((input, self.weight, self.bias)):
                return widest(self._of, input, self.weight, self.bias)
            raise kernels.explain_convolution(error, self.cls_name, input, self.weight, self.bias) from error

    def _of(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        data = input._data
        if self._border:
            data = F.pad(data, self._border, self.padding_mode)
        return wrap(self._convolve(data, weight._data, None if bias is None else bias._data))

    def extend_repr(self) -> str:
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, padding={self.padding}, dilation={self.dilation}, groups={self.groups}, "
            f"bias={self.bias is not None}"
        )


class Conv1d(_Conv):
    """Convolve over the last axis of (N, C_in, L); `weight` has shape (C_out, C_in / groups, kernel_size).

    Args:
        in_channels: C_in.
        out_channels: C_out.
        kernel_size: an int, or one for each spatial axis.
        stride: likewise.
        padding: at each side, likewise; "same" or "valid".
        dilation: likewise.
        groups: how many groups of channels are convolved apart.
        bias: whether there is a bias.
        padding_mode: "zeros", "reflect", "replicate" or "circular".
        dtype: of the parameters; None for Float32.

    Inputs:
        input: shape (N, C_in, L) or (C_in, L); floats.

    Outputs:
        A Tensor of shape (N, C_out, L_out) or (C_out, L_out) and the dtype of `input`.

    Follows: mindspore.mint.nn.Conv1d (2.10).
    """

    _rank = 1
    conv1d = staticmethod(functional.conv1d)


class Conv2d(_Conv):
    """Convolve over the last two axes of (N, C_in, H, W).

    Args:
        in_channels: C_in.
        out_channels: C_out.
        kernel_size: an int, or one for each spatial axis.
        stride: likewise.
        padding: at each side, likewise; "same" or "valid".
        dilation: likewise.
        groups: how many groups of channels are convolved apart.
        bias: whether there is a bias.
        padding_mode: "zeros", "reflect", "replicate" or "circular".
        dtype: of the parameters; None for Float32.

    Inputs:
        input: shape (N, C_in, H, W) or (C_in, H, W); floats.

    Outputs:
        A Tensor of shape (N, C_out, H_out, W_out) or (C_out, H_out, W_out) and the dtype of `input`.

    Follows: mindspore.mint.nn.Conv2d (2.10).
    """

    _rank = 2
    conv2d = staticmethod(functional.conv2d)


class Conv3d(_Conv):
    """Convolve over the last three axes of (N, C_in, D, H, W).

    Args:
        in_channels: C_in.
        out_channels: C_out.
        kernel_size: an int, or one for each spatial axis.
        stride: likewise.
        padding: at each side, likewise; "same" or "valid".
        dilation: likewise.
        groups: how many groups of channels are convolved apart.
        bias: whether there is a bias.
        padding_mode: "zeros", "reflect", "replicate" or "circular".
        dtype: of the parameters; None for Float32.

    Inputs:
        input: shape (N, C_in, D, H, W) or (C_in, D, H, W); floats.

    Outputs:
        A Tensor of shape (N, C_out, D_out, H_out, W_out) or (C_out, D_out, H_out, W_out) and the dtype of `input`.

    Follows: mindspore.mint.nn.Conv3d (2.10).
    """

    _rank = 3
    conv3d = staticmethod(functional.conv3d)


class ConvTranspose2d(_Conv):
    """Compute the transposed convolution over the last two axes; `weight` has shape (C_in, C_out / groups, H, W).

    Args:
        in_channels: channels of the input.
        out_channels: channels of the output.
        kernel_size: an int or (height, width).
        stride: an int or (height, width).
        padding: how much is cut off: an int or (height, width).
        output_padding: rows and columns more, below `stride` or `dilation`.
        groups: how many groups of channels are convolved apart.
        bias: whether there is a bias.
        dilation: an int or (height, width).
        padding_mode: "zeros".
        dtype: of the parameters; None for Float32.

    Inputs:
        input: shape (N, C_in, H, W); floats.
        output_size: (height, width) of the result; None for the smallest.

    Outputs:
        A Tensor of shape (N, C_out, H_out, W_out) and the dtype of `input`.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or there is another `padding_mode`.

    Follows: mindspore.mint.nn.ConvTranspose2d (2.10).
    """

    _rank = 2
    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Sizes = 1,
        padding_mode: str = "zeros",
        dtype: Type | None = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(
                f"For 'ConvTranspose2d', only padding_mode 'zeros' is supported, but got {padding_mode!r}."
            )
        sizes = {"kernel_size": kernel_size, "stride": stride, "padding": padding, "output_padding": output_padding}
        for name, size in {**sizes, "dilation": dilation}.items():
            if not isinstance(size, int | tuple | list):
                raise ValueError(f"For 'ConvTranspose2d', the '{name}' must be int, tuple or list, but got {size!r}.")
        settings = (kernel_size, stride, padding, dilation, groups, bias, padding_mode, dtype)
        super().__init__(in_channels, out_channels, *settings)
        self.output_padding = per_axis(output_padding, "output_padding", self.cls_name, 2, 0, is_exact=True)

    def _prepare(self) -> None:
        """Nothing: the output's size is chosen on call."""

    def _weight_shape(self) -> tuple[int, ...]:
        return (self.in_channels, self.out_channels // self.groups, *self.kernel_size)

    def construct(self, input: Tensor, output_size: list[int] | tuple[int, ...] | None = None) -> Tensor:
        sizes = (self.stride, self.padding, self.kernel_size, self._rank, self.dilation)
        extra = self._output_padding(input, output_size, *sizes)
        settings = (self.stride, self.padding, extra, self.groups, self.dilation)
        return functional.conv_transpose2d(input, self.weight, self.bias, *settings)

    def _output_padding(
        self,
        input: Tensor,
        output_size: list[int] | tuple[int, ...] | None,
        stride: tuple[int, ...],
        padding: tuple[int, ...],
        kernel_size: tuple[int, ...],
        num_spatial_dims: int,
        dilation: tuple[int, ...],
    ) -> tuple[int, ...]:
        """Return the additional rows and columns that `output_size` asks for; subclasses call it by MindSpore's name.

        Raises:
            ValueError: they are fewer than 0, or reach the next step.
        """
        if output_size is None:
            return self.output_padding
        wanted = tuple(output_size)[-num_spatial_dims:]
        rows = zip(input.shape[-num_spatial_dims:], stride, padding, dilation, kernel_size, strict=True)
        least = [(size - 1) * step - 2 * cut + gap * (kernel - 1) + 1 for size, step, cut, gap, kernel in rows]
        extra = tuple(want - low for want, low in zip(wanted, least, strict=True))
        if any(not 0 <= more < step for more, step in zip(extra, stride, strict=True)):
            most = [low + step - 1 for low, step in zip(least, stride, strict=True)]
            raise ValueError(
                f"For '{self.cls_name}', the 'output_size' must be from {least} to {most}, but got {wanted}."
            )
        return extra
