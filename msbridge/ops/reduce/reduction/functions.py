"""Reductions: sums, means, any and all, counts, and deviations."""

import builtins

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, int32, torch_of
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Axis, Function, axes_to_reduce, reduction, unary
from msbridge.ops.reduce.reduction.kernels import prod_data, sum_data

_Axes = int | tuple[int, ...] | None


def sum(input: Tensor, dim: Axis = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Add up along axes; integers and bools yield Int64, unsigned ones of 16 bits and more keep their dtype.

    Args:
        input: any numbers.
        dim: the axis or axes; None and () mean all.
        keepdim: keep the reduced axes with length 1.
        dtype: cast to this first.

    Returns:
        A Tensor of the dtype of `input`, without the reduced axes; Int64 for integers and bools.

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

    Args:
        x: any shape of numbers.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keep_dims: keep the reduced axes with length 1.
        skip_mode: return a copy where `axis` names none.

    Returns:
        A Tensor of the dtype of `x`, without the reduced axes.

    Examples:
        >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> ops.ReduceSum()(x), ops.ReduceSum(keep_dims=True)(x, 1).shape
        (Tensor(shape=[], dtype=Float32, value= 10), (2, 1))

    Follows: mindspore.ops.ReduceSum (2.10).
    """
    if skip_mode and not axes_to_reduce(axis, 0):
        return wrap(x._data.clone())
    return reduction(_sum_same, "ReduceSum", x, axis, keep_dims)


def mean(x: Tensor, axis: Axis = None, keep_dims: bool = False) -> Tensor:
    """Average along axes; the mean of integers is an integer, cut off.

    Args:
        x: any shape of numbers.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keep_dims: keep the reduced axes with length 1.

    Returns:
        A Tensor of the dtype of `x`, without the reduced axes.

    Examples:
        >>> ops.mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0)
        Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  3.00000000e+00])
        >>> ops.ReduceMean(keep_dims=True)(Tensor([1.0, 2.0]), 0).shape
        (1,)

    Follows: mindspore.ops.mean (2.10).
    """
    return reduction(_mean, "mean", x, axis, keep_dims)


def prod(input: Tensor, axis: Axis = None, keep_dims: bool = False, dtype: Type | None = None) -> Tensor:
    """Multiply along axes; integers and bools yield Int64, unsigned ones of 16 bits and more keep their dtype.

    Args:
        input: any shape of numbers.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keep_dims: keep the reduced axes with length 1.
        dtype: what to cast to first.

    Returns:
        A Tensor of the dtype of `input`, without the reduced axes; Int64 for integers and bools, or `dtype`.

    Follows: mindspore.ops.prod (2.10).
    """
    target = torch_of(dtype)
    return reduction(lambda data, axes, keep: prod_data(data, axes, keep, target), "prod", input, axis, keep_dims)


reduce_mean = mean


def _all(data: torch.Tensor, axes: tuple[int, ...], keep_dims: bool) -> torch.Tensor:
    return torch.all(data, axes, keep_dims).bool()  # of uint8 torch makes uint8


all = define(
    reduction,
    _all,
    "Return whether all elements along axes are true (not zero).",
    axis=None,
    keep_dims=False,
    args=(
        "input: any shape and dtype.\n"
        "axis: the axis or axes, in [-rank, rank); None and () mean all.\n"
        "keep_dims: keep the reduced axes with length 1."
    ),
    returns="A Tensor of the shape of `input` without the reduced axes; Bool.",
)


def _any(data: torch.Tensor, axes: tuple[int, ...], keep_dims: bool) -> torch.Tensor:
    return torch.any(data, axes, keep_dims)  # of uint8 it is uint8, there as in torch


any = define(
    reduction,
    _any,
    "Return whether one element along axes is true (not zero).",
    axis=None,
    keep_dims=False,
    args=(
        "input: any shape and dtype.\n"
        "axis: the axis or axes, in [-rank, rank); None and () mean all.\n"
        "keep_dims: keep the reduced axes with length 1."
    ),
    returns="A Tensor of the shape of `input` without the reduced axes; Bool.",
)


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

    Args:
        input: any shape; floats or integers.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        ddof: subtracted from the count of elements; True is 1.
        keepdims: keep the reduced axes with length 1.

    Returns:
        (deviation, mean), each of the dtype of `input` without the reduced axes.

    Follows: mindspore.ops.std_mean (2.10).
    """
    return std(input, axis, ddof, keepdims), mean(input, axis, keepdims)


def var_mean(input: Tensor, axis: _Axes = None, ddof: int | bool = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Return variance and mean along axes.

    Args:
        input: any shape; floats or integers.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        ddof: subtracted from the count of elements; True is 1.
        keepdims: keep the reduced axes with length 1.

    Returns:
        (variance, mean), each of the dtype of `input` without the reduced axes.

    Follows: mindspore.ops.var_mean (2.10).
    """
    return var(input, axis, ddof, keepdims), mean(input, axis, keepdims)


def logsumexp(input: Tensor, dim: Axis, keepdim: bool = False) -> Tensor:
    """Return log(Σ exp(input)) along axes, without overflow.

    Args:
        input: any shape; floats, or integers that count as Float32.
        dim: the axis or axes, in [-rank, rank); None and () mean all.
        keepdim: keep the reduced axes with length 1.

    Returns:
        A Tensor of the dtype of `input`, without the reduced axes; Float32 for integers.

    Follows: mindspore.ops.logsumexp (2.10).
    """
    return reduction(torch.logsumexp, "logsumexp", input, dim, keepdim)


def count_nonzero(x: Tensor, axis: Axis = (), keep_dims: bool = False, dtype: Type = int32) -> Tensor:
    """Count the elements along axes that are not 0.

    Args:
        x: any shape and dtype.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keep_dims: keep the reduced axes with length 1.
        dtype: that of the result.

    Returns:
        A Tensor of the shape of `x` without the reduced axes, of dtype `dtype`.

    Follows: mindspore.ops.count_nonzero (2.10).
    """
    return reduction(
        lambda data, axes, keep: torch.sum(data != 0, axes, keep).to(dtype.torch), "count_nonzero", x, axis, keep_dims
    )


def nansum(input: Tensor, axis: Axis = None, keepdims: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Add up along axes; NaN counts as 0.

    Args:
        input: any shape; any dtype but Complex.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keepdims: keep the reduced axes with length 1.
        dtype: that of the result; None for that of `input`.

    Returns:
        A Tensor of the dtype of `input`, without the reduced axes, or `dtype`; Int64 for bools.

    Follows: mindspore.ops.nansum (2.10).
    """
    target = torch_of(dtype)

    def add_up(data: torch.Tensor, axes: tuple[int, ...], keep: bool) -> torch.Tensor:
        kept = target or (None if data.dtype is torch.bool else data.dtype)
        return torch.nansum(data, axes, keep, dtype=kept)

    return reduction(add_up, "nansum", input, axis, keepdims)


def nanmean(input: Tensor, axis: Axis = None, keepdims: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Average along axes the elements that are not NaN.

    Args:
        input: any shape; floats.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keepdims: keep the reduced axes with length 1.
        dtype: that of the result; None for that of `input`.

    Returns:
        A Tensor of the dtype of `input`, without the reduced axes, or `dtype`.

    Follows: mindspore.ops.nanmean (2.10).
    """
    target = torch_of(dtype)
    return reduction(
        lambda data, axes, keep: torch.nanmean(data, axes, keep, dtype=target), "nanmean", input, axis, keepdims
    )


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
        if ddof in (0, 1):  # by position, which takes a tenth less of a small call
            return fn(data, axes, bool(ddof), keep)
        return fn(data, axes, correction=int(ddof), keepdim=keep)

    return reduce
