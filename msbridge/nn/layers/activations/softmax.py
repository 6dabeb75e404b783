"""Layers of softmax and its logarithm."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers._operators import is_operator
from msbridge.nn.layers.plain import PlainLayer
from msbridge.ops import operations
from msbridge.ops.elementwise.activation import functions as activation
from msbridge.ops.elementwise.activation.kernels import softmax_over

__all__ = [
    "LogSoftmax",
    "LogSoftmaxExt",
    "Softmax",
    "Softmax2d",
    "Softmin",
]


@is_operator("softmax", lambda layer: operations.Softmax(layer.axis))
class Softmax(Cell):
    """Scale the exponentials so that they sum to one along `axis`.

    Args:
        axis: an int, or a tuple of axes that are taken together.

    Inputs, Outputs: elementwise, float -> same.

    Raises:
        TypeError: `axis` is of another type.

    Examples:
        >>> print(nn.Softmax()(Tensor([[1.0, 1.0], [0.0, 0.0]])))
        [[0.5 0.5]
         [0.5 0.5]]

    Follows: mindspore.nn.Softmax (2.10).
    """

    def __init__(self, axis: int | tuple[int, ...] = -1) -> None:
        super().__init__()
        if isinstance(axis, bool) or not isinstance(axis, int | tuple):
            raise TypeError(f"For 'Softmax', the 'axis' must be int or tuple of int, but got {type(axis)}.")
        self.axis = axis
        self._softmax = activation.softmax if isinstance(axis, int) else softmax_over

    def construct(self, input: Tensor) -> Tensor:
        return self._softmax(input, self.axis)


@is_operator("log_softmax", lambda layer: operations.LogSoftmax(layer.axis))
class LogSoftmax(Cell):
    """Compute the logarithm of softmax along `axis`.

    Args:
        axis: which axis, in [-x.ndim, x.ndim).

    Inputs, Outputs: elementwise, float -> same.

    Follows: mindspore.nn.LogSoftmax (2.10).
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        return activation.log_softmax(x, self.axis)


class LogSoftmaxExt(Cell):
    """Compute the logarithm of softmax along `dim`; None means torch's old choice: axis 0 of 0, 1 or 3 axes, else 1.

    Args:
        dim: which axis, in [-x.ndim, x.ndim), or None.

    Inputs, Outputs: elementwise, float -> same.

    Follows: mindspore.mint.nn.LogSoftmax (2.10).
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def construct(self, x: Tensor) -> Tensor:
        axis = self.dim
        if axis is None:
            axis = 0 if x.ndim in (0, 1, 3) else 1
        return activation.log_softmax(x, axis)


class Softmin(Cell):
    """Compute the softmax of -x along `axis`.

    Args:
        axis: which axis, in [-x.ndim, x.ndim).

    Inputs, Outputs: elementwise, float -> same.

    Follows: mindspore.nn.Softmin (2.10).
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        return activation.softmin(x, self.axis)


class Softmax2d(PlainLayer):
    """Compute the softmax over the channels of (N, C, H, W) or (C, H, W).

    Inputs:
        x: shape (N, C, H, W) or (C, H, W); floats.

    Outputs:
        A Tensor of the shape and dtype of `x`; the elements of a pixel sum to one.

    Follows: mindspore.nn.Softmax2d (2.10).
    """

    def construct(self, x: Tensor) -> Tensor:
        return activation.softmax(x, -3)
