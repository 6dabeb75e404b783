"""Pooling over windows."""

from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.checks.arguments import boolean, instance, one_of, per_axis, positive_int
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers._operators import is_operator
from msbridge.ops import operations
from msbridge.ops.kernel_calls.channels_last import in_format
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.pooling import functions as pooling
from msbridge.ops.neural.pooling.kernels import average_pooling, max_pooling, pool

__all__ = ["AvgPool1d", "AvgPool2d", "AvgPool3d", "LPPool1d", "LPPool2d", "MaxPool1d", "MaxPool2d", "MaxPool3d"]


class _Pool(Cell):
    """Base of the window poolings: the sizes, and the torch function chosen for them."""

    _pool: Callable[[torch.Tensor], Any]

    def __init__(self, rank: int, kernel_size: Sizes, stride: Sizes, pad_mode: str, data_format: str) -> None:
        super().__init__()
        op = self.cls_name
        if instance(pad_mode, "pad_mode", op, str).lower() not in ("valid", "same", "pad"):
            raise ValueError(f"For '{op}', the 'pad_mode' must be 'valid', 'same' or 'pad', but got {pad_mode!r}.")
        self.pad_mode = pad_mode.upper()
        self.format = one_of(data_format, "format", op, ("NCHW", "NHWC"))
        kind = int if rank == 1 else (int, tuple)
        kernel = per_axis(instance(kernel_size, "kernel_size", op, kind), "kernel_size", op, rank)
        steps = per_axis(instance(stride, "stride", op, kind), "stride", op, rank)
        self.kernel_size: Any = (1, *kernel) if rank == 1 else kernel_size
        self.stride: Any = (1, *steps) if rank == 1 else stride

    def construct(self, x: Tensor) -> Any:
        return pool(self._pool, self.cls_name, x)

    def extend_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"


class _MaxPool(_Pool):
    def __init__(
        self,
        rank: int,
        kernel_size: Sizes,
        stride: Sizes,
        pad_mode: str,
        padding: Sizes,
        dilation: Sizes,
        return_indices: bool,
        ceil_mode: bool,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(rank, kernel_size, stride, pad_mode, data_format)
        if self.pad_mode != "PAD" and (padding != 0 or dilation != 1 or return_indices or ceil_mode):
            raise ValueError(
                f"For '{self.cls_name}', 'padding', 'dilation', 'return_indices' and 'ceil_mode' must have their "
                f"defaults when 'pad_mode' is not 'pad', but got pad_mode: {pad_mode}."
            )
        instance(padding, "padding", self.cls_name, (int, tuple, list))
        self.return_indices = boolean(return_indices, "return_indices", self.cls_name)
        boolean(ceil_mode, "ceil_mode", self.cls_name)
        settings = (kernel_size, stride, pad_mode, padding, dilation, return_indices, ceil_mode)
        self._pool = in_format(data_format, max_pooling(rank, self.cls_name, *settings))


class _AveragePool(_Pool):
    def __init__(
        self,
        rank: int,
        kernel_size: Sizes,
        stride: Sizes,
        pad_mode: str,
        padding: Sizes,
        ceil_mode: bool,
        count_include_pad: bool,
        divisor_override: int | None = None,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(rank, kernel_size, stride, pad_mode, data_format)
        if divisor_override is not None:
            positive_int(divisor_override, "divisor_override", self.cls_name)
        boolean(ceil_mode, "ceil_mode", self.cls_name)
        instance(count_include_pad, "count_include_pad", self.cls_name, bool if rank == 3 else (bool, int))
        instance(padding, "padding", self.cls_name, (int, tuple, list))
        settings = (kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad)
        self._settings = (*settings, divisor_override or 0)
        fn = average_pooling(rank, self.cls_name, *settings, divisor_override, counts_same=rank == 3)
        self._pool = in_format(data_format, fn)


class MaxPool1d(_MaxPool):
    """Compute the largest element of each window of (N, C, L).

    Args:
        kernel_size: length of a window, an int.
        stride: an int; 1 by default, for any kernel.
        pad_mode: as in every max pooling.
        padding: with "pad": an int, at most half the kernel.
        dilation: with "pad": the distance between elements of a window.
        return_indices, ceil_mode: as in every max pooling.

    Inputs:
        x: shape (N, C, L) or (C, L); integers or floats.

    Outputs: as in every max pooling.

    Follows: mindspore.nn.MaxPool1d (2.10).
    """

    def __init__(
        self,
        kernel_size: int = 1,
        stride: int = 1,
        pad_mode: str = "valid",
        padding: int = 0,
        dilation: int = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(1, kernel_size, stride, pad_mode, padding, dilation, return_indices, ceil_mode)
        if self.pad_mode == "PAD":
            self.kernel_size, self.stride = (1, *self.kernel_size), (1, *self.stride)


@is_operator("max_pool", lambda one: operations.MaxPool(one.kernel_size, one.stride, one.pad_mode, one.format))
class MaxPool2d(_MaxPool):
    """Compute the largest element of each window of (N, C, H, W).

    Args:
        kernel_size: an int or (height, width).
        stride: an int or (height, width); 1 by default, for any kernel.
        pad_mode: "valid" pads nothing, "same" yields ceil(size / stride) outputs, "pad" pads by `padding`.
        padding: with "pad": an int or (height, width), at most half the kernel.
        dilation: with "pad": gaps between the elements of a window.
        return_indices: with "pad": whether to return (values, positions in the plane).
        ceil_mode: with "pad": whether a window that runs over the end counts.
        data_format: "NCHW", or "NHWC" for channels last.

    Inputs:
        x: shape (N, C, H, W) or (C, H, W), channels last with "NHWC"; integers or floats.

    Outputs: as in every max pooling.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or does not go with `pad_mode`.

    Examples:
        >>> x = Tensor(np.arange(16.0).reshape(1, 1, 4, 4), ms.float32)
        >>> print(nn.MaxPool2d(2, stride=2)(x)[0, 0])
        [[ 5.  7.]
         [13. 15.]]

    Follows: mindspore.nn.MaxPool2d (2.10).
    """

    def __init__(
        self,
        kernel_size: Sizes = 1,
        stride: Sizes = 1,
        pad_mode: str = "valid",
        padding: Sizes = 0,
        dilation: Sizes = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
    ) -> None:
        settings = (pad_mode, padding, dilation, return_indices, ceil_mode, data_format)
        super().__init__(2, kernel_size, stride, *settings)


class MaxPool3d(_MaxPool):
    """Compute the largest element of each window of (N, C, D, H, W).

    Args:
        kernel_size: an int or (depth, height, width).
        stride: an int or (depth, height, width); 1 by default, for any kernel.
        pad_mode: as in every max pooling.
        padding: with "pad": an int or (depth, height, width), at most half the kernel.
        dilation: with "pad": the distance between elements of a window.
        return_indices, ceil_mode: as in every max pooling.

    Inputs:
        x: shape (N, C, D, H, W) or (C, D, H, W); integers or floats.

    Outputs: as in every max pooling.

    Follows: mindspore.nn.MaxPool3d (2.10).
    """

    def __init__(
        self,
        kernel_size: Sizes = 1,
        stride: Sizes = 1,
        pad_mode: str = "valid",
        padding: Sizes = 0,
        dilation: Sizes = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(3, kernel_size, stride, pad_mode, padding, dilation, return_indices, ceil_mode)


class AvgPool1d(_AveragePool):
    """Compute the mean of each window of (N, C, L).

    Args:
        kernel_size: length of a window, an int.
        stride: an int; 1 by default, for any kernel.
        pad_mode: as in every average pooling.
        padding: with "pad": an int, at most half the kernel.
        ceil_mode, count_include_pad: as in every average pooling.

    Inputs:
        x: shape (N, C, L) or (C, L); floats or Int64.

    Outputs: as in every average pooling.

    Follows: mindspore.nn.AvgPool1d (2.10).
    """

    def __init__(
        self,
        kernel_size: int = 1,
        stride: int = 1,
        pad_mode: str = "valid",
        padding: int = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__(1, kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad)
        if self.pad_mode == "PAD":
            self.kernel_size, self.stride = kernel_size, stride


@is_operator("avg_pool", lambda one: operations.AvgPool(one.kernel_size, one.stride, one.pad_mode, one.format))
class AvgPool2d(_AveragePool):
    """Compute the mean of each window of (N, C, H, W).

    Args:
        kernel_size: an int or (height, width).
        stride: an int or (height, width); 1 by default, for any kernel.
        pad_mode: "valid" pads nothing, "same" yields ceil(size / stride) outputs and divides by what lies inside the
            input, "pad" pads by `padding`.
        padding: with "pad": an int or (height, width).
        ceil_mode: whether a window that runs over the end counts.
        count_include_pad: whether the padding of "pad" counts in the divisor.
        divisor_override: what to divide by instead.
        data_format: "NCHW", or "NHWC" for channels last.

    Inputs:
        x: shape (N, C, H, W) or (C, H, W), channels last with "NHWC"; floats or Int64.

    Outputs: as in every average pooling.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range, or a padding is given for another mode than "pad".

    Examples:
        >>> x = Tensor(np.arange(16.0).reshape(1, 1, 4, 4), ms.float32)
        >>> print(nn.AvgPool2d(2, stride=2)(x)[0, 0])
        [[ 2.5  4.5]
         [10.5 12.5]]

    Follows: mindspore.nn.AvgPool2d (2.10).
    """

    def __init__(
        self,
        kernel_size: Sizes = 1,
        stride: Sizes = 1,
        pad_mode: str = "valid",
        padding: Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
        data_format: str = "NCHW",
    ) -> None:
        settings = (padding, ceil_mode, count_include_pad, divisor_override, data_format)
        super().__init__(2, kernel_size, stride, pad_mode, *settings)


class AvgPool3d(_AveragePool):
    """Compute the mean of each window of (N, C, D, H, W); the padding of "same" counts in the divisor.

    Args:
        kernel_size: an int or (depth, height, width).
        stride: an int or (depth, height, width); 1 by default, for any kernel.
        pad_mode: as in every average pooling.
        padding: with "pad": an int or (depth, height, width), at most half the kernel.
        ceil_mode, count_include_pad, divisor_override: as in every average pooling.

    Inputs:
        x: shape (N, C, D, H, W) or (C, D, H, W); floats but BFloat16, or Int64.

    Outputs: as in every average pooling.

    Follows: mindspore.nn.AvgPool3d (2.10).
    """

    def __init__(
        self,
        kernel_size: Sizes = 1,
        stride: Sizes = 1,
        pad_mode: str = "valid",
        padding: Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        settings = (padding, ceil_mode, count_include_pad, divisor_override)
        super().__init__(3, kernel_size, stride, pad_mode, *settings)


class LPPool1d(Cell):
    """Compute the p-norm of each window over the last axis, p = `norm_type`.

    Args:
        norm_type: p, not 0.
        kernel_size: length of a window, an int.
        stride: an int; None for `kernel_size`.
        ceil_mode: whether a window that runs over the end counts.

    Inputs:
        x: shape (N, C, L) or (C, L); floats.

    Outputs:
        A Tensor of the dtype of `x` and its shape, with floor((L - kernel) / stride) + 1 along the last axis.

    Follows: mindspore.nn.LPPool1d (2.10).
    """

    def __init__(self, norm_type: float, kernel_size: int, stride: int | None = None, ceil_mode: bool = False) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def construct(self, x: Tensor) -> Tensor:
        return pooling.lp_pool1d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(Cell):
    """Compute the p-norm of each window over the last two axes, p = `norm_type`.

    Args:
        norm_type: p, not 0.
        kernel_size: an int or (height, width).
        stride: an int or (height, width); None for `kernel_size`.
        ceil_mode: whether a window that runs over the end counts.

    Inputs:
        x: shape (N, C, H, W) or (C, H, W); floats.

    Outputs:
        A Tensor of the dtype of `x` and its shape, with floor((size - kernel) / stride) + 1 along the last two axes.

    Follows: mindspore.nn.LPPool2d (2.10).
    """

    def __init__(
        self, norm_type: float, kernel_size: Sizes, stride: Sizes | None = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def construct(self, x: Tensor) -> Tensor:
        return pooling.lp_pool2d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)
