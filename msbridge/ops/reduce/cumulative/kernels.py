"""Computations that the faces of cumulative share."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import Function, Number, along_axis, unary_with


def running(fn: Function, op: str, x: Tensor, axis: int, exclusive: bool, reverse: bool, first: Number) -> Tensor:
    """Apply a running reduction, from the end with `reverse`, each element leaving itself out with `exclusive`.

    Follows: mindspore.ops.CumSum, mindspore.ops.CumProd (2.10).
    """

    def run(data: torch.Tensor, axis: int) -> torch.Tensor:
        data = data.flip(axis) if reverse else data
        result = fn(data, axis).to(data.dtype)
        if exclusive:
            start = torch.full_like(result.narrow(axis, 0, 1), first)
            result = torch.cat([start, result.narrow(axis, 0, result.shape[axis] - 1)], axis)
        return result.flip(axis) if reverse else result

    return along_axis(run, op, x, int(axis))


def histogram(x: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """Count the elements in bins of equal width, in the dtype of the elements: Int32 or Float32.

    Args:
        x: any shape; Float16, Float32 or Int32.
        bins: how many.
        min: the lower end; where both ends are equal, those of the elements.
        max: the upper end.

    Returns:
        A Tensor of shape (bins,); Int32 if `x` is, else Float32.

    Follows: mindspore.ops.Histogram (2.10).
    """

    def count(data: torch.Tensor) -> torch.Tensor:
        counts = torch.histc(data.float(), bins, min, max)
        return counts.int() if data.dtype is torch.int32 else counts

    return unary_with(count, "Histogram", x)
