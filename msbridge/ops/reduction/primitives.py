"""Primitives of reductions and running reductions."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.dtype import Type, int32
from msbridge.core.tensor import Tensor
from msbridge.ops.creation import functions as creation
from msbridge.ops.cumulative import functions as cumulative
from msbridge.ops.elementwise import functions as elementwise
from msbridge.ops.families import Axis
from msbridge.ops.linalg import functions as linalg
from msbridge.ops.primitive import derive
from msbridge.ops.reduction import functions


def _argmax(x: Tensor, axis: int = -1, output_type: Type = int32) -> Tensor:
    """Give where the largest element along an axis is."""
    return elementwise.cast(functions.argmax(x, axis), output_type)


def _argmin(x: Tensor, axis: int = -1, output_type: Type = int32) -> Tensor:
    """Give where the smallest element along an axis is."""
    return elementwise.cast(functions.argmin(x, axis), output_type)


def _cumsum(x: Tensor, axis: int, exclusive: bool = False, reverse: bool = False) -> Tensor:
    """Give the running sums along an axis."""
    if not (exclusive or reverse):
        return cumulative.cumsum(x, int(axis))
    return cumulative.running(torch.cumsum, "CumSum", x, axis, exclusive, reverse, 0)


def _cumprod(x: Tensor, axis: int, exclusive: bool = False, reverse: bool = False) -> Tensor:
    """Give the running products along an axis."""
    return cumulative.running(torch.cumprod, "CumProd", x, axis, exclusive, reverse, 1)


def _cumulative_logsumexp(x: Tensor, axis: int, exclusive: bool = False, reverse: bool = False) -> Tensor:
    """Give the logarithms of the running sums of exponentials along an axis."""
    lowest = torch.finfo(x._data.dtype).min
    return cumulative.running(torch.logcumsumexp, "CumulativeLogsumexp", x, axis, exclusive, reverse, lowest)


def _euclidean_norm(x: Tensor, axes: Axis, keep_dims: bool = False) -> Tensor:
    """Give the 2-norm along axes."""
    return linalg.vector_norm(x, 2, tuple(int(axis) for axis in axes), keep_dims)  # type: ignore[union-attr]


def _lp_norm(
    input: Tensor, axis: int | Sequence[int], p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12
) -> Tensor:
    """Give the p-norm along axes, at least `epsilon`."""
    axes = axis if isinstance(axis, int) else tuple(axis)
    return elementwise.clamp(linalg.vector_norm(input, p, axes, keep_dims), epsilon)


def _median(
    x: Tensor, global_median: bool = False, axis: int = 0, keep_dims: bool = False, ignore_nan: bool = False
) -> tuple[Tensor, Tensor]:
    """Give the middle element along an axis and where it is, or that of all elements and 0."""
    middle = functions.nanmedian if ignore_nan else functions.median
    if not global_median:
        return middle(x, axis, keep_dims)
    value, index = middle(x.reshape(-1), 0, False)
    return value, creation.zeros_like(index)


def _count_nonzero(x: Tensor, dims: Any = None) -> Tensor:
    """Count the elements along axes that are not 0, Int64."""
    return functions.count_nonzero(x, () if dims is None else dims)


def _reduce_std(
    input_x: Tensor, axis: Axis = (), unbiased: bool = True, keep_dims: bool = False
) -> tuple[Tensor, Tensor]:
    """Give standard deviation and mean along axes."""
    return functions.std_mean(input_x, axis, int(unbiased), keep_dims)


def _square_sums(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Give the sums of the squares of both."""
    return functions.sum(elementwise.square(x)), functions.sum(elementwise.square(y))


DERIVED = (
    derive("ArgMaxWithValue", functions.largest_with_index, "axis keep_dims"),
    derive("ArgMinWithValue", functions.smallest_with_index, "axis keep_dims"),
    derive("Argmax", _argmax, "axis output_type"),
    derive("Argmin", _argmin, "axis output_type"),
    derive("CountNonZero", _count_nonzero, "dims"),
    derive("CumProd", _cumprod, "exclusive reverse"),
    derive("CumSum", _cumsum, "exclusive reverse"),
    derive("Cummax", cumulative.cummax, "axis"),
    derive("Cummin", cumulative.cummin, "axis"),
    derive("CumulativeLogsumexp", _cumulative_logsumexp, "exclusive reverse"),
    derive("EuclideanNorm", _euclidean_norm, "keep_dims"),
    derive("Histogram", cumulative.histogram, "bins min max"),
    derive("LpNorm", _lp_norm, "axis p keep_dims epsilon"),
    derive("Median", _median, "global_median axis keep_dims ignore_nan"),
    derive("ReduceAll", functions.all, "keep_dims"),
    derive("ReduceAny", functions.any, "keep_dims"),
    derive("ReduceMax", functions.reduce_max, "keep_dims"),
    derive("ReduceMean", functions.mean, "keep_dims"),
    derive("ReduceMin", functions.reduce_min, "keep_dims"),
    derive("ReduceProd", functions.reduce_prod, "keep_dims"),
    derive("ReduceStd", _reduce_std, "axis unbiased keep_dims"),
    derive("ReduceSum", functions.reduce_sum, "keep_dims skip_mode"),
    derive("SquareSumAll", _square_sums),
)
