"""The partial inverse of max pooling."""

from collections.abc import Callable

from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.ops.kernel_calls.windows import Sizes
from msbridge.ops.neural.pooling import functions as pooling

__all__ = ["MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d"]


class _MaxUnpool(Cell):
    """Put the values of a max pooling back where the indices say; zeros elsewhere."""

    _unpool: Callable[..., Tensor]

    def __init__(self, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride else kernel_size
        self.padding = padding

    def construct(self, x: Tensor, indices: Tensor, output_size: tuple[int, ...] | None = None) -> Tensor:
        return self._unpool(x, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool1d(_MaxUnpool):
    """Put the values of a max pooling of (N, C, L) back where the indices say; zeros elsewhere.

    Args:
        kernel_size: length of a window, an int.
        stride: an int; None for `kernel_size`.
        padding: an int.

    Inputs:
        x: shape (N, C, L) or (C, L): the maxima.
        indices: their positions, Int32 or Int64, of the shape of `x`.
        output_size: the shape of the result; None for (L - 1)·stride - 2·padding + kernel along the last axis.

    Outputs:
        A Tensor of the dtype of `x`.

    Follows: mindspore.nn.MaxUnpool1d (2.10).
    """

    _unpool = staticmethod(pooling.max_unpool1d)


class MaxUnpool2d(_MaxUnpool):
    """Put the values of a max pooling of (N, C, H, W) back where the indices say; zeros elsewhere.

    Args:
        kernel_size: an int or (height, width).
        stride: an int or (height, width); None for `kernel_size`.
        padding: an int or (height, width).

    Inputs:
        x: shape (N, C, H, W) or (C, H, W): the maxima.
        indices: their positions, Int32 or Int64, of the shape of `x`.
        output_size: the shape of the result; None for (size - 1)·stride - 2·padding + kernel along the last two axes.

    Outputs:
        A Tensor of the dtype of `x`.

    Follows: mindspore.nn.MaxUnpool2d (2.10).
    """

    _unpool = staticmethod(pooling.max_unpool2d)


class MaxUnpool3d(_MaxUnpool):
    """Put the values of a max pooling of (N, C, D, H, W) back where the indices say; zeros elsewhere.

    Args:
        kernel_size: an int or (depth, height, width).
        stride: an int or (depth, height, width); None for `kernel_size`.
        padding: an int or (depth, height, width).

    Inputs:
        x: shape (N, C, D, H, W) or (C, D, H, W): the maxima.
        indices: their positions, Int32 or Int64, of the shape of `x`.
        output_size: the shape of the result; None for (size - 1)·stride - 2·padding + kernel along the last three axes.

    Outputs:
        A Tensor of the dtype of `x`.

    Follows: mindspore.nn.MaxUnpool3d (2.10).
    """

    _unpool = staticmethod(pooling.max_unpool3d)
