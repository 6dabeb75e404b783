"""Extremes, medians and quantiles along axes, and where they are."""

from collections.abc import Callable

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.families import Axis, Function, Number, reduction
from msbridge.ops.kernel_calls.wider_dtypes import retry_in_wider_dtype
from msbridge.ops.reduce.reduction.kernels import extreme_with_index


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

    Args:
        input: any shape; any dtype but Complex.
        axis: which axis; None takes all elements.
        keepdims: keep the axis with length 1.
        initial: no result is above it.
        where: which elements count, Bool; the others count as `initial`.

    Returns:
        (values, indices), without the axis: of the dtype of `input`, and Int64; of all elements, 0-d.

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

    Args:
        input: any shape; any dtype but Complex.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keepdims: keep the reduced axes with length 1.
        initial: no result is below it.
        where: which elements count, Bool; broadcasts against `input`.

    Returns:
        A Tensor of the dtype of `input`, without the reduced axes.

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

    Args:
        input: any shape; any dtype but Complex.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keepdims: keep the reduced axes with length 1.
        initial: no result is above it.
        where: which elements count, Bool; broadcasts against `input`.

    Returns:
        A Tensor of the dtype of `input`, without the reduced axes.

    Follows: mindspore.ops.amin (2.10).
    """
    return reduction(torch.amin, "amin", _elements_to_reduce(torch.minimum, input, initial, where), axis, keepdims)


def aminmax(input: Tensor, *, axis: int | None = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the smallest and the largest elements along an axis.

    Args:
        input: any shape; any dtype but Complex.
        axis: which axis; None takes all elements.
        keepdims: keep the axis with length 1.

    Returns:
        (smallest, largest), without the axis, of the dtype of `input`.

    Follows: mindspore.ops.aminmax (2.10).
    """
    return amin(input, axis, keepdims), amax(input, axis, keepdims)


def reduce_max(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """Return the largest elements along axes.

    Args:
        x: any shape; any dtype but Complex.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keep_dims: keep the reduced axes with length 1.

    Returns:
        A Tensor of the dtype of `x`, without the reduced axes.

    Follows: mindspore.ops.ReduceMax (2.10).
    """
    return reduction(torch.amax, "ReduceMax", x, axis, keep_dims)


def reduce_min(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """Return the smallest elements along axes.

    Args:
        x: any shape; any dtype but Complex.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keep_dims: keep the reduced axes with length 1.

    Returns:
        A Tensor of the dtype of `x`, without the reduced axes.

    Follows: mindspore.ops.ReduceMin (2.10).
    """
    return reduction(torch.amin, "ReduceMin", x, axis, keep_dims)


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

    Args:
        input: any shape; any dtype but Complex.
        axis: which axis, in [-rank, rank); None flattens.
        keepdims: keep the axis with length 1.

    Returns:
        A Tensor of the shape of `input` without the axis; Int32.

    Follows: mindspore.ops.argmin (2.10).
    """
    try:
        found = torch.argmin(input._data, axis, keepdims and axis is not None)
        return wrap(found.int() if input._data.dim() else found)
    except Exception as error:
        return retry_in_wider_dtype(error, "argmin", argmin, input, axis, keepdims, input=input, axis=axis)


def median(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the middle element along an axis (of two, the smaller) and where it is, Int64.

    Args:
        input: any shape; integers or floats.
        axis: which axis, in [-rank, rank).
        keepdims: keep the axis with length 1.

    Returns:
        (values, indices), without the axis: of the dtype of `input`, and Int64.

    Follows: mindspore.ops.median (2.10).
    """
    return extreme_with_index(torch.median, "median", input, axis, keepdims)


def nanmedian(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the middle element along an axis of those that are not NaN, and where it is, Int64.

    Args:
        input: any shape; integers or floats.
        axis: which axis, in [-rank, rank).
        keepdims: keep the axis with length 1.

    Returns:
        (values, indices), without the axis: of the dtype of `input`, and Int64.

    Follows: mindspore.ops.nanmedian (2.10).
    """
    return extreme_with_index(torch.nanmedian, "nanmedian", input, axis, keepdims)


def quantile(input: Tensor, q: float | Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the q-quantiles along an axis, interpolated linearly; None takes all elements.

    Args:
        input: any shape; Float32 or Float64.
        q: a number in [0, 1], or a Tensor of them of at most one axis.
        axis: which axis, in [-rank, rank); None flattens.
        keepdims: keep the axis with length 1.

    Returns:
        A Tensor of the dtype of `input`, without the axis; an axis for `q`, if it has one, is first.

    Follows: mindspore.ops.quantile (2.10).
    """
    return _quantile(torch.quantile, "quantile", input, q, axis, keepdims)


def nanquantile(input: Tensor, q: float | Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the q-quantiles along an axis of the elements that are not NaN.

    Args:
        input: any shape; Float32 or Float64.
        q: a number in [0, 1], or a Tensor of them of at most one axis.
        axis: which axis, in [-rank, rank); None flattens.
        keepdims: keep the axis with length 1.

    Returns:
        A Tensor of the dtype of `input`, without the axis; an axis for `q`, if it has one, is first.

    Follows: mindspore.ops.nanquantile (2.10).
    """
    return _quantile(torch.nanquantile, "nanquantile", input, q, axis, keepdims)


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
