"""Methods of Tensor."""

import builtins
from functools import wraps
from typing import Any

import numpy as np
import torch

from msbridge.core.context.graph_mode import within_graph
from msbridge.core.releases.rows import Default
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, int32
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.faces import same
from msbridge.ops.kernel_calls.families import Axis, Function, Number, unary
from msbridge.ops.reduce.reduction import functions, kernels

_INTEGERS = (int, np.integer)
_FIRST = Default("Tensor.max", "dim")  # what an int is that is given first


def sum(
    self: Tensor,
    axis: Axis = None,
    dtype: Type | bool | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
    *,
    dim: Axis = None,
    keepdim: bool = False,
) -> Tensor:
    """Add up along axes; integers and bools yield Int64.

    Args:
        self: any numbers.
        axis: the axis or axes; None and () mean all.
        dtype: cast to this first; a bool here counts as `keepdims`.
        keepdims: keep the reduced axes with length 1.
        initial: added to the sum.
        dim: another name of `axis`.
        keepdim: another name of `keepdims`.

    Follows: mindspore.Tensor.sum (2.10).
    """
    if isinstance(dtype, bool):
        keepdims, dtype = dtype, None
    result = functions.sum(self, dim if axis is None else axis, keepdims or keepdim, dtype=dtype)
    return result if initial is None else arithmetic.add(result, initial)


def mean(
    self: Tensor,
    axis: Axis = None,
    keep_dims: bool = False,
    *,
    dim: Axis = None,
    keepdim: bool = False,
    keepdims: bool = False,
    dtype: Type | None = None,
) -> Tensor:
    """Average along axes; the mean of integers is an integer, cut off.

    Follows: mindspore.Tensor.mean (2.10).
    """
    return functions.mean(_cast(self, dtype), dim if axis is None else axis, keep_dims or keepdim or keepdims)


def prod(
    self: Tensor,
    axis: Axis = None,
    keep_dims: bool = False,
    dtype: Type | None = None,
    *,
    dim: Axis = None,
    keepdim: bool = False,
) -> Tensor:
    """Multiply along axes; integers and bools yield Int64.

    Follows: mindspore.Tensor.prod (2.10).
    """
    return functions.prod(self, dim if axis is None else axis, keep_dims or keepdim, dtype)


def all(self: Tensor, axis: Axis = None, keep_dims: bool = False, *, dim: Axis = None, keepdim: bool = False) -> Tensor:
    """Return whether all elements along axes are true (not zero).

    Follows: mindspore.Tensor.all (2.10).
    """
    return functions.all(self, dim if axis is None else axis, keep_dims or keepdim)


def any(self: Tensor, axis: Axis = None, keep_dims: bool = False, *, dim: Axis = None, keepdim: bool = False) -> Tensor:
    """Return whether one element along axes is true (not zero).

    Follows: mindspore.Tensor.any (2.10).
    """
    return functions.any(self, dim if axis is None else axis, keep_dims or keepdim)


def _by_position(face: Function) -> Function:
    """Make graphs take a positional axis for `axis`: they return only the values, as MindSpore's."""

    @wraps(face)
    def extreme(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if args and isinstance(args[0], int) and "keepdim" not in kwargs and within_graph():
            names = dict(zip(("axis", "keepdims"), args, strict=False))
            return face(self, *args[2:], **names, **kwargs)
        return face(self, *args, **kwargs)

    return extreme


@_by_position
def max(
    self: Tensor,
    dim: Any = None,
    keepdim: bool = False,
    *,
    axis: Any = None,
    keepdims: bool | None = None,
    initial: Number | None = None,
    where: Tensor | bool = True,
    return_indices: bool = False,
) -> Any:
    """Return the largest elements.

    Args:
        self: real numbers.
        dim: an axis, for (values, indices); before release 2.5, for several axes, and with `keepdims`, `initial` or
            `where`, this is `axis`. None takes all elements. A Tensor here is compared element by element.
        keepdim: keep the axis with length 1.
        axis: the axis or axes, for the values only.
        keepdims: another name of `keepdim`; without an axis it does nothing, as in MindSpore.
        initial: no result is beyond it; what the elements count that `where` leaves out. Without an axis, both do
            nothing, as in MindSpore.
        where: the elements to look at.
        return_indices: return (values, indices) for `axis` too, indices Int64.

    Follows: mindspore.Tensor.max (2.10).
    """
    largest = (torch.max, functions.max, functions.amax, arithmetic.maximum)
    return _extreme(largest, self, dim, keepdim, axis, keepdims, initial, where, return_indices)


@_by_position
def min(
    self: Tensor,
    dim: Any = None,
    keepdim: bool = False,
    *,
    axis: Any = None,
    keepdims: bool | None = None,
    initial: Number | None = None,
    where: Tensor | bool = True,
    return_indices: bool = False,
) -> Any:
    """Return the smallest elements.

    Args:
        self: real numbers.
        dim: an axis, for (values, indices); before release 2.5, for several axes, and with `keepdims`, `initial` or
            `where`, this is `axis`. None takes all elements. A Tensor here is compared element by element.
        keepdim: keep the axis with length 1.
        axis: the axis or axes, for the values only.
        keepdims: another name of `keepdim`; without an axis it does nothing, as in MindSpore.
        initial: no result is beyond it; what the elements count that `where` leaves out. Without an axis, both do
            nothing, as in MindSpore.
        where: the elements to look at.
        return_indices: return (values, indices) for `axis` too, indices Int64.

    Follows: mindspore.Tensor.min (2.10).
    """
    smallest = (torch.min, functions.min, functions.amin, arithmetic.minimum)
    return _extreme(smallest, self, dim, keepdim, axis, keepdims, initial, where, return_indices)


def _extreme(
    faces: tuple[Function, Function, Function, Function],
    input: Tensor,
    dim: Any,
    keepdim: bool,
    axis: Any,
    keepdims: bool | None,
    initial: Number | None,
    where: Tensor | bool,
    return_indices: bool,
) -> Any:
    """Call the face that the arguments of `max` or `min` ask for: of all, with indices, without, of two tensors."""
    whole, with_indices, values, of_two = faces
    keep = keepdim or bool(keepdims)
    if dim is None and axis is None and where is True and not (keepdim or return_indices):
        return unary(whole, whole.__name__, input)
    if isinstance(dim, Tensor):
        return of_two(input, dim)
    mask = where if isinstance(where, Tensor) else None
    if dim is not None and not (
        isinstance(dim, _INTEGERS) and keepdims is initial is None and where is True and _FIRST.value == "dim"
    ):
        dim, axis = None, dim
    if dim is not None:
        return kernels.extreme_with_index(whole, whole.__name__, input, dim, keep)
    if return_indices and axis is not None:
        return with_indices(input, axis, keep, initial=initial, where=mask)
    if axis is None:
        return with_indices(input, None, False) if return_indices else values(input, None, keepdim)
    if isinstance(initial, Tensor):
        raise TypeError(f"For '{with_indices.__name__}', initial must be a number, got a Tensor.")
    return values(input, axis, keep, initial=initial, where=mask)


def argmax(
    self: Tensor, axis: int | None = None, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
) -> Tensor:
    """Return the index of the largest element, Int64; None looks at the flattened tensor.

    Follows: mindspore.Tensor.argmax (2.10).
    """
    return functions.argmax(self, dim if axis is None else axis, keepdims or keepdim)


def argmin(
    self: Tensor, axis: int | None = None, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
) -> Tensor:
    """Return the index of the smallest element, Int32; None looks at the flattened tensor.

    Follows: mindspore.Tensor.argmin (2.10).
    """
    return functions.argmin(self, dim if axis is None else axis, keepdims or keepdim)


def std(
    self: Tensor,
    axis: Axis = None,
    ddof: int | bool = 0,
    keepdims: bool = False,
    *,
    dim: Axis = None,
    correction: int | None = None,
    keepdim: bool = False,
    unbiased: bool | None = None,
) -> Tensor:
    """Return the standard deviation along axes; `ddof` (or `correction`) is subtracted from the count of elements.

    That of integers is taken around their mean cut off, as `mean` returns it.

    Follows: mindspore.Tensor.std (2.10).
    """
    degrees = _degrees(ddof, None, correction, unbiased)
    return functions._reduce_deviation(
        torch.std, "std", self, dim if axis is None else axis, degrees, keepdims or keepdim
    )


def var(
    self: Tensor,
    axis: Axis = None,
    ddof: int | bool = 0,
    keepdims: bool = False,
    *,
    dim: Axis = None,
    correction: int | None = None,
    keepdim: bool = False,
    unbiased: bool | None = None,
) -> Tensor:
    """Return the variance along axes; `ddof` (or `correction`) is subtracted from the count of elements.

    That of integers is taken around their mean cut off, as `mean` returns it.

    Follows: mindspore.Tensor.var (2.10).
    """
    degrees = _degrees(ddof, dim, correction, unbiased)
    return functions._reduce_deviation(
        torch.var, "var", self, dim if axis is None else axis, degrees, keepdims or keepdim
    )


def _degrees(ddof: int | bool, dim: Axis, correction: int | None, unbiased: bool | None) -> int | bool:
    """Count as torch does (1 by default) where torch's names were used; `std` by `dim` counts all, as there."""
    if correction is not None:
        return correction
    if unbiased is not None:
        return int(unbiased)
    return 1 if dim is not None else ddof


def median(
    self: Tensor, axis: int = -1, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
) -> tuple[Tensor, Tensor]:
    """Return the middle element along an axis and where it is, Int64.

    Follows: mindspore.Tensor.median (2.10).
    """
    return functions.median(self, axis if dim is None else dim, keepdims or keepdim)


def logsumexp(
    self: Tensor, axis: Axis = None, keepdims: bool = False, *, dim: Axis = None, keepdim: bool = False
) -> Tensor:
    """Return log(Σ exp(self)) along axes.

    Follows: mindspore.Tensor.logsumexp (2.10).
    """
    return functions.logsumexp(self, dim if axis is None else axis, keepdims or keepdim)


def argmax_with_value(self: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the largest elements along an axis, and where they are.

    Follows: mindspore.Tensor.argmax_with_value (2.10).
    """
    return functions.max(self, axis, keep_dims)


def argmin_with_value(self: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the smallest elements along an axis, and where they are.

    Follows: mindspore.Tensor.argmin_with_value (2.10).
    """
    return functions.min(self, axis, keep_dims)


def count_nonzero(
    self: Tensor, axis: Axis = (), keep_dims: bool = False, dtype: Type | None = None, *, dim: Axis = None
) -> Tensor:
    """Count the elements along `axis` (or `dim`) that are not 0, Int32 unless `dtype` says otherwise.

    Follows: mindspore.Tensor.count_nonzero (2.10).
    """
    return functions.count_nonzero(self, axis if dim is None else dim, keep_dims, dtype or int32)


def nansum(
    self: Tensor,
    axis: Axis = None,
    keepdims: bool = False,
    *,
    dtype: Type | None = None,
    dim: Axis = None,
    keepdim: bool = False,
) -> Tensor:
    """Add up along `axis` (or `dim`); NaN counts as 0.

    Follows: mindspore.Tensor.nansum (2.10).
    """
    return functions.nansum(self, dim if axis is None else axis, keepdims or keepdim, dtype=dtype)


def _cast(input: Tensor, dtype: Type | None) -> Tensor:
    """Cast where a dtype is given."""
    return input if dtype is None else elementwise.cast(input, dtype)


def sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """Add up until the tensor has this shape, which must broadcast to that of the tensor.

    Raises:
        ValueError: it does not.

    Follows: mindspore.Tensor.sum_to_size (2.10).
    """
    shape = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size
    front = self.ndim - len(shape)
    fits = front >= 0 and builtins.all(
        length in (1, mine) for length, mine in zip(shape, self.shape[front:], strict=True)
    )
    if not fits:
        raise ValueError(f"For 'sum_to_size', {self.shape} cannot be summed to {shape}.")
    axes = tuple(axis for axis in range(self.ndim) if axis < front or shape[axis - front] != self.shape[axis])
    return functions.sum(self, axes, True).reshape(shape) if axes else self


SAME = same(functions, "amax amin aminmax nanmean nanmedian nanquantile quantile") | {"ptp": kernels.peak_to_peak}
