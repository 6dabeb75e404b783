"""Computations that the faces of reduction share."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.families import Axis, Function, axis_within, reduction
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype

WIDE_UNSIGNED = frozenset((torch.uint16, torch.uint32, torch.uint64))


def reduce_prod(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """Multiply along axes, keeping the dtype.

    Args:
        x: any shape of numbers.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keep_dims: keep the reduced axes with length 1.

    Returns:
        A Tensor of the dtype of `x`, without the reduced axes.

    Follows: mindspore.ops.ReduceProd (2.10).
    """
    return reduction(lambda data, axes, keep: prod_data(data, axes, keep, data.dtype), "ReduceProd", x, axis, keep_dims)


def peak_to_peak(input: Tensor, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the largest minus the smallest element along axes.

    Args:
        input: any shape; integers or floats.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keepdims: keep the reduced axes with length 1.

    Returns:
        A Tensor of the dtype of `input`, without the reduced axes.

    Follows: mindspore.Tensor.ptp (2.10).
    """
    return reduction(
        lambda data, axes, keep: torch.amax(data, axes, keep) - torch.amin(data, axes, keep),
        "ptp",
        input,
        axis,
        keepdims,
    )


def largest_with_index(input: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the indices of the largest elements along an axis, and the elements.

    Args:
        input: any shape; integers or floats.
        axis: which axis, in [-rank, rank).
        keep_dims: keep the axis with length 1.

    Returns:
        (indices, values), without the axis: Int64, and of the dtype of `input`.

    Follows: mindspore.ops.ArgMaxWithValue (2.10).
    """
    values, indices = extreme_with_index(torch.max, "ArgMaxWithValue", input, axis, keep_dims)
    return indices, values


def smallest_with_index(input: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the indices of the smallest elements along an axis, and the elements.

    Args:
        input: any shape; integers or floats.
        axis: which axis, in [-rank, rank).
        keep_dims: keep the axis with length 1.

    Returns:
        (indices, values), without the axis: Int64, and of the dtype of `input`.

    Follows: mindspore.ops.ArgMinWithValue (2.10).
    """
    values, indices = extreme_with_index(torch.min, "ArgMinWithValue", input, axis, keep_dims)
    return indices, values


def sum_data(data: torch.Tensor, *axes_and_keep: Any) -> torch.Tensor:
    """Return the sum; integers yield int64, but unsigned ones that torch widens too keep their dtype."""
    total = torch.sum(data, *axes_and_keep)
    return total if data.dtype not in WIDE_UNSIGNED else total.to(data.dtype)


def prod_data(data: torch.Tensor, axes: tuple[int, ...], keep: bool, dtype: torch.dtype | None) -> torch.Tensor:
    """Return the product along several axes."""
    if dtype is None and data.dtype in WIDE_UNSIGNED:
        dtype = data.dtype
    if len(axes) == data.dim() and not keep:
        return torch.prod(data, dtype=dtype)
    for axis in sorted((axis_within(data, axis) for axis in axes), reverse=True):
        data = torch.prod(data, axis, keep, dtype=dtype)
    return data


def extreme_with_index(fn: Function, op: str, input: Tensor, axis: int, keep: bool) -> tuple[Tensor, Tensor]:
    """Return an extreme along an axis and where it is."""
    try:
        values, indices = fn(input._data, axis, keep)
        return wrap(values), wrap(indices)
    except Exception as error:
        return retry_in_wider_dtype(error, op, extreme_with_index, fn, op, input, axis, keep, input=input, axis=axis)
