"""Writing along an axis, or at chosen places, of a copy; reducing slices by their segment."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.item_assignment import writable
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.data_movement import index_of, long, rearrange, scatter_at, select_at
from msbridge.ops.kernel_calls.families import Number, scalar_or_tensor

_REDUCTIONS = {"add": "sum", "mul": "prod", "max": "amax", "min": "amin"}


def tensor_scatter_elements(
    input_x: Tensor, indices: Tensor, updates: Tensor, axis: int = 0, reduction: str = "none"
) -> Tensor:
    """Write single elements of `updates` into a copy, each at its place except along `axis`.

    Args:
        input_x: the Tensor; it stays as it is.
        indices: places along `axis`; as many axes as `input_x`.
        updates: of the shape of `indices`.
        axis: along which.
        reduction: "none" writes; "add", "mul", "max" and "min" combine with what is there.

    Returns:
        A Tensor of the shape and dtype of `input_x`.

    Raises:
        RuntimeError: an index is out of range.
        ValueError: another `reduction`.

    Follows: mindspore.ops.tensor_scatter_elements (2.10).
    """
    return scatter_at(_scatter, "tensor_scatter_elements", input_x, indices, updates, axis, reduction)


def scatter(input: Tensor, axis: int, index: Tensor, src: Tensor | Number) -> Tensor:
    """Write single elements of `src` into a copy, each at its place except along `axis`.

    Args:
        input: any shape; it stays as it is.
        axis: along which axis, in [-rank, rank).
        index: places along the axis, as many axes as `input`; Int32 or Int64.
        src: of the shape of `index`, or a number.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.scatter (2.10).
    """
    if isinstance(src, Tensor):
        return scatter_at(_scatter, "scatter", input, index, src, axis, "none")
    return select_at(_scatter_number, "scatter", input, index, src, axis)


def index_add(
    x: Tensor, indices: Tensor, y: Tensor, axis: int, use_lock: bool = True, check_index_bound: bool = True
) -> Tensor:
    """Add slices of `y` to those slices of `x` along `axis` that `indices` name, in place.

    Args:
        x: a Parameter or Tensor, changed.
        indices: one axis.
        y: as `x`, with as many slices along `axis` as there are indices.
        axis: along which.
        use_lock: MindSpore's lock around the write; additions are never lost here.
        check_index_bound: kept for scripts that pass it; indices are always checked.

    Returns:
        The changed values.

    Follows: mindspore.ops.index_add (2.10).
    """
    try:
        data = writable(x)
        source = y._data.to(data.dtype)
        if source.untyped_storage().data_ptr() == data.untyped_storage().data_ptr():
            source = source.clone()
        return wrap(data.index_add_(axis, long(indices._data), source))
    except Exception as error:
        raise explain(error, "index_add", input=x, indices=indices, y=y, axis=axis) from error


def inplace_index_add(var: Tensor, indices: Tensor, updates: Tensor, axis: int) -> Tensor:
    """Add slices in place, as `index_add`.

    Args:
        var: changed in place.
        indices: places along the axis, (n,); Int32.
        updates: of the shape of `var`, but n along the axis.
        axis: along which axis.

    Returns:
        `var` itself.

    Follows: mindspore.ops.inplace_index_add (2.10).
    """
    return index_add(var, indices, updates, axis)


def index_fill(x: Tensor, axis: int | Tensor, index: Tensor, value: Number | Tensor) -> Tensor:
    """Fill slices of a copy along `axis` with `value`.

    Args:
        x: any shape; it stays as it is.
        axis: along which axis, in [-rank, rank); an int or a 0-d Tensor.
        index: places along the axis, (n,); Int32 or Int64.
        value: a number or a 0-d Tensor.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.index_fill (2.10).
    """
    axis = int(axis.asnumpy()) if isinstance(axis, Tensor) else axis
    return select_at(_index_fill, "index_fill", x, index, axis, scalar_or_tensor(value))


def inplace_update(x: Tensor, v: Tensor, indices: int | Sequence[int] | Tensor) -> Tensor:
    """Return a copy of `x` whose rows `indices` are those of `v`.

    Args:
        x: shape (n, ...); it stays as it is.
        v: shape (as many as there are indices, ...), of the dtype of `x`.
        indices: the rows, an int or a sequence of ints.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.inplace_update (2.10).
    """
    return rearrange(_rows_written, "inplace_update", x, indices, v, torch.Tensor.index_copy)


def inplace_add(x: Tensor, v: Tensor, indices: int | Sequence[int] | Tensor) -> Tensor:
    """Return a copy of `x` with the rows of `v` added to rows `indices`.

    Args:
        x: shape (n, ...); it stays as it is.
        v: shape (as many as there are indices, ...), of the dtype of `x`.
        indices: the rows, an int or a sequence of ints.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.inplace_add (2.10).
    """
    return rearrange(_rows_written, "inplace_add", x, indices, v, torch.Tensor.index_add)


def inplace_sub(x: Tensor, v: Tensor, indices: int | Sequence[int] | Tensor) -> Tensor:
    """Return a copy of `x` with the rows of `v` subtracted from rows `indices`.

    Args:
        x: shape (n, ...); it stays as it is.
        v: shape (as many as there are indices, ...), of the dtype of `x`.
        indices: the rows, an int or a sequence of ints.

    Returns:
        A Tensor of the shape and dtype of `x`.

    Follows: mindspore.ops.inplace_sub (2.10).
    """
    return rearrange(_rows_written, "inplace_sub", x, indices, v, _index_sub)


def slice_scatter(
    input: Tensor, src: Tensor, axis: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    """Write `src` into a slice of a copy.

    Args:
        input: any shape; it stays as it is.
        src: of the shape of the slice.
        axis: along which axis, in [-rank, rank).
        start: the first place; None for 0.
        end: where to stop, exclusive; None for the end.
        step: the distance of places.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.slice_scatter (2.10).
    """
    return scatter_at(_slice_scatter, "slice_scatter", input, src, src, axis, start, end, step)


def select_scatter(input: Tensor, src: Tensor, axis: int, index: int) -> Tensor:
    """Write `src` at `index` along `axis` into a copy.

    Args:
        input: any shape; it stays as it is.
        src: of the shape of `input` without the axis.
        axis: which axis, in [-rank, rank).
        index: which slice.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.select_scatter (2.10).
    """
    return select_at(torch.select_scatter, "select_scatter", input, src, axis, index)


def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """Write `src` into a diagonal of a copy.

    Args:
        input: at least two axes; it stays as it is.
        src: of the shape of the diagonal.
        offset: which diagonal; positive ones are above the main one.
        dim1: the axis of rows.
        dim2: the axis of columns.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.diagonal_scatter (2.10).
    """
    return select_at(torch.diagonal_scatter, "diagonal_scatter", input, src, offset, dim1, dim2)


# -- methods whose arguments differ from the function's --------------------------------------------------------------


def _scatter(data: torch.Tensor, index: torch.Tensor, source: torch.Tensor, axis: int, reduction: str) -> torch.Tensor:
    index = long(index)
    index = torch.where(index < 0, index + data.size(axis), index)
    if reduction == "none":
        return torch.scatter(data, axis, index, source.to(data.dtype))
    if reduction not in _REDUCTIONS:
        raise ValueError(f"reduction must be 'none' or one of {sorted(_REDUCTIONS)}, got {reduction!r}.")
    return torch.scatter_reduce(data, axis, index, source.to(data.dtype), _REDUCTIONS[reduction])


def _scatter_number(data: torch.Tensor, index: torch.Tensor, value: Number, axis: int) -> torch.Tensor:
    return torch.scatter(data, axis, long(index), value)


def _index_fill(data: torch.Tensor, index: torch.Tensor, axis: int, value: Number | torch.Tensor) -> torch.Tensor:
    return torch.index_fill(data, axis, long(index), value)


def _rows_written(data: torch.Tensor, indices: int | Sequence[int] | Tensor, rows: Tensor, write: Any) -> torch.Tensor:
    if isinstance(indices, Tensor):
        index = long(indices._data).reshape(-1)
    else:
        places = [indices] if isinstance(indices, int) else [index_of(index) for index in indices]
        if any(not 0 <= place < len(data) for place in places):
            raise ValueError(f"every index must be in [0, {len(data)}), got {places}.")
        index = torch.tensor(places, device=data.device)
    return write(data, 0, index, rows._data)


def _index_sub(data: torch.Tensor, axis: int, index: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    return torch.index_add(data, axis, index, rows, alpha=-1)


def _slice_scatter(
    data: torch.Tensor, source: torch.Tensor, _: torch.Tensor, axis: int, start: int | None, end: int | None, step: int
) -> torch.Tensor:
    return torch.slice_scatter(data, source, axis, start, end, step)
