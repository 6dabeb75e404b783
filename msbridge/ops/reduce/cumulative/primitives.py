"""Primitives of cumulative."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.cumulative import functions
from msbridge.ops.reduce.cumulative.kernels import histogram, running


def _cumsum(x: Tensor, axis: int, exclusive: bool = False, reverse: bool = False) -> Tensor:
    """Return the running sums along an axis.

    Args:
        x: any shape of numbers.
        axis: along which axis, in [-rank, rank).
        exclusive: leave out the element itself, so the first is 0.
        reverse: start at the end.

    Returns:
        A Tensor of the shape and dtype of `x`.
    """
    if not (exclusive or reverse):
        return functions.cumsum(x, int(axis))
    return running(torch.cumsum, "CumSum", x, axis, exclusive, reverse, 0)


def _cumprod(x: Tensor, axis: int, exclusive: bool = False, reverse: bool = False) -> Tensor:
    """Return the running products along an axis.

    Args:
        x: any shape of numbers.
        axis: along which axis, in [-rank, rank).
        exclusive: leave out the element itself, so the first is 1.
        reverse: start at the end.

    Returns:
        A Tensor of the shape and dtype of `x`.
    """
    return running(torch.cumprod, "CumProd", x, axis, exclusive, reverse, 1)


def _cumulative_logsumexp(x: Tensor, axis: int, exclusive: bool = False, reverse: bool = False) -> Tensor:
    """Return the logarithms of the running sums of exponentials along an axis.

    Args:
        x: any shape; floats.
        axis: along which axis, in [-rank, rank).
        exclusive: leave out the element itself, so the first is the lowest number.
        reverse: start at the end.

    Returns:
        A Tensor of the shape and dtype of `x`.
    """
    lowest = torch.finfo(x._data.dtype).min
    return running(torch.logcumsumexp, "CumulativeLogsumexp", x, axis, exclusive, reverse, lowest)


DERIVED = (
    derive("CumProd", _cumprod, "exclusive reverse"),
    derive("CumSum", _cumsum, "exclusive reverse"),
    derive("Cummax", functions.cummax, "axis"),
    derive("Cummin", functions.cummin, "axis"),
    derive("CumulativeLogsumexp", _cumulative_logsumexp, "exclusive reverse"),
    derive("Histogram", histogram, "bins min max"),
)
