"""Writing to the rows or slices that indices name: in place, or into a copy.

All of them come down to one step on rows: `rows[index] (op)= updates`.
"""

from collections.abc import Sequence
from functools import partial

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import long, scatter_at, scatter_in_place, select_at
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.shape.scatter_rows.kernels import STEPS, VECTORS, RowUpdate, check_indices, fitting, scatter_data

# -- rows[index] (op)= updates, in place; index is one axis of int64 ---------------------------------------------------


def _by_rows(step: RowUpdate) -> RowUpdate:
    """Make the step that takes indices of any shape into the first axis."""

    def write(data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
        updates = fitting(updates, indices.shape + data.shape[1:]).to(data.dtype)
        index = long(indices).reshape(-1)
        check_indices(index, data.size(0))
        step(data, index, updates.reshape(-1, *data.shape[1:]))
        return data

    return write


def _on_copy(step: RowUpdate) -> RowUpdate:
    """Make the step that writes into a copy and returns it."""

    def write(data: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor) -> torch.Tensor:
        copy: torch.Tensor = step(data.clone(memory_format=torch.contiguous_format), indices, updates)
        return copy

    return write


_ROWS = {name: _by_rows(step) for name, step in STEPS.items()}
_COPIES = {name: _on_copy(step) for name, step in VECTORS.items()}


def scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Write `updates` into the rows that `indices` name, in place.

    Args:
        input_x: a Parameter or Tensor of shape (n, ...), changed.
        indices: integers of any shape, in [0, n).
        updates: of the shape of the indices, followed by the shape of a row.

    Returns:
        The changed values.

    Raises:
        RuntimeError: an index is out of range.

    Follows: mindspore.ops.scatter_update (2.10).
    """
    return scatter_in_place(_ROWS["put"], "scatter_update", input_x, indices, updates)


_in_place = partial(define, scatter_in_place, like=scatter_update)
scatter_add = _in_place(_ROWS["add"], "Add `updates` to the rows that `indices` name, in place.", name="scatter_add")
scatter_sub = _in_place(
    _ROWS["sub"],
    "Subtract `updates` from the rows that `indices` name, in place.",
    name="scatter_sub",
    follows="mindspore.ops.ScatterSub",
)
scatter_mul = _in_place(
    _ROWS["mul"], "Multiply the rows that `indices` name by `updates`, in place.", name="scatter_mul"
)
scatter_div = _in_place(_ROWS["div"], "Divide the rows that `indices` name by `updates`, in place.", name="scatter_div")
scatter_max = _in_place(
    _ROWS["max"],
    "Raise the rows that `indices` name to `updates` where these are larger, in place.",
    name="scatter_max",
)
scatter_min = _in_place(
    _ROWS["min"],
    "Lower the rows that `indices` name to `updates` where these are smaller, in place.",
    name="scatter_min",
)


def scatter_nd_update(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = True) -> Tensor:
    """Write `updates` into the slices that index vectors name, in place.

    Args:
        input_x: a Parameter or Tensor, changed.
        indices: shape (..., k): each vector names an element of the first k axes.
        updates: shape (...), followed by the shape of a slice.
        use_locking: MindSpore's lock around the write; updates are always added up here.

    Returns:
        The changed values.

    Raises:
        RuntimeError: an index is out of range.

    Follows: mindspore.ops.scatter_nd_update (2.10).
    """
    return scatter_in_place(VECTORS["put"], "scatter_nd_update", input_x, indices, updates)


def scatter_nd_add(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Add `updates` to the slices that index vectors name, in place.

    Args:
        input_x: a Parameter or Tensor, changed in place.
        indices: shape (..., k): each vector names an element of the first k axes.
        updates: shape (...), followed by the shape of a slice.
        use_locking: without effect.

    Returns:
        `input_x` itself.

    Follows: mindspore.ops.scatter_nd_add (2.10).
    """
    return scatter_in_place(VECTORS["add"], "scatter_nd_add", input_x, indices, updates)


def scatter_nd_sub(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Subtract `updates` from the slices that index vectors name, in place.

    Args:
        input_x: a Parameter or Tensor, changed in place.
        indices: shape (..., k): each vector names an element of the first k axes.
        updates: shape (...), followed by the shape of a slice.
        use_locking: without effect.

    Returns:
        `input_x` itself.

    Follows: mindspore.ops.scatter_nd_sub (2.10).
    """
    return scatter_in_place(VECTORS["sub"], "scatter_nd_sub", input_x, indices, updates)


def scatter_nd_mul(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Multiply the slices that index vectors name by `updates`, in place.

    Args:
        input_x: a Parameter or Tensor, changed in place.
        indices: shape (..., k): each vector names an element of the first k axes.
        updates: shape (...), followed by the shape of a slice.
        use_locking: without effect.

    Returns:
        `input_x` itself.

    Follows: mindspore.ops.scatter_nd_mul (2.10).
    """
    return scatter_in_place(VECTORS["mul"], "scatter_nd_mul", input_x, indices, updates)


def scatter_nd_div(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Divide the slices that index vectors name by `updates`, in place.

    Args:
        input_x: a Parameter or Tensor, changed in place.
        indices: shape (..., k): each vector names an element of the first k axes.
        updates: shape (...), followed by the shape of a slice.
        use_locking: without effect.

    Returns:
        `input_x` itself.

    Follows: mindspore.ops.scatter_nd_div (2.10).
    """
    return scatter_in_place(VECTORS["div"], "scatter_nd_div", input_x, indices, updates)


def scatter_nd_max(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Raise the slices that index vectors name to `updates` where these are larger, in place.

    Args:
        input_x: a Parameter or Tensor, changed in place.
        indices: shape (..., k): each vector names an element of the first k axes.
        updates: shape (...), followed by the shape of a slice.
        use_locking: without effect.

    Returns:
        `input_x` itself.

    Follows: mindspore.ops.scatter_nd_max (2.10).
    """
    return scatter_in_place(VECTORS["max"], "scatter_nd_max", input_x, indices, updates)


def scatter_nd_min(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Lower the slices that index vectors name to `updates` where these are smaller, in place.

    Args:
        input_x: a Parameter or Tensor, changed in place.
        indices: shape (..., k): each vector names an element of the first k axes.
        updates: shape (...), followed by the shape of a slice.
        use_locking: without effect.

    Returns:
        `input_x` itself.

    Follows: mindspore.ops.scatter_nd_min (2.10).
    """
    return scatter_in_place(VECTORS["min"], "scatter_nd_min", input_x, indices, updates)


def tensor_scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Write `updates` into the slices that index vectors name, in a copy.

    Args:
        input_x: the Tensor; it stays as it is.
        indices: shape (..., k): each vector names an element of the first k axes.
        updates: shape (...), followed by the shape of a slice.

    Returns:
        A Tensor of the shape and dtype of `input_x`.

    Raises:
        RuntimeError: an index is out of range.

    Follows: mindspore.ops.tensor_scatter_update (2.10).
    """
    return scatter_at(_COPIES["put"], "tensor_scatter_update", input_x, indices, updates)


_in_copy = partial(define, scatter_at, like=tensor_scatter_update)
tensor_scatter_add = _in_copy(
    _COPIES["add"], "Add `updates` to the slices that index vectors name, in a copy.", name="tensor_scatter_add"
)
tensor_scatter_sub = _in_copy(
    _COPIES["sub"], "Subtract `updates` from the slices that index vectors name, in a copy.", name="tensor_scatter_sub"
)
tensor_scatter_mul = _in_copy(
    _COPIES["mul"], "Multiply the slices that index vectors name by `updates`, in a copy.", name="tensor_scatter_mul"
)
tensor_scatter_div = _in_copy(
    _COPIES["div"], "Divide the slices that index vectors name by `updates`, in a copy.", name="tensor_scatter_div"
)
tensor_scatter_max = _in_copy(
    _COPIES["max"],
    "Raise the slices that index vectors name to `updates` where these are larger, in a copy.",
    name="tensor_scatter_max",
)
tensor_scatter_min = _in_copy(
    _COPIES["min"],
    "Lower the slices that index vectors name to `updates` where these are smaller, in a copy.",
    name="tensor_scatter_min",
)


def scatter_nd(indices: Tensor, updates: Tensor, shape: Sequence[int] | Tensor) -> Tensor:
    """Add `updates` to zeros of `shape`, at the places that index vectors name.

    Args:
        indices: shape (..., k): each vector names an element of the first k axes.
        updates: shape (...), followed by the shape of a slice.
        shape: that of the result.

    Returns:
        A Tensor of shape `shape` and the dtype of `updates`.

    Raises:
        RuntimeError: an index is out of range.

    Follows: mindspore.ops.scatter_nd (2.10).
    """
    return select_at(scatter_data, "scatter_nd", updates, indices, shape)
