"""Pooling layers under torch's argument names."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.mint.nn import functional
from msbridge.nn.cell.cell import Cell
from msbridge.ops.kernel_calls.windows import Sizes

__all__ = ["AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "MaxUnpool2d"]

OutputSize = int | None | tuple[int | None, ...]


class AvgPool1dExt(Cell):
    """Compute the mean of each window along the last axis.

    Args:
        kernel_size: length of a window.
        stride: from one window to the next; None for `kernel_size`.
        padding: zeros at both ends.
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the zeros count in the divisor.

    Inputs:
        input: shape (N, C, L) or (C, L); floats.

    Outputs:
        A Tensor of shape (..., L_out) and the dtype of `input`.

    Follows: mindspore.mint.nn.AvgPool1d (2.10).
    """

    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def construct(self, input: Tensor) -> Tensor:
        settings = (self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)
        return functional.avg_pool1d(input, *settings)


class _AvgPool(Cell):
    """Base of the averages over several axes.

    Args:
        kernel_size: an int, or one for each axis.
        stride: likewise; None for `kernel_size`.
        padding: likewise; zeros on both sides.
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the zeros count in the divisor.
        divisor_override: what to divide by instead.
    """

    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def _settings(self) -> tuple[Any, ...]:
        window = (self.kernel_size, self.stride, self.padding)
        return (*window, self.ceil_mode, self.count_include_pad, self.divisor_override)


class AvgPool2dExt(_AvgPool):
    """Compute the mean of each window of the last two axes.

    Args:
        kernel_size: an int, or one for each spatial axis.
        stride: from a window to the next, likewise; None for `kernel_size`.
        padding: zeros at both ends, likewise.
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the zeros count in the divisor.
        divisor_override: what to divide by instead.

    Inputs:
        input: shape (N, C, H, W) or (C, H, W); floats.

    Outputs:
        A Tensor of shape (..., H_out, W_out) and the dtype of `input`.

    Follows: mindspore.mint.nn.AvgPool2d (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return functional.avg_pool2d(input, *self._settings())


class AvgPool3dExt(_AvgPool):
    """Compute the mean of each window of the last three axes.

    Args:
        kernel_size: an int, or one for each spatial axis.
        stride: from a window to the next, likewise; None for `kernel_size`.
        padding: zeros at both ends, likewise.
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the zeros count in the divisor.
        divisor_override: what to divide by instead.

    Inputs:
        input: shape (N, C, D, H, W) or (C, D, H, W); floats.

    Outputs:
        A Tensor of shape (..., D_out, H_out, W_out) and the dtype of `input`.

    Follows: mindspore.mint.nn.AvgPool3d (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return functional.avg_pool3d(input, *self._settings())


class MaxPool2dExt(Cell):
    """Compute the largest element of each window of the last two axes.

    Args:
        kernel_size: an int or (height, width).
        stride: an int or (height, width); None for `kernel_size`.
        padding: an int or (height, width), at most half the kernel.
        dilation: gaps between the elements of a window.
        return_indices: whether to return (values, positions in the plane).
        ceil_mode: whether a window that runs over the end counts.

    Follows: mindspore.mint.nn.MaxPool2d (2.10).
    """

    def __init__(
        self,
        kernel_size: Sizes = 1,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def construct(self, input: Tensor) -> Any:
        settings = (self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices)
        return functional.max_pool2d(input, *settings)


class MaxUnpool2d(Cell):
    """Put the values of a max pooling of (N, C, H, W) back where the indices say; zeros elsewhere.

    Args:
        kernel_size: an int or (height, width).
        stride: from a window to the next, likewise; None for `kernel_size`.
        padding: that of the pooling, likewise.

    Inputs:
        input: shape (N, C, H, W).
        indices: where each value lies in its plane, of the shape of `input`; Int64.
        output_size: that of the result; None for the smallest.

    Outputs:
        A Tensor of shape (N, C, H_out, W_out) and the dtype of `input`.

    Follows: mindspore.mint.nn.MaxUnpool2d (2.10).
    """

    def __init__(self, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding

    def construct(self, input: Tensor, indices: Tensor, output_size: tuple[int, ...] | None = None) -> Tensor:
        return functional.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class _AdaptiveAvgPool(Cell):
    """Compute `output_size` means; None keeps an axis."""

    def __init__(self, output_size: OutputSize) -> None:
        super().__init__()
        self.output_size: Any = output_size


class AdaptiveAvgPool1d(_AdaptiveAvgPool):
    """Compute `output_size` means over the last axis.

    Args:
        output_size: how many.

    Inputs:
        input: shape (N, C, L) or (C, L); floats.

    Outputs:
        A Tensor of shape (..., output_size) and the dtype of `input`.

    Follows: mindspore.mint.nn.AdaptiveAvgPool1d (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return functional.adaptive_avg_pool1d(input, self.output_size)

    def extend_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool2d(_AdaptiveAvgPool):
    """Compute `output_size` means over the last two axes; None keeps an axis.

    Args:
        output_size: height and width of the result, or an int for both.

    Inputs:
        input: shape (N, C, H, W) or (C, H, W); floats.

    Outputs:
        A Tensor of shape (..., *output_size) and the dtype of `input`.

    Follows: mindspore.mint.nn.AdaptiveAvgPool2d (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return functional.adaptive_avg_pool2d(input, self.output_size)

    def extend_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool3d(_AdaptiveAvgPool):
    """Compute `output_size` means over the last three axes; None keeps an axis.

    Args:
        output_size: depth, height and width of the result, or an int for all.

    Inputs:
        input: shape (N, C, D, H, W) or (C, D, H, W); floats.

    Outputs:
        A Tensor of shape (..., *output_size) and the dtype of `input`.

    Follows: mindspore.mint.nn.AdaptiveAvgPool3d (2.10).
    """

    def construct(self, input: Tensor) -> Tensor:
        return functional.adaptive_avg_pool3d(input, self.output_size)


class AdaptiveMaxPool1d(Cell):
    """Compute `output_size` maxima over the last axis; with `return_indices` (values, positions).

    Args:
        output_size: how many.
        return_indices: whether the positions are returned as well.

    Inputs:
        input: shape (N, C, L) or (C, L); floats.

    Outputs:
        A Tensor of shape (..., output_size) and the dtype of `input`, or a pair.

    Follows: mindspore.mint.nn.AdaptiveMaxPool1d (2.10).
    """

    def __init__(self, output_size: int, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def construct(self, input: Tensor) -> Any:
        return functional.adaptive_max_pool1d(input, self.output_size, self.return_indices)

    def extend_repr(self) -> str:
        return f"output_size={self.output_size}, return_indices={self.return_indices}"
