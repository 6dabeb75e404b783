"""Order: sorting, largest elements, searching in sorted data, distinct elements."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import data_of, index_of, long, rearrange, select_at, split_into_parts
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Number
from msbridge.ops.kernel_calls.wider_dtypes import lacks_kernel


def topk(
    input: Tensor, k: int | Tensor, dim: int | None = None, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, ...]:
    """Return the `k` largest or smallest elements along an axis and their places.

    Args:
        input: the Tensor.
        k: how many.
        dim: along which axis; None is the last.
        largest: else the smallest.
        sorted: in order; else any order.

    Returns:
        (values, places as Int32).

    Raises:
        TypeError: the elements are bools or complex.
        ValueError: there are fewer than `k`.

    Follows: mindspore.ops.topk (2.10).
    """
    return split_into_parts(_topk, "topk", input, -1 if dim is None else dim, k, largest, sorted)


def top_k(input_x: Tensor, k: int, sorted: bool = True) -> tuple[Tensor, ...]:
    """Return the `k` largest elements along the last axis and their places, as `topk`.

    Args:
        input_x: shape (..., n); integers or floats.
        k: how many, at most n.
        sorted: the largest first; else in any order.

    Returns:
        (values, indices), of shape (..., k): of the dtype of `input_x`, and Int32.

    Follows: mindspore.ops.top_k (1.9).
    """
    return split_into_parts(_topk, "top_k", input_x, -1, k, True, sorted)


def sort(input_x: Tensor, axis: int = -1, descending: bool = False) -> tuple[Tensor, ...]:
    """Sort along an axis; equal elements keep their order.

    Args:
        input_x: any shape; any dtype but Complex.
        axis: along which axis, in [-rank, rank).
        descending: the largest first.

    Returns:
        (sorted values, their places before as Int32).

    Follows: mindspore.ops.sort (2.10).
    """
    return split_into_parts(_sort, "sort", input_x, axis, descending)


def argsort(input: Tensor, axis: int = -1, descending: bool = False) -> Tensor:
    """Return the places, as Int32, that sort along an axis.

    Args:
        input: any shape; any dtype but Complex.
        axis: along which axis, in [-rank, rank).
        descending: the largest first.

    Returns:
        A Tensor of the shape of `input`; Int32.

    Follows: mindspore.ops.argsort (2.10).
    """
    return rearrange(_argsort, "argsort", input, axis, descending)


msort = define(
    rearrange,
    torch.msort,
    "Sort along the first axis.",
    "input",
    types=(Tensor,),
    args="input: at least one axis; any dtype but Complex.",
    returns="A Tensor of the shape and dtype of `input`.",
)


def searchsorted(
    sorted_sequence: Tensor,
    values: Tensor | Number,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """Return the indices at which to insert `values` so that the last axis stays sorted.

    Args:
        sorted_sequence: one axis, or those of `values` except for the length of the last.
        values: a Tensor or number.
        out_int32: the result is Int32, else Int64.
        right: behind equal elements, else before them.
        side: "left" or "right", another way to say `right`.
        sorter: the places that sort `sorted_sequence`, if it is not sorted.

    Returns:
        A Tensor of the shape of `values`; Int64, or Int32 with `out_int32`.

    Follows: mindspore.ops.searchsorted (2.10).
    """
    settings = (data_of(values), out_int32, right, side, data_of(sorter))
    return rearrange(_searchsorted, "searchsorted", sorted_sequence, *settings)


def bucketize(input: Tensor, boundaries: Sequence[float] | Tensor, *, right: bool = False) -> Tensor:
    """Return the number, as Int32, of the bucket between `boundaries` that each element falls in.

    Args:
        input: the Tensor.
        boundaries: sorted numbers; a Tensor may hold a row of them for each row of `input`.
        right: an element equal to a boundary belongs to the bucket behind it.

    Returns:
        A Tensor of the shape of `input`; Int32.

    Follows: mindspore.ops.bucketize (2.10).
    """
    return rearrange(_bucketize, "bucketize", input, boundaries, right)


def unique(input: Tensor) -> tuple[Tensor, ...]:
    """Return the distinct elements in the order in which they first appear.

    Args:
        input: any shape of numbers; it is flattened.

    Returns:
        (distinct elements, for each element of `input` its place among them: Int64 if `input` is, else Int32).

    Follows: mindspore.ops.unique (2.10).
    """
    return split_into_parts(_unique, "unique", input)


def unique_with_pad(x: Tensor, pad_num: int | Tensor) -> tuple[Tensor, ...]:
    """Return the distinct elements as `unique`, filled up with `pad_num` to the length of `x`.

    Args:
        x: one axis; any dtype but Complex.
        pad_num: the filling.

    Returns:
        (elements, places), of the shape of `x`: of its dtype, and Int64 if `x` is, else Int32.

    Follows: mindspore.ops.unique_with_pad (2.10).
    """
    return split_into_parts(_unique_with_pad, "unique_with_pad", x, pad_num)


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Tensor | tuple[Tensor, ...]:
    """Drop elements that equal their predecessor.

    Args:
        input: the Tensor.
        return_inverse: return also the place of each element among the results, Int64.
        return_counts: return also how many equal elements there were, Int64.
        dim: compare slices along this axis; None flattens.

    Returns:
        A Tensor of the dtype of `input`, of one axis unless there is a `dim`; or a tuple of it and what was asked for.

    Follows: mindspore.ops.unique_consecutive (2.10).
    """
    if return_inverse or return_counts:
        return split_into_parts(_without_repeats, "unique_consecutive", input, return_inverse, return_counts, dim)
    return rearrange(_once, "unique_consecutive", input, dim)


def _once(data: torch.Tensor, dim: int | None) -> torch.Tensor:
    if data.is_complex():
        return _without_repeats(data, True, False, dim)[0]
    return torch.unique_consecutive(data, dim=dim)


def _without_repeats(data: torch.Tensor, inverse: bool, counts: bool, dim: int | None) -> tuple[torch.Tensor, ...]:
    if data.is_complex():  # pairs of real numbers
        pairs = torch.view_as_real(data.reshape(-1) if dim is None else data)
        axis = 0 if dim is None else dim % max(data.dim(), 1)
        values, *rest = _without_repeats(pairs, inverse, counts, axis)
        places = (
            part.reshape(data.shape) if dim is None and inverse and not n else part for n, part in enumerate(rest)
        )
        return torch.view_as_complex(values.contiguous()), *places
    # torch 2.13 takes the flags by position for one another
    found: Any = torch.unique_consecutive(data, return_inverse=inverse, return_counts=counts, dim=dim)
    return tuple(found)


def intopk(x1: Tensor, x2: Tensor, k: int) -> Tensor:
    """Return for each row of `x1` whether the element that `x2` names is among the `k` largest; ties count.

    Args:
        x1: scores, (N, classes); floats.
        x2: a class for each row, (N,); Int32 or Int64.
        k: how many of the largest.

    Returns:
        A Tensor of shape (N,); Bool.

    Follows: mindspore.ops.intopk (2.10).
    """
    return select_at(_intopk, "intopk", x1, x2, k)


# -- methods whose arguments differ from the function's --------------------------------------------------------------


def _topk(data: torch.Tensor, axis: int, k: int | Tensor, largest: bool, sorted: bool) -> tuple[torch.Tensor, ...]:
    count, length = index_of(k), data.size(axis) if data.dim() else 1
    if data.dim() and length < 2 * count <= 2 * length:  # MindSpore sorts: equal elements keep their order
        values, places = torch.sort(data, dim=axis, descending=largest, stable=True)
        return values.narrow(axis, 0, count), places.narrow(axis, 0, count).int()
    try:
        values, places = torch.topk(data, count, axis, largest, sorted)
    except RuntimeError as error:
        if lacks_kernel(error):
            raise
        if data.dtype is torch.bool or data.is_complex():
            raise TypeError("input must be of real numbers.") from error
        if not data.dim():
            raise RuntimeError("input must have an axis.") from error
        raise ValueError(f"k must be in (0, {length}], got {count}.") from error
    return values, places.int()


def _sort(data: torch.Tensor, axis: int, descending: bool) -> tuple[torch.Tensor, torch.Tensor]:
    values, places = torch.sort(data, dim=axis, descending=descending, stable=True)
    return values, places.int()


def _argsort(data: torch.Tensor, axis: int, descending: bool) -> torch.Tensor:
    return torch.sort(data, dim=axis, descending=descending, stable=True)[1].int()


def _searchsorted(
    data: torch.Tensor,
    values: torch.Tensor | Number,
    out_int32: bool,
    right: bool,
    side: str | None,
    sorter: torch.Tensor | None,
) -> torch.Tensor:
    if isinstance(values, torch.Tensor):
        common = torch.promote_types(data.dtype, values.dtype)
        data, values = data.to(common), values.to(common)
    sorter = None if sorter is None else long(sorter)
    return torch.searchsorted(data, values, out_int32=out_int32, right=right, side=side, sorter=sorter)


def _bucketize(data: torch.Tensor, boundaries: Sequence[float] | Tensor, right: bool) -> torch.Tensor:
    if isinstance(boundaries, Tensor):
        return torch.searchsorted(boundaries._data, data, out_int32=True, right=right)
    edges = torch.tensor(list(boundaries), device=data.device)
    return torch.bucketize(data, edges, out_int32=True, right=right)


def _unique(data: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    values, inverse = torch.unique(data, return_inverse=True)
    places = torch.arange(data.numel(), device=data.device)
    first = torch.full((values.numel(),), data.numel(), device=data.device)
    first = first.scatter_reduce(0, inverse.flatten(), places, "amin")
    order = first.argsort()
    rank = torch.empty_like(order)
    rank[order] = torch.arange(order.numel(), device=data.device)
    return values[order], rank[inverse].to(torch.int64 if data.dtype is torch.int64 else torch.int32)


def _unique_with_pad(data: torch.Tensor, pad_num: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Find distinct elements in lengths that depend on no value: equal ones are neighbours when sorted.

    Groups of equal elements are numbered by where their first one is.
    """
    flat = data.detach().flatten()
    count = flat.numel()
    ordered, order = flat.sort(stable=True)
    group = (ordered[1:] != ordered[:-1]).long().cumsum(0)
    group = torch.cat([torch.zeros_like(order[:1]), group])
    first = torch.full_like(order, count).scatter_reduce(0, group, order, "amin")
    rank = first.argsort().argsort()[group]
    pad = pad_num._data if isinstance(pad_num, Tensor) else pad_num
    padded = (torch.zeros_like(flat) + pad).to(flat.dtype).scatter(0, rank, ordered)
    places = torch.zeros_like(order).scatter(0, order, rank).reshape(data.shape)
    return padded, places.to(torch.int64 if data.dtype is torch.int64 else torch.int32)


def _intopk(data: torch.Tensor, labels: torch.Tensor, k: int) -> torch.Tensor:
    places = long(labels)
    is_class = (places >= 0) & (places < data.shape[1])
    target = data.gather(1, torch.where(is_class, places, 0).unsqueeze(1))
    return ((data > target).sum(1) < k) & target.squeeze(1).isfinite() & is_class
