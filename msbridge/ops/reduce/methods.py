"""Methods of Tensor: the functions themselves where the arguments are the same."""

import torch

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import Type, bool_, int8, int16, int32, uint8
from msbridge.ops.faces import same
from msbridge.ops.kernel_calls.data_movement import rearrange, split_into_parts
from msbridge.ops.reduce.cumulative import functions as cumulative
from msbridge.ops.reduce.segments import functions as segments
from msbridge.ops.reduce.sorting import functions as sorting


def cumsum(self: Tensor, axis: int | None = None, dtype: Type | None = None, *, dim: int | None = None) -> Tensor:
    """Return the running sums along an axis; None flattens, and integers of 8 and 16 bits yield Int32.

    Args:
        self: any shape of numbers.
        axis: along which axis, in [-rank, rank); None flattens.
        dtype: what to cast to first.
        dim: another name of `axis`.

    Returns:
        A Tensor of the same shape, or of one axis.

    Follows: mindspore.Tensor.cumsum (2.10).
    """
    axis = dim if axis is None else axis
    if dtype is None and self.dtype in (bool_, int8, int16, uint8):
        dtype = int32
    return cumulative.cumsum(self if axis is not None else self.reshape(-1), 0 if axis is None else axis, dtype)


def sort(
    self: Tensor, axis: int = -1, descending: bool = False, stable: bool = True, *, dim: int | None = None
) -> tuple[Tensor, ...]:
    """Sort along `axis` (or `dim`); the order of equal elements is always kept, regardless of `stable`.

    Args:
        self: any shape; any dtype but Complex.
        axis: along which axis, in [-rank, rank).
        descending: the largest first.
        stable: without effect.
        dim: another name of `axis`.

    Returns:
        (values, indices), of the same shape: of the same dtype, and Int32.

    Follows: mindspore.Tensor.sort (2.10).
    """
    return sorting.sort(self, axis if dim is None else dim, descending)


def argsort(
    self: Tensor, axis: int = -1, descending: bool = False, stable: bool = True, *, dim: int | None = None
) -> Tensor:
    """Return the places that sort along `axis` (or `dim`); the order of equal elements is always kept.

    Args:
        self: any shape; any dtype but Complex.
        axis: along which axis, in [-rank, rank).
        descending: the largest first.
        stable: without effect.
        dim: another name of `axis`.

    Returns:
        A Tensor of the same shape; Int32.

    Follows: mindspore.Tensor.argsort (2.10).
    """
    return sorting.argsort(self, axis if dim is None else dim, descending)


def unique(
    self: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Tensor | tuple[Tensor, ...]:
    """Return the distinct elements, sorted either way; on request also each element's place among them, and counts.

    Args:
        self: any shape.
        sorted: without effect.
        return_inverse: return the place of each element as well.
        return_counts: return how often each came as well.
        dim: compare slices along this axis; None compares elements.

    Returns:
        A Tensor of the same dtype, or a tuple of it, inverse and counts, Int64.

    Follows: mindspore.Tensor.unique (2.10).
    """
    if return_inverse or return_counts:
        return split_into_parts(torch.unique, "unique", self, sorted, return_inverse, return_counts, dim)
    return rearrange(torch.unique, "unique", self, sorted, False, False, dim)


def searchsorted(self: Tensor, v: Tensor, side: str = "left", sorter: Tensor | None = None) -> Tensor:
    """Return the indices at which to insert `v` so that this tensor stays sorted, Int32.

    Args:
        self: sorted along the last axis, unless there is a `sorter`.
        v: the values to insert.
        side: "left" is before equal elements, "right" behind them.
        sorter: the places that sort this tensor.

    Returns:
        A Tensor of the shape of `v`; Int32.

    Follows: mindspore.Tensor.searchsorted (2.10).
    """
    return sorting.searchsorted(self, v, out_int32=True, side=side, sorter=sorter)


@explaining
def kthvalue(self: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the k-th smallest element along an axis: (values, indices), indices Int64.

    Args:
        self: any shape; integers or floats.
        k: which one, from 1 on.
        dim: along which axis, in [-rank, rank).
        keepdim: keep the axis with length 1.

    Returns:
        (values, indices), without the axis: of the same dtype, and Int64.

    Follows: mindspore.Tensor.kthvalue (2.10).
    """
    values, indices = self._data.kthvalue(k, dim, keepdim)
    return wrap(values), wrap(indices)


SAME = (
    same(cumulative, "bincount cov cummax cummin cumprod diff histc logcumsumexp")
    | same(segments, "unsorted_segment_max unsorted_segment_min unsorted_segment_prod")
    | same(sorting, "msort top_k topk unique_consecutive unique_with_pad")
)
