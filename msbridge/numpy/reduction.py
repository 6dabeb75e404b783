"""Reductions along axes, running sums and products."""

import torch

from msbridge.core.errors.explain import describe, explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import int64
from msbridge.numpy._faces import Array, Axis, Data, axes_in, axis_in, cast, data_of, tensor_of, value_error
from msbridge.numpy.dtypes import DType, type_of
from msbridge.ops.linalg.norms import functions as norms
from msbridge.ops.reduce.cumulative import functions as cumulative
from msbridge.ops.reduce.extremes import functions as extremes
from msbridge.ops.reduce.reduction import functions as reduction
from msbridge.ops.reduce.reduction.kernels import peak_to_peak

Where = Tensor | bool


def sum(
    a: Array, axis: Axis = None, dtype: DType | None = None, keepdims: bool = False, initial: float | None = None
) -> Tensor:
    """Add up along axes, beginning with `initial`; integers and bools yield Int64.

    Args:
        a: any shape and dtype.
        axis, dtype, keepdims: as in every reduction.
        initial: what the sum begins with; None for 0.

    Returns:
        A Tensor of the shape of `a` without the axes; of the dtype of floats and complex numbers, otherwise Int64.

    Follows: mindspore.numpy.sum (2.10).
    """
    total: Tensor = tensor_of(a, "sum", "a").sum(axis, None if dtype is None else type_of(dtype), keepdims)
    return total if initial is None else wrap(total._data + initial)


def mean(a: Array, axis: Axis = None, keepdims: bool = False, dtype: DType | None = None) -> Tensor:
    """Average along axes; integers stay integers, also with `dtype`, which casts the result.

    Args:
        a: any shape and dtype.
        axis, keepdims: as in every reduction.
        dtype: of the result; None for that of `a`.

    Returns:
        A Tensor of the shape of `a` without the axes.

    Raises:
        TypeError: `a` is no array.
        ValueError: an axis is out of range.

    Follows: mindspore.numpy.mean (2.10).
    """
    tensor = tensor_of(a, "mean", "a")
    axes = axes_in(axis, tensor.ndim, "mean") if axis != () else None
    result = reduction.mean(tensor, axes, keepdims)
    return wrap(result._data.to(tensor._data.dtype)) if dtype is None else cast(result, dtype)


def std(x: Array, axis: Axis = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """Return the standard deviation along axes, of the whole population by default.

    Args:
        x: any shape and dtype.
        axis, ddof: as in every reduction.
        keepdims: as in every reduction.

    Returns:
        A Tensor without the axes: of the dtype of floats, otherwise Float32.

    Raises:
        TypeError: `x` is no array.
        ValueError: an axis is out of range.

    Follows: mindspore.numpy.std (2.10).
    """
    deviation: Tensor = tensor_of(x, "std", "x").std(axis, ddof, keepdims)
    return deviation


def var(x: Array, axis: Axis = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """Return the variance along axes, of the whole population by default.

    Args:
        x: any shape and dtype.
        axis, ddof: as in every reduction.
        keepdims: as in every reduction.

    Returns:
        A Tensor without the axes: of the dtype of floats, otherwise Float32.

    Raises:
        TypeError: `x` is no array.
        ValueError: an axis is out of range.

    Follows: mindspore.numpy.var (2.10).
    """
    variance: Tensor = tensor_of(x, "var", "x").var(axis, ddof, keepdims)
    return variance


def max(
    a: Array, axis: Axis = None, keepdims: bool = False, initial: float | None = None, where: Where = True
) -> Tensor:
    """Return the largest element along axes.

    Args:
        a: any shape; any dtype but Complex.
        axis: None means all.
        keepdims: as in every reduction.
        initial: the least that results.
        where: which elements count; needs `initial`.
        axis, keepdims: as in every reduction.

    Returns:
        A Tensor of the dtype of `a`, of its shape without the axes.

    Follows: mindspore.numpy.max (2.10).
    """
    return _extreme("max", torch.amax, torch.maximum, a, axis, keepdims, initial, where)


def min(
    a: Array, axis: Axis = None, keepdims: bool = False, initial: float | None = None, where: Where = True
) -> Tensor:
    """Return the smallest element along axes; `initial` is the most that results.

    Args:
        a: any shape; any dtype but Complex.
        axis, keepdims: as in every reduction.
        initial: the most that results.
        where: which elements count; needs `initial`.

    Returns:
        A Tensor of the dtype of `a`, of its shape without the axes.

    Follows: mindspore.numpy.min (2.10).
    """
    return _extreme("min", torch.amin, torch.minimum, a, axis, keepdims, initial, where)


amax = max
amin = min


def ptp(x: Array, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the distance from the smallest to the largest element along axes.

    Args:
        x: any shape; integers or floats.
        axis, keepdims: as in every reduction.

    Returns:
        A Tensor of the dtype of `x`, without the axes.

    Follows: mindspore.numpy.ptp (2.10).
    """
    return peak_to_peak(tensor_of(x, "ptp", "x"), axis, keepdims)


def argmax(a: Array, axis: int | None = None) -> Tensor:
    """Return the place of the largest element along an axis, or in the flattened tensor, Int64.

    Args:
        a: any shape; any dtype but Complex.
        axis: in [-a.ndim, a.ndim).

    Returns:
        An Int64 Tensor of the shape of `a` without the axis.

    Raises:
        TypeError: `a` is no array, or is complex.
        ValueError: `axis` is out of range.

    Follows: mindspore.numpy.argmax (2.10).
    """
    return extremes.argmax(_as_ordered("argmax", a), axis)


def argmin(a: Array, axis: int | None = None) -> Tensor:
    """Return the place of the smallest element along an axis, or in the flattened tensor, Int32.

    Args:
        a: any shape; any dtype but Complex.
        axis: in [-a.ndim, a.ndim).

    Returns:
        An Int32 Tensor of the shape of `a` without the axis.

    Raises:
        TypeError: `a` is no array, or is complex.
        ValueError: `axis` is out of range.

    Follows: mindspore.numpy.argmin (2.10).
    """
    return extremes.argmin(_as_ordered("argmin", a), axis)


def average(
    x: Array, axis: Axis = None, weights: Array | None = None, returned: bool = False
) -> Tensor | tuple[Tensor, Tensor]:
    """Average along axes with weights.

    Args:
        x: any shape and dtype.
        axis: as in every reduction.
        weights: of the shape of `x`, or a vector along one axis.
        returned: whether to return `(average, sum of weights)`.

    Returns:
        A Tensor of the dtype of `x`, with weights Float32 for integers and bools; with `returned` a tuple of two.

    Raises:
        TypeError: the shapes differ and there is no `axis`.

    Follows: mindspore.numpy.average (2.10).
    """
    data = data_of(x, "average", "x")
    if weights is None:
        result = mean(x, axis)
        count = wrap(torch.full_like(result._data, data.numel() // (result._data.numel() or 1)))
        return (result, count) if returned else result
    shares = _shares(data, data_of(weights, "average", "weights"), axis)
    axes = axes_in(axis, data.dim(), "average")
    total = shares.sum(axes)
    result = wrap((data * shares).sum(axes) / total)
    return (result, wrap(total)) if returned else result


def cumsum(a: Array, axis: int | None = None, dtype: DType | None = None) -> Tensor:
    """Add up step by step along an axis, or in the flattened tensor; small integers and bools yield Int32.

    Args:
        a: any shape and dtype.
        axis: in [-a.ndim, a.ndim); None flattens `a`.
        dtype: of the result; None for that of `a`.

    Returns:
        A Tensor of the shape of `a`, or a vector.

    Raises:
        TypeError: `a` is no array.
        ValueError: `axis` is out of range.

    Follows: mindspore.numpy.cumsum (2.10).
    """
    data, place = _along("cumsum", a, axis)
    total = cumulative.cumsum(wrap(data), place)
    own = data_of(a, "cumsum", "a").dtype
    return wrap(total._data.to(own)) if dtype is None and own in _UNSIGNED else cast(total, dtype)


def cumprod(a: Array, axis: int | None = None, dtype: DType | None = None) -> Tensor:
    """Multiply step by step along an axis, or in the flattened tensor; small integers and bools yield Int32.

    Lists of ints yield Int64.

    Args:
        a: any shape and dtype.
        axis: in [-a.ndim, a.ndim); None flattens `a`.
        dtype: of the result; None for that of `a`.

    Returns:
        A Tensor of the shape of `a`, or a vector.

    Raises:
        TypeError: `a` is no array.
        ValueError: `axis` is out of range.

    Follows: mindspore.numpy.cumprod (2.10).
    """
    data, place = _along("cumprod", _whole_list(a), axis)
    product = cumulative.cumprod(wrap(data), place)
    own = _UNSIGNED.get(data_of(a, "cumprod", "a").dtype, data.dtype)
    return wrap(product._data.to(own)) if dtype is None else cast(product, dtype)


def count_nonzero(x: Array, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Count the elements along axes that are not zero, Int32.

    Args:
        x: any shape and dtype.
        axis, keepdims: as in every reduction.

    Returns:
        An Int32 Tensor of the shape of `x` without the axes.

    Raises:
        TypeError: `x` is no array.
        ValueError: an axis is out of range.

    Follows: mindspore.numpy.count_nonzero (2.10).
    """
    return reduction.count_nonzero(tensor_of(x, "count_nonzero", "x"), () if axis is None else axis, keepdims)


def size(a: Array, axis: int | None = None) -> int:
    """Return the number of elements, of all or along one axis.

    Args:
        a: any shape and dtype.
        axis: in [-a.ndim, a.ndim); None for all.

    Returns:
        An int.

    Follows: mindspore.numpy.size (2.10).
    """
    shape = tensor_of(a, "size", "a").shape
    return torch.Size(shape).numel() if axis is None else shape[axis_in(axis, len(shape), "size")]


def norm(x: Array, ord: float | str | None = None, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the norm of a vector, a matrix or, without `ord`, of all elements; Float32 but for Float64.

    That of complex numbers is the one of their real parts, and complex.

    Args:
        x: any shape and dtype.
        ord: None, a number, inf or -inf; of a matrix also "fro" and "nuc".
        axis: one axis for vectors, two for matrices; None for all of `x`.
        keepdims: as in every reduction.

    Returns:
        A Tensor of the shape of `x` without the axes; Float32, or Float64 of Float64, and complex of complex numbers.

    Raises:
        ValueError: there is no such `ord`.

    Follows: mindspore.numpy.norm (2.10).
    """
    data = data_of(x, "norm", "x")
    if data.is_complex():
        return wrap(norm(wrap(data.real), ord, axis, keepdims)._data.to(data.dtype))
    values = wrap(data if data.dtype is torch.float64 else data.float())
    if isinstance(ord, str) and ord not in ("fro", "nuc"):
        raise value_error(f"For 'norm', ord must be a number, None, 'fro' or 'nuc', got {ord!r}.")
    if ord is None:
        return norms.vector_norm(values, 2, None if axis is None else axes_in(axis, data.dim(), "norm"), keepdims)
    axes = axes_in(axis, data.dim(), "norm")
    if len(axes) == 1 and not isinstance(ord, str):
        return norms.vector_norm(values, ord, axes, keepdims)
    if len(axes) != 2 or ord not in (1, -1, 2, -2, torch.inf, -torch.inf, "fro", "nuc"):
        raise value_error(f"For 'norm', there is no ord {ord!r} over {len(axes)} axes.")
    return norms.matrix_norm(values, ord, axes, keepdims)


def _extreme(
    op: str, over: object, of_two: object, a: Array, axis: Axis, keepdims: bool, initial: float | None, where: Where
) -> Tensor:
    data = data_of(a, op, "a")
    axes = axes_in(axis, data.dim(), op)
    try:
        if isinstance(where, Tensor):
            if initial is None:
                raise value_error(f"For '{op}', initial is needed beside where.")
            data = torch.where(where._data, data, initial)
        result = over(data, axes, keepdims)  # type: ignore[operator]
        if initial is not None:
            result = of_two(result, torch.as_tensor(initial, device=result.device).to(result.dtype))  # type: ignore[operator]
    except Exception as error:
        raise explain(error, op, input=wrap(data), axis=axis) from error
    return wrap(result)


def _as_ordered(op: str, a: Array) -> Tensor:
    """Return a tensor whose elements compare: bools as integers."""
    data = data_of(a, op, "a")
    return wrap(data.byte() if data.dtype is torch.bool else data)


_UNSIGNED = {torch.uint16: torch.uint32, torch.uint32: torch.uint32, torch.uint64: torch.uint64}  # and their products


def _whole_list(values: Array) -> Array:
    """Return a list or tuple of ints as a Tensor of Int64, which some functions make of it; others make Int32."""
    if not isinstance(values, list | tuple):
        return values
    tensor = Tensor(values)
    return tensor if tensor.dtype == int64 else values


def _along(op: str, a: Array, axis: int | None) -> tuple[Data, int]:
    """Return the data to reduce along an axis: small integers as Int32, the flattened tensor where no axis is named.

    Unsigned integers of 16 bits and more come as Int64, which torch adds up modulo 2**64.
    """
    data = data_of(a, op, "a")
    if data.dtype in _UNSIGNED:
        data = data.long()
    elif not data.is_floating_point() and not data.is_complex() and data.dtype is not torch.int64:
        data = data.int()
    return (data.reshape(-1), 0) if axis is None else (data, axis_in(axis, data.dim(), op))


def _shares(data: Data, weights: Data, axis: Axis) -> Data:
    """Return weights of the shape of `data`."""
    if weights.shape == data.shape:
        return weights
    if not isinstance(axis, int):
        raise TypeError(
            f"For 'average', axis must be an int where x {tuple(data.shape)} and weights {tuple(weights.shape)} "
            f"differ in shape, got {describe(axis)}."
        )
    place = axis_in(axis, data.dim(), "average")
    if weights.shape != data.shape[place : place + 1]:
        raise value_error(
            f"For 'average', weights {tuple(weights.shape)} must match axis {axis} of {tuple(data.shape)}."
        )
    return weights.reshape([-1 if index == place else 1 for index in range(data.dim())]).expand_as(data)
