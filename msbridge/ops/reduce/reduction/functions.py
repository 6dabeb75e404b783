"""Reductions: sums, means, extremes, any and all, deviations, and where the extremes are."""

import builtins
from collections.abc import Callable

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, int32, torch_of
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Axis, Function, Number, axes_to_reduce, reduction, unary
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype
from msbridge.ops.reduce.reduction.kernels import extreme_with_index, prod_data, sum_data

_Axes = int | tuple[int, ...] | None


def sum(input: Tensor, dim: Axis = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Add up along axes; integers and bools yield Int64, unsigned ones of 16 bits and more keep their dtype.

    Args:
        input: any numbers.
        dim: the axis or axes; None and () mean all.
        keepdim: keep the reduced axes with length 1.
        dtype: cast to this first.

    Raises:
        ValueError: an axis is out of range.

    Follows: mindspore.ops.sum (2.10).
    """
    if dtype is not None:
        return reduction(_sum_as(dtype), "sum", input, dim, keepdim)
    if dim is None and not keepdim:
        return unary(sum_data, "sum", input)
    return reduction(sum_data, "sum", input, dim, keepdim)


def reduce_sum(x: Tensor, axis: Axis = (), keep_dims: bool = False, skip_mode: bool = False) -> Tensor:
    """Add up along axes, keeping the dtype; with `skip_mode`, no axes mean no reduction.

    Follows: mindspore.ops.ReduceSum (2.10).
    """
    if skip_mode and not axes_to_reduce(axis, 0):
        return wrap(x._data.clone())
    return reduction(_sum_same, "ReduceSum", x, axis, keep_dims)


def mean(x: Tensor, axis: Axis = None, keep_dims: bool = False) -> Tensor:
    """Average along axes; the mean of integers is an integer, cut off.

    Follows: mindspore.ops.mean (2.10).
    """
    return reduction(_mean, "mean", x, axis, keep_dims)


def prod(input: Tensor, axis: Axis = None, keep_dims: bool = False, dtype: Type | None = None) -> Tensor:
    """Multiply along axes; integers and bools yield Int64, unsigned ones of 16 bits and more keep their dtype.

    Follows: mindspore.ops.prod (2.10).
    """
    target = torch_of(dtype)
    return reduction(lambda data, axes, keep: prod_data(data, axes, keep, target), "prod", input, axis, keep_dims)


def max(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    initial: Number | None = None,
    where: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the largest elements along an axis and where they are.

    Args:
        input: real numbers.
        axis: None takes all elements; the index is 0 then.
        keepdims: keep the axis with length 1.
        initial: no result is beyond it; what the elements count that `where` leaves out. Without an axis, both do
            nothing, as in MindSpore.
        where: the elements to look at.

    Raises:
        ValueError: `where` without `initial`.

    Returns:
        (values, indices), indices Int64.

    Follows: mindspore.ops.max (2.10).
    """
    return _extreme(torch.max, "max", input, axis, keepdims, initial, where)


def min(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    initial: Number | None = None,
    where: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the smallest elements along an axis and where they are; see `max`.

    Follows: mindspore.ops.min (2.10).
    """
    return _extreme(torch.min, "min", input, axis, keepdims, initial, where)


def amax(
    input: Tensor,
    axis: Axis = None,
    keepdims: bool = False,
    *,
    initial: Number | None = None,
    where: Tensor | None = None,
) -> Tensor:
    """Return the largest elements along axes; none is below `initial`, which counts for what `where` leaves out.

    Follows: mindspore.ops.amax (2.10).
    """
    return reduction(torch.amax, "amax", _elements_to_reduce(torch.maximum, input, initial, where), axis, keepdims)


def amin(
    input: Tensor,
    axis: Axis = None,
    keepdims: bool = False,
    *,
    initial: Number | None = None,
    where: Tensor | None = None,
) -> Tensor:
    """Return the smallest elements along axes; none is above `initial`, which counts for what `where` leaves out.

    Follows: mindspore.ops.amin (2.10).
    """
    return reduction(torch.amin, "amin", _elements_to_reduce(torch.minimum, input, initial, where), axis, keepdims)


def aminmax(input: Tensor, *, axis: int | None = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the smallest and the largest elements along an axis.

    Follows: mindspore.ops.aminmax (2.10).
    """
    return amin(input, axis, keepdims), amax(input, axis, keepdims)


def reduce_max(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """Return the largest elements along axes.

    Follows: mindspore.ops.ReduceMax (2.10).
    """
    return reduction(torch.amax, "ReduceMax", x, axis, keep_dims)


def reduce_min(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """Return the smallest elements along axes.

    Follows: mindspore.ops.ReduceMin (2.10).
    """
    return reduction(torch.amin, "ReduceMin", x, axis, keep_dims)


reduce_mean = mean


def _all(data: torch.Tensor, axes: tuple[int, ...], keep_dims: bool) -> torch.Tensor:
    return torch.all(data, axes, keep_dims).bool()  # of uint8 torch makes uint8


all = define(reduction, _all, "Return whether all elements along axes are true (not zero).", axis=None, keep_dims=False)


def _any(data: torch.Tensor, axes: tuple[int, ...], keep_dims: bool) -> torch.Tensor:
    return torch.any(data, axes, keep_dims)  # of uint8 it is uint8, there as in torch


any = define(reduction, _any, "Return whether one element along axes is true (not zero).", axis=None, keep_dims=False)


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Return the index of the largest element, Int64; None looks at the flattened tensor.

    Args:
        input: any shape; any dtype but Complex.
        dim: an axis in [-input.ndim, input.ndim); None for the flattened tensor.
        keepdim: keep the axis, with length 1.

    Returns:
        An Int64 Tensor of the shape of `input` without the axis `dim`.

    Raises:
        TypeError: `input` is not a Tensor, or is complex.
        ValueError: `dim` is out of range.

    Follows: mindspore.ops.argmax (2.10).
    """
    try:
        return wrap(torch.argmax(_comparable(input._data), dim, keepdim and dim is not None))
    except Exception as error:
        return retry_in_wider_dtype(error, "argmax", argmax, input, dim, keepdim, input=input, axis=dim)


def argmin(input: Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the index of the smallest element, Int32 (Int64 of a 0-d tensor); None looks at the flattened tensor.

    Follows: mindspore.ops.argmin (2.10).
    """
    try:
        found = torch.argmin(input._data, axis, keepdims and axis is not None)
        return wrap(found.int() if input._data.dim() else found)
    except Exception as error:
        return retry_in_wider_dtype(error, "argmin", argmin, input, axis, keepdims, input=input, axis=axis)


def std(input: Tensor, axis: _Axes = None, ddof: int | bool = 0, keepdims: bool = False) -> Tensor:
    """Return the standard deviation along axes; `ddof` is subtracted from the count of elements.

    Args:
        input: any shape and dtype.
        axis: one axis or several, in [-input.ndim, input.ndim); None for all.
        ddof: what is subtracted from the number of elements, before it divides.
        keepdims: keep the reduced axes, with length 1.

    Returns:
        A Tensor of floats without the axes: of the dtype of `input`, Float32 for integers and bools, of complex
        numbers the float of half the size.

    Raises:
        TypeError: `input` is not a Tensor.
        ValueError: an axis is out of range.

    Follows: mindspore.ops.std (2.10).
    """
    return reduction(_deviation(torch.std, ddof), "std", input, axis, keepdims)


def var(input: Tensor, axis: _Axes = None, ddof: int | bool = 0, keepdims: bool = False) -> Tensor:
    """Return the variance along axes; `ddof` is subtracted from the count of elements.

    Args:
        input: any shape and dtype.
        axis: one axis or several, in [-input.ndim, input.ndim); None for all.
        ddof: what is subtracted from the number of elements, before it divides.
        keepdims: keep the reduced axes, with length 1.

    Returns:
        A Tensor of floats without the axes: of the dtype of `input`, Float32 for integers and bools, of complex
        numbers the float of half the size.

    Raises:
        TypeError: `input` is not a Tensor.
        ValueError: an axis is out of range.

    Follows: mindspore.ops.var (2.10).
    """
    return reduction(_deviation(torch.var, ddof), "var", input, axis, keepdims)


def std_mean(input: Tensor, axis: _Axes = None, ddof: int | bool = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Return standard deviation and mean along axes.

    Follows: mindspore.ops.std_mean (2.10).
    """
    return std(input, axis, ddof, keepdims), mean(input, axis, keepdims)


def var_mean(input: Tensor, axis: _Axes = None, ddof: int | bool = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Return variance and mean along axes.

    Follows: mindspore.ops.var_mean (2.10).
    """
    return var(input, axis, ddof, keepdims), mean(input, axis, keepdims)


def logsumexp(input: Tensor, dim: Axis, keepdim: bool = False) -> Tensor:
    """Return log(Σ exp(input)) along axes, without overflow.

    Follows: mindspore.ops.logsumexp (2.10).
    """
    return reduction(torch.logsumexp, "logsumexp", input, dim, keepdim)


def count_nonzero(x: Tensor, axis: Axis = (), keep_dims: bool = False, dtype: Type = int32) -> Tensor:
    """Count the elements along axes that are not 0.

    Follows: mindspore.ops.count_nonzero (2.10).
    """
    return reduction(
        lambda data, axes, keep: torch.sum(data != 0, axes, keep).to(dtype.torch), "count_nonzero", x, axis, keep_dims
    )


def nansum(input: Tensor, axis: Axis = None, keepdims: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Add up along axes; NaN counts as 0.

    Follows: mindspore.ops.nansum (2.10).
    """
    target = torch_of(dtype)

    def add_up(data: torch.Tensor, axes: tuple[int, ...], keep: bool) -> torch.Tensor:
        kept = target or (None if data.dtype is torch.bool else data.dtype)
        return torch.nansum(data, axes, keep, dtype=kept)

    return reduction(add_up, "nansum", input, axis, keepdims)


def nanmean(input: Tensor, axis: Axis = None, keepdims: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Average along axes the elements that are not NaN.

    Follows: mindspore.ops.nanmean (2.10).
    """
    target = torch_of(dtype)
    return reduction(
        lambda data, axes, keep: torch.nanmean(data, axes, keep, dtype=target), "nanmean", input, axis, keepdims
    )


def median(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the middle element along an axis (of two, the smaller) and where it is, Int64.

    Follows: mindspore.ops.median (2.10).
    """
    return extreme_with_index(torch.median, "median", input, axis, keepdims)


def nanmedian(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the middle element along an axis of those that are not NaN, and where it is, Int64.

    Follows: mindspore.ops.nanmedian (2.10).
    """
    return extreme_with_index(torch.nanmedian, "nanmedian", input, axis, keepdims)


def quantile(input: Tensor, q: float | Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the q-quantiles along an axis, interpolated linearly; None takes all elements.

    Follows: mindspore.ops.quantile (2.10).
    """
    return _quantile(torch.quantile, "quantile", input, q, axis, keepdims)


def nanquantile(input: Tensor, q: float | Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the q-quantiles along an axis of the elements that are not NaN.

    Follows: mindspore.ops.nanquantile (2.10).
    """
    return _quantile(torch.nanquantile, "nanquantile", input, q, axis, keepdims)


def _sum_as(dtype: Type) -> Function:
    return lambda data, axes, keep: torch.sum(data, axes, keep, dtype=dtype.torch)


def _sum_same(data: torch.Tensor, axes: tuple[int, ...], keep: bool) -> torch.Tensor:
    if data.is_floating_point():
        return torch.sum(data, axes, keep)
    return torch.sum(data, axes, keep, dtype=data.dtype)


def _mean(data: torch.Tensor, axes: tuple[int, ...], keep: bool) -> torch.Tensor:
    try:
        return torch.mean(data, axes, keep)
    except RuntimeError:
        if data.is_floating_point() or data.is_complex():
            raise
        total = torch.sum(data, axes, keep, dtype=data.dtype)
        count = data.numel() // builtins.max(total.numel(), 1)
        return torch.div(total, count, rounding_mode="trunc").to(data.dtype)


def _reduce_deviation(fn: Function, op: str, input: Tensor, axis: Axis, ddof: int | bool, keepdims: bool) -> Tensor:
    """Apply torch.var or torch.std along axes; integers deviate from their mean cut off."""
    about_float = _deviation(fn, ddof)

    def reduce(data: torch.Tensor, axes: tuple[int, ...], keep: bool) -> torch.Tensor:
        if data.is_floating_point() or data.is_complex() or data.dtype is torch.bool:
            return about_float(data, axes, keep)
        squares = (data - _mean(data, axes, True)).square().float()
        total = squares.sum(axes, keepdim=keep)
        variance = total / (data.numel() // builtins.max(total.numel(), 1) - int(ddof))
        return variance.sqrt() if fn is torch.std else variance

    return reduction(reduce, op, input, axis, keepdims)


def _deviation(fn: Function, ddof: int | bool) -> Function:
    def reduce(data: torch.Tensor, axes: tuple[int, ...], keep: bool) -> torch.Tensor:
        data = data if data.is_floating_point() or data.is_complex() else data.float()
        return fn(data, axes, correction=int(ddof), keepdim=keep)

    return reduce


def _elements_to_reduce(
    limit: Callable[..., torch.Tensor], input: Tensor, initial: Number | Tensor | None, where: Tensor | None
) -> Tensor:
    """Return the elements to look at; `initial` is in place of those left out, and none is beyond it."""
    if initial is None:
        if where is not None:
            raise ValueError("For 'max' and 'min', initial must be given together with where.")
        return input
    data = input._data
    start = torch.as_tensor(initial._data if isinstance(initial, Tensor) else initial).to(data)
    return wrap(limit(data if where is None else torch.where(where._data, data, start), start))


def _extreme(
    fn: Function,
    op: str,
    input: Tensor,
    axis: int | None,
    keepdims: bool,
    initial: Number | None,
    where: Tensor | None,
) -> tuple[Tensor, Tensor]:
    if axis is not None:
        if isinstance(initial, Tensor):
            raise TypeError(f"For '{op}', initial must be a number, got a Tensor.")
        if initial is not None or where is not None:
            limit = torch.maximum if op == "max" else torch.minimum
            input = _elements_to_reduce(limit, input, initial, where)
        return extreme_with_index(fn, op, input, axis, keepdims)
    try:
        value = fn(input._data)
        return wrap(value), wrap(torch.zeros((), dtype=torch.int64, device=value.device))
    except Exception as error:
        return retry_in_wider_dtype(
            error, op, _extreme, fn, op, input, axis, keepdims, initial, where, input=input, axis=axis
        )


def _quantile(fn: Function, op: str, input: Tensor, q: float | Tensor, axis: int | None, keep: bool) -> Tensor:
    try:
        levels = q._data if isinstance(q, Tensor) else q
        return wrap(fn(input._data, levels, axis, keep))
    except Exception as error:
        if isinstance(q, float) and not 0 <= q <= 1:
            raise ValueError(f"For '{op}', 'q' must be in the range [0, 1], but got {q}.") from error
        raise explain(error, op, input=input, axis=axis, q=q) from error


def _comparable(data: torch.Tensor) -> torch.Tensor:
    return data.to(torch.uint8) if data.dtype is torch.bool else data  # torch does not compare bools
