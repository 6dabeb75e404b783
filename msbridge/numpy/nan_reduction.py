"""Reductions along axes that leave out NaN."""

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import Array, Axis, Data, axes_in, cast, compute, data_of
from msbridge.numpy.dtypes import DType
from msbridge.numpy.reduction import cumsum, max, min
from msbridge.ops.reduce.reduction import functions as reduction


def nancumsum(a: Array, axis: int | None = None, dtype: DType | None = None) -> Tensor:
    """Add up step by step, NaN counting as 0.

    Args:
        a: any shape and dtype.
        axis: in [-a.ndim, a.ndim); None flattens `a`.
        dtype: as in every reduction.

    Returns:
        A Tensor of the shape and dtype of `a`; Int32 for bools and integers of up to 16 bits.

    Follows: mindspore.numpy.nancumsum (2.10).
    """
    return cumsum(_without_nan("nancumsum", a, 0), axis, dtype)


def nansum(a: Array, axis: Axis = None, dtype: DType | None = None, keepdims: bool = False) -> Tensor:
    """Add up along axes, NaN counting as 0; the dtype stays.

    Args:
        a: any shape and dtype.
        axis, dtype, keepdims: as in every reduction.

    Returns:
        A Tensor of the dtype of `a`, of its shape without the axes.

    Follows: mindspore.numpy.nansum (2.10).
    """
    total = reduction.sum(_without_nan("nansum", a, 0), axis, keepdims)
    return wrap(total._data.to(data_of(a, "nansum", "a").dtype)) if dtype is None else cast(total, dtype)


def nanmean(a: Array, axis: Axis = None, dtype: DType | None = None, keepdims: bool = False) -> Tensor:
    """Average along axes what is not NaN; Float32 but for Float64.

    Args:
        a: any shape and dtype.
        axis, dtype, keepdims: as in every reduction.

    Returns:
        A Tensor of the shape of `a` without the axes; Float32, or Float64 of Float64.

    Follows: mindspore.numpy.nanmean (2.10).
    """
    data = data_of(a, "nanmean", "a")
    values = wrap(data if data.dtype is torch.float64 else data.float())
    return cast(reduction.nanmean(values, axis, keepdims), dtype)


def nanmax(a: Array, axis: Axis = None, dtype: DType | None = None, keepdims: bool = False) -> Tensor:
    """Return the largest element along axes that is not NaN; where there is none, -2**63.

    Args:
        a: any shape; any dtype but Complex.
        axis, dtype, keepdims: as in every reduction.

    Returns:
        A Tensor of the dtype of `a`, of its shape without the axes.

    Follows: mindspore.numpy.nanmax (2.10).
    """
    return cast(max(_without_nan("nanmax", a, -(2.0**63)), axis, keepdims), dtype)


def nanmin(a: Array, axis: Axis = None, dtype: DType | None = None, keepdims: bool = False) -> Tensor:
    """Return the smallest element along axes that is not NaN; where there is none, 2**63.

    Args:
        a: any shape; any dtype but Complex.
        axis, dtype, keepdims: as in every reduction.

    Returns:
        A Tensor of the dtype of `a`, of its shape without the axes.

    Follows: mindspore.numpy.nanmin (2.10).
    """
    return cast(min(_without_nan("nanmin", a, 2.0**63), axis, keepdims), dtype)


def nanvar(a: Array, axis: Axis = None, dtype: DType | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """Return the variance along axes of what is not NaN, Float32.

    Args:
        a: any shape and dtype.
        axis, dtype, ddof, keepdims: as in every reduction.

    Returns:
        A Float32 Tensor of the shape of `a` without the axes.

    Follows: mindspore.numpy.nanvar (2.10).
    """
    return cast(compute(_nan_variance, "nanvar", a, axis=axis, ddof=ddof, keepdims=keepdims), dtype)


def nanstd(a: Array, axis: Axis = None, dtype: DType | None = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """Return the standard deviation along axes of what is not NaN, Float32.

    Args:
        a: any shape and dtype.
        axis, dtype, ddof, keepdims: as in every reduction.

    Returns:
        A Float32 Tensor of the shape of `a` without the axes.

    Follows: mindspore.numpy.nanstd (2.10).
    """
    variance = compute(_nan_variance, "nanstd", a, axis=axis, ddof=ddof, keepdims=keepdims)
    return cast(wrap(variance._data.sqrt()), dtype)


def _without_nan(op: str, a: Array, value: float) -> Tensor:
    data = data_of(a, op, "a")
    return wrap(torch.where(data.isnan(), value, data) if data.is_floating_point() else data)


def _nan_variance(data: Data, axis: Axis, ddof: int, keepdims: bool) -> Data:
    values = data.double()
    axes = axes_in(axis, data.dim(), "nanvar")
    away = (values - values.nanmean(axes, keepdim=True)).square()
    count = (~values.isnan()).sum(axes, keepdim=keepdims)
    return (away.nansum(axes, keepdim=keepdims) / (count - ddof)).float()
