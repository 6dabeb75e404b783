"""Reading parts of a tensor: by indices, by masks, by ranges; and choosing between tensors."""

from typing import Any

import numpy as np
import torch

from msbridge.core.errors.explain import dtype_name
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.promotion import promote
from msbridge.ops.kernel_calls.data_movement import index_of, long, rearrange, select_at, split_into_parts
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Number, axis_within, scalar_or_tensor
from msbridge.ops.kernel_calls.wider_dtypes import fit_number, retry_in_wider_dtype

_MIN_SCATTERED_ELEMENTS = 1 << 11  # from so many elements on, one_hot marks single places instead of comparing all


def gather(input_params: Tensor, input_indices: Tensor, axis: int, batch_dims: int = 0) -> Tensor:
    """Take slices of `input_params` along `axis`.

    Args:
        input_params: shape (..., n, ...).
        input_indices: integers of any shape, in [-n, n).
        axis: which axis is n.
        batch_dims: how many leading axes the two share.

    Returns:
        The axis n replaced by the shape of the indices (without their batch axes).

    Raises:
        RuntimeError: an index is out of range.
        ValueError: `axis` is out of range.

    Follows: mindspore.ops.gather (2.10).
    """
    return select_at(_gather, "gather", input_params, input_indices, axis, batch_dims)


def gather_elements(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Take one element for each element of `index`, at its place except along `dim`.

    Args:
        input: any shape and dtype.
        dim: an axis in [-input.ndim, input.ndim).
        index: integers, with as many axes as `input`, in the other axes no longer.

    Returns:
        A Tensor of the shape of `index` and the dtype of `input`.

    Raises:
        RuntimeError: an index is out of range.

    Follows: mindspore.ops.gather_elements (2.10).
    """
    return select_at(_gather_elements, "gather_elements", input, index, dim)


def gather_d(x: Tensor, dim: int, index: Tensor) -> Tensor:
    """Take one element for each element of `index`, as `gather_elements`.

    Args:
        x: any shape and dtype.
        dim: an axis in [-x.ndim, x.ndim).
        index: integers, with as many axes as `x`, in the other axes no longer.

    Returns:
        A Tensor of the shape of `index` and the dtype of `x`.

    Follows: mindspore.ops.gather_d (2.10).
    """
    return select_at(_gather_elements, "gather_d", x, index, dim)


def gather_nd(input_x: Tensor, indices: Tensor) -> Tensor:
    """Take slices by index vectors.

    Args:
        input_x: a Tensor of r axes.
        indices: shape (..., k), k <= r; each vector names an element of the first k axes.

    Returns:
        A Tensor of shape indices.shape[:-1] + input_x.shape[k:] and the dtype of `input_x`.

    Raises:
        RuntimeError: an index is out of range.

    Follows: mindspore.ops.gather_nd (2.10).
    """
    return select_at(_gather_nd, "gather_nd", input_x, indices)


def index_select(input: Tensor, axis: int, index: Tensor) -> Tensor:
    """Take slices along `axis` by a vector of indices.

    Args:
        input: any shape and dtype.
        axis: in [-input.ndim, input.ndim).
        index: a vector of integers, n of them.

    Returns:
        A Tensor of the dtype of `input`, of length n along the axis.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.index_select (2.10).
    """
    return select_at(_gather, "index_select", input, index, axis, 0)


def _take(data: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    return torch.take(data, long(index))


take = define(
    select_at,
    _take,
    "Take elements by their place in the flattened tensor.",
    "input index",
    like=gather_nd,
    args=("input: any shape and dtype.\nindex: places in the flattened `input`; any shape, Int64."),
    returns="A Tensor of the shape of `index` and the dtype of `input`.",
)


def masked_fill(input_x: Tensor, mask: Tensor, value: Number | Tensor) -> Tensor:
    """Put `value` where `mask` is True.

    Args:
        input_x: broadcasts against `mask`.
        mask: Bool.
        value: a number or a 0-d Tensor.

    Returns:
        A Tensor of the broadcast shape and the dtype of `input_x`.

    Raises:
        TypeError: `mask` is not Bool, or `value` does not fit the dtype.

    Follows: mindspore.ops.masked_fill (2.10).
    """
    return select_at(_masked_fill, "masked_fill", input_x, mask, scalar_or_tensor(value))


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Return the elements where `mask` is True, in one axis.

    Args:
        input: any shape and dtype.
        mask: of bools; broadcasts against `input`.

    Returns:
        A vector in the dtype of `input`, whose length the host waits for.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.masked_select (2.10).
    """
    return select_at(torch.masked_select, "masked_select", input, mask)


def select(condition: Tensor, input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Take from `input` where `condition` is True, else from `other`; shapes broadcast, dtypes promote.

    Args:
        condition: Bool.
        input: a Tensor that broadcasts against it, or a number.
        other: likewise.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Raises:
        TypeError: `condition` is not Bool.
        ValueError: the shapes do not broadcast.

    Examples:
        >>> ops.Select()(Tensor([True, False]), Tensor([1, 2]), Tensor([3, 4])).asnumpy().tolist()
        [1, 4]

    Follows: mindspore.ops.select (2.10).
    """
    return _choose(condition, input, other, "select")


def where(condition: Tensor, input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Take from `input` where `condition` is True, else from `other`, as `select`.

    Args:
        condition: Bool.
        input: a Tensor that broadcasts against it, or a number.
        other: likewise.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Follows: mindspore.ops.where (2.10).
    """
    return _choose(condition, input, other, "where")


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Tensor | tuple[Tensor, ...]:
    """Return the places of elements that are not zero, as Int64 of shape (n, ndim), or one vector for each axis.

    Args:
        input: any shape and dtype.
        as_tuple: return a vector for each axis.

    Returns:
        An Int64 Tensor of shape (n, input.ndim), or so many vectors of length n; the host waits for n.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.nonzero (2.10).
    """
    if as_tuple:
        return split_into_parts(_nonzero_by_axis, "nonzero", input)
    return rearrange(torch.nonzero, "nonzero", input)


def argwhere(input: Tensor) -> Tensor:
    """Return the places of elements that are not zero, as `nonzero`.

    Args:
        input: any shape and dtype.

    Returns:
        An Int64 Tensor of shape (n, input.ndim); the host waits for n.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.argwhere (2.10).
    """
    return rearrange(torch.nonzero, "argwhere", input)


def one_hot(
    indices: Tensor, depth: int | Tensor, on_value: Number | Tensor = 1, off_value: Number | Tensor = 0, axis: int = -1
) -> Tensor:
    """Mark indices along a new axis of length `depth`.

    Args:
        indices: integers; those out of [0, depth) mark nothing.
        depth: length of the new axis.
        on_value: the mark; its dtype is the result's.
        off_value: what is elsewhere.
        axis: where the new axis goes; -1 is last.

    Returns:
        A Tensor with an axis more than `indices`, of the dtype of `on_value`; Int64 of an int.

    Raises:
        TypeError: `indices` are not integers.
        ValueError: `depth` is negative.

    Examples:
        >>> ops.OneHot()(Tensor([0, 2]), 3, Tensor(1.0), Tensor(0.0)).asnumpy().tolist()
        [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]

    Follows: mindspore.ops.one_hot (2.10).
    """
    on, off = scalar_or_tensor(on_value), scalar_or_tensor(off_value)
    return rearrange(_one_hot, "one_hot", indices, axis, depth, on, off)


def sequence_mask(lengths: Tensor, maxlen: int | None = None) -> Tensor:
    """Return, for each length, that many True and then False, along a new last axis.

    Args:
        lengths: integers of any shape.
        maxlen: length of the new axis; None means the largest of `lengths`.

    Returns:
        A Tensor of shape (*lengths.shape, maxlen); Bool.

    Follows: mindspore.ops.sequence_mask (2.10).
    """
    return rearrange(_sequence_mask, "sequence_mask", lengths, maxlen)


# -- methods whose arguments differ from the function's --------------------------------------------------------------


def _gather(data: torch.Tensor, indices: torch.Tensor, axis: int, batch_dims: int) -> torch.Tensor:
    if data.is_cpu and not batch_dims:
        # index_select takes no negative index, but with its gradient it is 3 times as fast (10⁵ rows of 64: 12 ms).
        try:
            if indices.dim() == 1:
                return torch.index_select(data, axis, indices)
            found = torch.index_select(data, axis, indices.reshape(-1))
            axis = axis_within(data, axis)
            return found.reshape(data.shape[:axis] + indices.shape + data.shape[axis + 1 :])
        except (IndexError, RuntimeError, TypeError):
            pass
    axis = axis_within(data, index_of(axis))
    if batch_dims:
        batch_dims = _batches(indices, batch_dims)
        if axis < batch_dims:
            raise ValueError(f"axis must be at least {batch_dims}, as batch_dims is, got {axis}.")
        return _gather_batches(data, indices, axis, batch_dims)
    return data[(slice(None),) * axis + (long(indices),)]


def _batches(indices: torch.Tensor, batch_dims: int) -> int:
    rank = indices.dim()
    if not -rank <= batch_dims <= rank:
        raise ValueError(f"batch_dims must be in [-{rank}, {rank}], got {batch_dims}.")
    return batch_dims if batch_dims >= 0 else batch_dims + rank


def _gather_batches(data: torch.Tensor, indices: torch.Tensor, axis: int, batch_dims: int) -> torch.Tensor:
    rank = indices.dim()
    batches = [
        torch.arange(indices.size(i), device=data.device).view(-1, *[1] * (rank - i - 1)) for i in range(batch_dims)
    ]
    between = axis - batch_dims
    places: tuple[Any, ...] = (*batches, *[slice(None)] * between, long(indices))
    result = data[places]
    if not between:
        return result
    order = (*range(batch_dims), *range(rank, rank + between), *range(batch_dims, rank))
    return result.permute(*order, *range(rank + between, result.dim()))


def _gather_elements(data: torch.Tensor, index: torch.Tensor, axis: int) -> torch.Tensor:
    axis = axis_within(data, index_of(axis))
    length = data.size(axis)
    index = long(index)
    return torch.gather(data, axis, torch.where(index < 0, index + length, index))


def _gather_nd(data: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
    return data[long(indices).unbind(-1)]


def _masked_fill(data: torch.Tensor, mask: torch.Tensor, value: Number | torch.Tensor) -> torch.Tensor:
    if type(value) is float and not (data.is_floating_point() or data.is_complex()):
        raise TypeError(f"a float does not fit into {dtype_name(data.dtype)}.")
    try:
        return data.masked_fill(mask, value)
    except RuntimeError as error:
        if "bool" in str(error):
            raise TypeError(
                f"the mask must be bool and the value of the Tensor's dtype, {dtype_name(data.dtype)}; "
                f"got a mask of {dtype_name(mask.dtype)} and the value {value!r}."
            ) from error
        raise


def _choose(condition: Tensor, input: Tensor | Number, other: Tensor | Number, op: str) -> Tensor:
    left, right = (
        value.item() if isinstance(value, np.generic) else scalar_or_tensor(value) for value in (input, other)
    )
    try:
        if isinstance(left, int) and isinstance(right, torch.Tensor):
            left = fit_number(left, right.dtype)
        elif isinstance(right, int) and isinstance(left, torch.Tensor):
            right = fit_number(right, left.dtype)
        if isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor) and left.dtype is not right.dtype:
            left, right = promote(left, right)
        return wrap(torch.where(condition._data, left, right))
    except Exception as error:
        if "boolean tensor" in str(error):
            error = TypeError(f"condition must be Bool, got {dtype_name(condition.dtype)}.")
        named = {"condition": condition, "input": input, "other": other}
        return retry_in_wider_dtype(error, op, _choose, condition, input, other, op, **named)  # type: ignore[no-any-return]


def _nonzero_by_axis(data: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return torch.nonzero(data, as_tuple=True)


def _one_hot(
    indices: torch.Tensor,
    axis: int,
    depth: int | Tensor,
    on: Number | torch.Tensor,
    off: Number | torch.Tensor,
) -> torch.Tensor:
    if indices.is_floating_point():
        raise TypeError(f"indices must be integers, got {dtype_name(indices.dtype)}.")
    depth = index_of(depth)
    if depth < 0:
        raise ValueError(f"depth must be at least 0, got {depth}.")
    rank = indices.dim() + 1
    if not -1 <= axis < rank:
        raise ValueError(f"axis must be in [-1, {rank}), got {axis}.")
    axis %= rank
    if indices.numel() * depth < _MIN_SCATTERED_ELEMENTS:
        places = torch.arange(depth, device=indices.device, dtype=indices.dtype).view(-1, *[1] * (rank - 1 - axis))
        marks = indices.unsqueeze(axis) == places
        are_bits = type(on) is type(off) is int and on == 1 and off == 0
        return marks.long() if are_bits else torch.where(marks, on, off)
    indices = indices.long().unsqueeze(axis)
    marked = indices.clamp(0, depth - 1)
    marks = torch.where(marked == indices, on, off)
    blank = torch.where(indices.new_zeros((), dtype=torch.bool), on, off)
    return blank.expand(*indices.shape[:axis], depth, *indices.shape[axis + 1 :]).scatter(axis, marked, marks)


def _sequence_mask(lengths: torch.Tensor, maxlen: int | None) -> torch.Tensor:
    width = int(lengths.max()) if maxlen is None else index_of(maxlen)
    return torch.arange(width, device=lengths.device) < lengths.unsqueeze(-1)
