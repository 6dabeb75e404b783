"""Primitives of reductions and running reductions."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, int32
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.framework.creation import functions as creation
from msbridge.ops.kernel_calls.families import Axis
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.extremes import functions as extremes
from msbridge.ops.reduce.reduction import functions, kernels


def _argmax(x: Tensor, axis: int = -1, output_type: Type = int32) -> Tensor:
    """Return the index of the largest element along an axis.

    Args:
        x: any shape; integers or floats.
        axis: which axis, in [-rank, rank).
        output_type: Int32 or Int64.

    Returns:
        A Tensor of the shape of `x` without the axis, of dtype `output_type`.
    """
    return elementwise.cast(extremes.argmax(x, axis), output_type)


def _argmin(x: Tensor, axis: int = -1, output_type: Type = int32) -> Tensor:
    """Return the index of the smallest element along an axis.

    Args:
        x: any shape; integers or floats.
        axis: which axis, in [-rank, rank).
        output_type: Int32 or Int64.

    Returns:
        A Tensor of the shape of `x` without the axis, of dtype `output_type`.
    """
    return elementwise.cast(extremes.argmin(x, axis), output_type)


def _median(
    x: Tensor, global_median: bool = False, axis: int = 0, keep_dims: bool = False, ignore_nan: bool = False
) -> tuple[Tensor, Tensor]:
    """Return the middle element along an axis and where it is, or that of all elements and 0.

    Args:
        x: any shape; integers or floats.
        global_median: take all elements.
        axis: which axis, in [-rank, rank).
        keep_dims: keep the axis with length 1.
        ignore_nan: leave NaN out.

    Returns:
        (values, indices), without the axis: of the dtype of `x`, and Int64; 0-d with `global_median`.
    """
    middle = extremes.nanmedian if ignore_nan else extremes.median
    if not global_median:
        return middle(x, axis, keep_dims)
    value, index = middle(x.reshape(-1), 0, False)
    return value, creation.zeros_like(index)


def _count_nonzero(x: Tensor, dims: Any = None) -> Tensor:
    """Count the elements along axes that are not 0, Int64.

    Args:
        x: any shape and dtype.
        dims: the axis or axes, in [-rank, rank); None and () mean all.

    Returns:
        A Tensor of the shape of `x` without the reduced axes; Int32.
    """
    return functions.count_nonzero(x, () if dims is None else dims)


def _reduce_std(
    input_x: Tensor, axis: Axis = (), unbiased: bool = True, keep_dims: bool = False
) -> tuple[Tensor, Tensor]:
    """Return standard deviation and mean along axes.

    Args:
        input_x: any shape; floats.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        unbiased: divide by the count less one.
        keep_dims: keep the reduced axes with length 1.

    Returns:
        (deviation, mean), each of the dtype of `input_x` without the reduced axes.
    """
    return functions.std_mean(input_x, axis, int(unbiased), keep_dims)


def _square_sums(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Return the sums of the squares of both.

    Args:
        x: any shape; floats.
        y: of any shape, likewise.

    Returns:
        Two 0-d Tensors.
    """
    return functions.sum(elementwise.square(x)), functions.sum(elementwise.square(y))


DERIVED = (
    derive("ArgMaxWithValue", kernels.largest_with_index, "axis keep_dims"),
    derive("ArgMinWithValue", kernels.smallest_with_index, "axis keep_dims"),
    derive("Argmax", _argmax, "axis output_type"),
    derive("Argmin", _argmin, "axis output_type"),
    derive("CountNonZero", _count_nonzero, "dims"),
    derive("Median", _median, "global_median axis keep_dims ignore_nan"),
    derive("ReduceAll", functions.all, "keep_dims"),
    derive("ReduceAny", functions.any, "keep_dims"),
    derive("ReduceMax", extremes.reduce_max, "keep_dims"),
    derive("ReduceMean", functions.mean, "keep_dims"),
    derive("ReduceMin", extremes.reduce_min, "keep_dims"),
    derive("ReduceProd", kernels.reduce_prod, "keep_dims"),
    derive("ReduceStd", _reduce_std, "axis unbiased keep_dims"),
    derive("ReduceSum", functions.reduce_sum, "keep_dims skip_mode"),
    derive("SquareSumAll", _square_sums),
)
