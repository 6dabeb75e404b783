"""Methods of Tensor."""

import builtins
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, int32
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.faces import same
from msbridge.ops.kernel_calls.families import Axis, Number
from msbridge.ops.reduce.extremes import functions as extremes
from msbridge.ops.reduce.reduction import functions, kernels


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

    Returns:
        A Tensor of the dtype of `self`, without the reduced axes; Int64 for integers and bools, or `dtype`.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).sum(axis=0).asnumpy().tolist()
        [4, 6]

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

    Args:
        self: any shape of numbers.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keep_dims: keep the reduced axes with length 1.
        dim: another name of `axis`.
        keepdim: another name of `keep_dims`.
        keepdims: another one.
        dtype: what to cast to first.

    Returns:
        A Tensor of the dtype of `self`, without the reduced axes, or `dtype`.

    Examples:
        >>> float(Tensor([1.0, 2.0, 6.0]).mean())
        3.0

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

    Args:
        self: any shape of numbers.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keep_dims: keep the reduced axes with length 1.
        dtype: what to cast to first.
        dim: another name of `axis`.
        keepdim: another name of `keep_dims`.

    Returns:
        A Tensor of the dtype of `self`, without the reduced axes; Int64 for integers and bools, or `dtype`.

    Follows: mindspore.Tensor.prod (2.10).
    """
    return functions.prod(self, dim if axis is None else axis, keep_dims or keepdim, dtype)


def all(self: Tensor, axis: Axis = None, keep_dims: bool = False, *, dim: Axis = None, keepdim: bool = False) -> Tensor:
    """Return whether all elements along axes are true (not zero).

    Args:
        self: any shape and dtype.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keep_dims: keep the reduced axes with length 1.
        dim: another name of `axis`.
        keepdim: another name of `keep_dims`.

    Returns:
        A Tensor of the same shape without the reduced axes; Bool.

    Follows: mindspore.Tensor.all (2.10).
    """
    return functions.all(self, dim if axis is None else axis, keep_dims or keepdim)


def any(self: Tensor, axis: Axis = None, keep_dims: bool = False, *, dim: Axis = None, keepdim: bool = False) -> Tensor:
    """Return whether one element along axes is true (not zero).

    Args:
        self: any shape and dtype.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keep_dims: keep the reduced axes with length 1.
        dim: another name of `axis`.
        keepdim: another name of `keep_dims`.

    Returns:
        A Tensor of the same shape without the reduced axes; Bool.

    Follows: mindspore.Tensor.any (2.10).
    """
    return functions.any(self, dim if axis is None else axis, keep_dims or keepdim)


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

    Args:
        self: any shape; floats or integers.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        ddof: subtracted from the count of elements; True is 1.
        keepdims: keep the reduced axes with length 1.
        dim: another name of `axis`.
        correction: another name of `ddof`.
        keepdim: another name of `keepdims`.
        unbiased: whether `ddof` is 1.

    Returns:
        A Tensor of the dtype of `self`, without the reduced axes.

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

    Args:
        self: any shape; floats or integers.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        ddof: subtracted from the count of elements; True is 1.
        keepdims: keep the reduced axes with length 1.
        dim: another name of `axis`.
        correction: another name of `ddof`.
        keepdim: another name of `keepdims`.
        unbiased: whether `ddof` is 1.

    Returns:
        A Tensor of the dtype of `self`, without the reduced axes.

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


def logsumexp(
    self: Tensor, axis: Axis = None, keepdims: bool = False, *, dim: Axis = None, keepdim: bool = False
) -> Tensor:
    """Return log(Σ exp(self)) along axes.

    Args:
        self: any shape; floats.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keepdims: keep the reduced axes with length 1.
        dim: another name of `axis`.
        keepdim: another name of `keepdims`.

    Returns:
        A Tensor of the dtype of `self`, without the reduced axes.

    Follows: mindspore.Tensor.logsumexp (2.10).
    """
    return functions.logsumexp(self, dim if axis is None else axis, keepdims or keepdim)


def count_nonzero(
    self: Tensor, axis: Axis = (), keep_dims: bool = False, dtype: Type | None = None, *, dim: Axis = None
) -> Tensor:
    """Count the elements along `axis` (or `dim`) that are not 0, Int32 unless `dtype` says otherwise.

    Args:
        self: any shape and dtype.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keep_dims: keep the reduced axes with length 1.
        dtype: that of the result; None for Int32.
        dim: another name of `axis`.

    Returns:
        A Tensor of the same shape without the reduced axes.

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

    Args:
        self: any shape; any dtype but Complex.
        axis: the axis or axes, in [-rank, rank); None and () mean all.
        keepdims: keep the reduced axes with length 1.
        dtype: that of the result; None for the same.
        dim: another name of `axis`.
        keepdim: another name of `keepdims`.

    Returns:
        A Tensor of the dtype of `self`, without the reduced axes, or `dtype`; Int64 for bools.

    Follows: mindspore.Tensor.nansum (2.10).
    """
    return functions.nansum(self, dim if axis is None else axis, keepdims or keepdim, dtype=dtype)


def _cast(input: Tensor, dtype: Type | None) -> Tensor:
    """Cast where a dtype is given."""
    return input if dtype is None else elementwise.cast(input, dtype)


def sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """Add up until the tensor has this shape, which must broadcast to that of the tensor.

    Args:
        self: any shape of numbers.
        size: the shape: ints, or one tuple or list.

    Returns:
        A Tensor of that shape and the same dtype.

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


SAME = (
    same(functions, "nanmean")
    | same(extremes, "amax amin aminmax nanmedian nanquantile quantile")
    | {"ptp": kernels.peak_to_peak}
)
