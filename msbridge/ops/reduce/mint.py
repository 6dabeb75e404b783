"""Functions of `mint` under torch's argument names."""

from typing import Any

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, int64
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.faces import face, same
from msbridge.ops.kernel_calls.families import Axis
from msbridge.ops.reduce import methods
from msbridge.ops.reduce.cumulative import functions as cumulative
from msbridge.ops.reduce.extremes import functions as extremes
from msbridge.ops.reduce.reduction import functions as reduction
from msbridge.ops.reduce.sorting import functions as sorting
from msbridge.ops.shape.mint import squeeze
from msbridge.ops.shape.reshaping.functions import narrow


@explaining
def cumsum(input: Tensor, dim: int, dtype: Type | None = None) -> Tensor:
    """Return the running sums along an axis; integers yield Int64.

    Args:
        input: any shape and dtype.
        dim: an axis in [-input.ndim, input.ndim).
        dtype: of the sums; None for that of `input`, or Int64 for integers and bools.

    Returns:
        A Tensor of the shape of `input`.

    Raises:
        TypeError: `input` is not a Tensor.
        ValueError: `dim` is out of range.

    Follows: mindspore.mint.cumsum (2.10).
    """
    is_real = input.dtype.is_floating_point or input.dtype.is_complex
    return cumulative.cumsum(input, dim, dtype or (None if is_real else int64))


def cummin(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Return the running minima along an axis and where they are, Int64.

    Args:
        input: any shape; any dtype but Complex.
        dim: an axis in [-input.ndim, input.ndim).

    Returns:
        Two Tensors of the shape of `input`: the values in its dtype, and the indices along `dim` in Int64.

    Raises:
        TypeError: `input` is not a Tensor, or is complex.
        ValueError: `dim` is out of range.

    Follows: mindspore.mint.cummin (2.10).
    """
    values, indices = cumulative.cummin(input, dim)
    return values, elementwise.cast(indices, int64)


def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """Return the n-th differences of neighbours along an axis.

    Args:
        input: one axis or more; any dtype.
        n: how often the differences are taken.
        dim: an axis in [-input.ndim, input.ndim).
        prepend: put in front of `input` along `dim` first; of its shape in the other axes.
        append: put behind it.

    Returns:
        A Tensor of the dtype of `input`, by `n` shorter along `dim` than the joined tensors.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.diff (2.10).
    """
    return cumulative.diff(input, n, dim, prepend, append)


def mean(input: Tensor, dim: Axis = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """Average along axes.

    Args:
        input: any shape and dtype.
        dim: one axis or several, in [-input.ndim, input.ndim); None for all.
        keepdim: keep the reduced axes, with length 1.
        dtype: of the result; None for that of `input`.

    Returns:
        A Tensor of the shape of `input` without the axes `dim`.

    Raises:
        TypeError: `input` is not a Tensor.
        ValueError: an axis is out of range.

    Follows: mindspore.mint.mean (2.10).
    """
    return reduction.mean(input if dtype is None else elementwise.cast(input, dtype), dim, keepdim)


def max(input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False, *, other: Tensor | None = None) -> Any:
    """Return the largest element; with an axis (values, indices); with a Tensor the larger of each two elements.

    Args:
        input: any shape; any dtype but Complex.
        dim: an axis in [-input.ndim, input.ndim); None for all; or a Tensor, which is `other`.
        keepdim: keep the axis, with length 1.
        other: a Tensor that broadcasts against `input`.

    Returns:
        A Tensor in the dtype of `input`. With `dim` also the indices along it, in Int64.

    Raises:
        TypeError: `input` is not a Tensor, or is complex.
        ValueError: `dim` is out of range.

    Follows: mindspore.mint.max (2.10).
    """
    if other is not None or isinstance(dim, Tensor):
        return arithmetic.maximum(input, dim if other is None else other)
    return extremes.max(input)[0] if dim is None else extremes.max(input, dim, keepdim)


def min(input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False, *, other: Tensor | None = None) -> Any:
    """Return the smallest element; with an axis (values, indices); with a Tensor the smaller of each two elements.

    Args:
        input: any shape; any dtype but Complex.
        dim: an axis in [-input.ndim, input.ndim); None for all; or a Tensor, which is `other`.
        keepdim: keep the axis, with length 1.
        other: a Tensor that broadcasts against `input`.

    Returns:
        A Tensor in the dtype of `input`. With `dim` also the indices along it, in Int64.

    Raises:
        TypeError: `input` is not a Tensor, or is complex.
        ValueError: `dim` is out of range.

    Follows: mindspore.mint.min (2.10).
    """
    if other is not None or isinstance(dim, Tensor):
        return arithmetic.minimum(input, dim if other is None else other)
    return extremes.min(input)[0] if dim is None else extremes.min(input, dim, keepdim)


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Return the index of the smallest element, Int64; None looks at the flattened tensor.

    Args:
        input: any shape; integers or floats.
        dim: an axis in [-input.ndim, input.ndim); None for the flattened tensor.
        keepdim: keep the axis, with length 1.

    Returns:
        An Int64 Tensor of the shape of `input` without the axis `dim`.

    Raises:
        TypeError: `input` is not a Tensor, or is of another dtype.
        ValueError: `dim` is out of range.

    Follows: mindspore.mint.argmin (2.10).
    """
    return elementwise.cast(extremes.argmin(input, dim, keepdim), int64)


@explaining
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the middle element; with an axis (values, indices).

    Args:
        input: any shape; integers or floats.
        dim: an axis in [-input.ndim, input.ndim); None for all.
        keepdim: keep the axis, with length 1.

    Returns:
        A Tensor in the dtype of `input`, of an even number of elements the lower middle one. With `dim` also the
        indices along it, in Int64.

    Raises:
        TypeError: `input` is not a Tensor, or is of another dtype.
        ValueError: `dim` is out of range.

    Follows: mindspore.mint.median (2.10).
    """
    if dim is None:
        return extremes.median(wrap(input._data.reshape(-1)), 0)[0]
    return extremes.median(input, dim, keepdim)


def count_nonzero(input: Tensor, dim: Axis = None) -> Tensor:
    """Count the elements along axes that are not 0, Int64.

    Args:
        input: any shape and dtype.
        dim: one axis or several, in [-input.ndim, input.ndim); None for all.

    Returns:
        An Int64 Tensor of the shape of `input` without the axes `dim`.

    Raises:
        TypeError: `input` is not a Tensor.
        ValueError: an axis is out of range.

    Follows: mindspore.mint.count_nonzero (2.10).
    """
    return reduction.count_nonzero(input, dim, False, int64)


def sort(input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    """Sort along an axis: (values, indices), indices Int64. Equal elements keep their order.

    Args:
        input: any shape; any dtype but Complex.
        dim: an axis in [-input.ndim, input.ndim).
        descending: the largest come first.
        stable: whether equal elements keep their order; they do in any case.

    Returns:
        Two Tensors of the shape of `input`: the values in its dtype, and the indices along `dim` in Int64.

    Raises:
        TypeError: `input` is not a Tensor, or is complex.
        ValueError: `dim` is out of range.

    Follows: mindspore.mint.sort (2.10).
    """
    values, indices = sorting.sort(input, dim, descending)
    return values, elementwise.cast(indices, int64)


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """Return the places that sort along an axis, Int64.

    Args:
        input: any shape; any dtype but Complex.
        dim: an axis in [-input.ndim, input.ndim).
        descending: the largest come first.
        stable: whether equal elements keep their order; they do in any case.

    Returns:
        An Int64 Tensor of the shape of `input`.

    Raises:
        TypeError: `input` is not a Tensor, or is complex.
        ValueError: `dim` is out of range.

    Follows: mindspore.mint.argsort (2.10).
    """
    return elementwise.cast(sorting.argsort(input, dim, descending), int64)


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """Return the `k` largest (or smallest) elements along an axis: (values, indices), indices Int64.

    Args:
        input: any shape; integers or floats.
        k: how many, at most the length of the axis.
        dim: an axis in [-input.ndim, input.ndim).
        largest: False for the smallest.
        sorted: whether the results are in order.

    Returns:
        Two Tensors, of length `k` along `dim`: the values in the dtype of `input`, and the indices in Int64.

    Raises:
        TypeError: `input` is not a Tensor, or is of another dtype.
        ValueError: `dim` or `k` is out of range.

    Follows: mindspore.mint.topk (2.10).
    """
    values, indices = sorting.topk(input, k, dim, largest, sorted)
    return values, elementwise.cast(indices, int64)


@explaining
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the k-th smallest element along an axis: (values, indices), indices Int64.

    Args:
        input: any shape; any dtype but Complex.
        k: from 1 to the length of the axis.
        dim: an axis in [-input.ndim, input.ndim).
        keepdim: keep the axis, with length 1.

    Returns:
        Two Tensors of the shape of `input` without the axis `dim`: the values in its dtype, and the indices in Int64.

    Raises:
        TypeError: `input` is not a Tensor, or is complex.
        ValueError: `dim` or `k` is out of range.

    Follows: mindspore.mint.kthvalue (2.10).
    """
    values, indices = sort(input, dim=dim)
    kth = [narrow(each, dim, k - 1, 1) for each in (values, indices)]
    return tuple(each if keepdim else squeeze(each, dim) for each in kth)  # type: ignore[return-value]


def amax(input: Tensor, dim: Axis = (), keepdim: bool = False) -> Tensor:
    """Return the largest elements along axes.

    Args:
        input: any shape; any dtype but Complex.
        dim: one axis or several, in [-input.ndim, input.ndim); all by default.
        keepdim: keep the reduced axes, with length 1.

    Returns:
        A Tensor of the dtype of `input`, without the axes `dim`.

    Raises:
        TypeError: `input` is not a Tensor, or is complex.
        ValueError: an axis is out of range.

    Follows: mindspore.mint.amax (2.10).
    """
    return extremes.amax(input, dim, keepdim)


def amin(input: Tensor, dim: Axis = (), keepdim: bool = False) -> Tensor:
    """Return the smallest elements along axes.

    Args:
        input: any shape; any dtype but Complex.
        dim: one axis or several, in [-input.ndim, input.ndim); all by default.
        keepdim: keep the reduced axes, with length 1.

    Returns:
        A Tensor of the dtype of `input`, without the axes `dim`.

    Raises:
        TypeError: `input` is not a Tensor, or is complex.
        ValueError: an axis is out of range.

    Follows: mindspore.mint.amin (2.10).
    """
    return extremes.amin(input, dim, keepdim)


FACES = (
    face("argmax", extremes.argmax, "input dim keepdim"),
    face("cummax", cumulative.cummax, "input dim"),
    face("sum", reduction.sum, "input dim keepdim * dtype"),
    face("prod", reduction.prod, "input dim keepdim * dtype"),
    face("all", reduction.all, "input dim keepdim"),
    face("any", reduction.any, "input dim keepdim"),
    face("std", reduction.std, "input dim * correction keepdim", correction=1),
    face("var", reduction.var, "input dim * correction keepdim", correction=1),
    face("std_mean", reduction.std_mean, "input dim * correction keepdim", correction=1),
    face("var_mean", reduction.var_mean, "input dim * correction keepdim", correction=1),
    face("nansum", reduction.nansum, "input dim keepdim * dtype"),
    face("unique", methods.unique, "input sorted return_inverse return_counts dim"),
)
SAME = (
    same(cumulative, "bincount cumprod histc")
    | same(reduction, "logsumexp")
    | same(sorting, "searchsorted unique_consecutive")
)
