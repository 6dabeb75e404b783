"""The shape of a tensor: reshaping, axes and their order, broadcasting, reversing."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.context.grad_state import state
from msbridge.core.tensor.indexing import REVERSED
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import index_of, rearrange, sizes_of
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Function

Shape = Sequence[int] | Tensor


def reshape(input: Tensor, shape: Shape) -> Tensor:
    """Return the elements in another shape; a view where the layout allows it.

    Args:
        input: the Tensor.
        shape: as many elements as `input`; one length may be -1.

    Returns:
        A Tensor of the shape and the dtype of `input`.

    Raises:
        ValueError: the number of elements differs.

    Examples:
        >>> ops.reshape(Tensor([1, 2, 3, 4, 5, 6]), (2, -1)).shape
        (2, 3)
        >>> ops.Reshape()(Tensor([[1, 2], [3, 4]]), (4,))
        Tensor(shape=[4], dtype=Int64, value= [1, 2, 3, 4])

    Follows: mindspore.ops.reshape (2.10).
    """
    return rearrange(_reshape, "reshape", input, shape)


def transpose(input: Tensor, dims: Sequence[int]) -> Tensor:
    """Permute the axes: result axis i is input axis `dims[i]`.

    Args:
        input: any shape and dtype.
        dims: every axis once.

    Returns:
        A view of `input`.

    Raises:
        ValueError: `dims` is not a permutation of the axes.

    Examples:
        >>> ops.Transpose()(Tensor([[1, 2, 3], [4, 5, 6]]), (1, 0)).shape
        (3, 2)

    Follows: mindspore.ops.transpose (2.10).
    """
    return rearrange(_permute, "transpose", input, dims)


def _permute(data: torch.Tensor, axes: Any) -> torch.Tensor:
    try:
        return torch.permute(data, axes)
    except TypeError:
        return torch.permute(data, sizes_of(axes))


permute = define(rearrange, _permute, "Permute the axes, as `transpose`.", "input axis", like=transpose)


def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Exchange two axes; one with itself leaves the Tensor as it is.

    Args:
        input: any shape and dtype.
        axis0: in [-input.ndim, input.ndim).
        axis1: in [-input.ndim, input.ndim).

    Returns:
        A view of `input`, or the Tensor itself.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.ops.swapaxes (2.10).
    """
    exchanged = rearrange(torch.transpose, "swapaxes", input, axis0, axis1)
    return input if axis0 == axis1 else exchanged


swapdims = define(
    rearrange, torch.transpose, "Exchange two axes, as `swapaxes`.", "input dim0 dim1", name="swapdims", like=swapaxes
)


def moveaxis(x: Tensor, source: int | Sequence[int], destination: int | Sequence[int]) -> Tensor:
    """Move axes to other positions; the others keep their order.

    Args:
        x: any shape and dtype.
        source: one axis or several.
        destination: their places in the result.

    Returns:
        A view of `x`.

    Follows: mindspore.ops.moveaxis (2.10).
    """
    return rearrange(torch.movedim, "moveaxis", x, source, destination)


movedim = define(rearrange, torch.movedim, "Move axes to other positions, as `moveaxis`.", like=moveaxis)


def t(input: Tensor) -> Tensor:
    """Exchange the axes of a matrix; a Tensor of fewer or more axes stays.

    Args:
        input: any shape and dtype.

    Returns:
        A view of the dtype of `input`.

    Follows: mindspore.ops.t (2.10).
    """
    return rearrange(_transpose_2d, "t", input)


def _transpose_2d(data: torch.Tensor) -> torch.Tensor:
    return torch.t(data) if data.dim() <= 2 else data.view_as(data)


def squeeze(input: Tensor, axis: int | Sequence[int] | None = None) -> Tensor:
    """Drop axes of length 1.

    Args:
        input: the Tensor.
        axis: the axes to drop, those of another length stay; None or () means all of length 1.

    Returns:
        A view of the dtype of `input`.

    Raises:
        ValueError: `axis` is out of range.

    Examples:
        >>> ops.Squeeze(0)(Tensor([[1, 2, 3]])).shape
        (3,)

    Follows: mindspore.ops.squeeze (2.10).
    """
    return rearrange(_squeeze, "squeeze", input, axis)


def expand_dims(input_x: Tensor, axis: int) -> Tensor:
    """Insert an axis of length 1 at `axis`, in [-ndim - 1, ndim].

    Args:
        input_x: any shape and dtype.
        axis: the place of the new axis.

    Returns:
        A view of `input_x`.

    Raises:
        ValueError: `axis` is out of range.

    Examples:
        >>> ops.ExpandDims()(Tensor([1, 2, 3]), 0).shape
        (1, 3)

    Follows: mindspore.ops.expand_dims (2.10).
    """
    return rearrange(_unsqueeze, "expand_dims", input_x, axis)


def _unsqueeze(data: torch.Tensor, axis: int) -> torch.Tensor:
    try:
        return torch.unsqueeze(data, axis)
    except TypeError:
        return torch.unsqueeze(data, index_of(axis))


unsqueeze = define(
    rearrange, _unsqueeze, "Insert an axis of length 1, as `expand_dims`.", "input dim", like=expand_dims
)


def broadcast_to(input: Tensor, shape: Shape) -> Tensor:
    """Repeat axes of length 1 to reach `shape`; -1 keeps a length. The result shares memory.

    Args:
        input: any shape and dtype.
        shape: the lengths of the axes; further ones are in front.

    Returns:
        A Tensor of the dtype of `input`, a view.

    Raises:
        ValueError: `input` does not broadcast to `shape`.

    Follows: mindspore.ops.broadcast_to (2.10).
    """
    return rearrange(_broadcast_to, "broadcast_to", input, shape)


def expand(input_x: Tensor, size: Shape) -> Tensor:
    """Broadcast to `size`, as `broadcast_to`.

    Args:
        input_x: any shape and dtype.
        size: the shape, a tuple, list or Tensor of ints; -1 keeps a length.

    Returns:
        A view of shape `size` and the dtype of `input_x`.

    Follows: mindspore.ops.expand (2.0).
    """
    return rearrange(_broadcast_to, "expand", input_x, size)


def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Broadcast to the shape of `other`.

    Args:
        input: any shape and dtype.
        other: a Tensor of the shape that is wanted.

    Returns:
        A view of `input`.

    Follows: mindspore.ops.expand_as (2.10).
    """
    return rearrange(_expand_as, "expand_as", input, other)


def _reshape_as(data: torch.Tensor, other: Tensor) -> torch.Tensor:
    return torch.reshape(data, other._data.shape)


view_as = define(
    rearrange,
    _reshape_as,
    "Return the elements in the shape of `other`.",
    name="view_as",
    like=expand_as,
    args=("input: any shape and dtype.\nother: of as many elements."),
    returns="A Tensor of the shape of `other` and the dtype of `input`.",
)


def flatten(input: Tensor, order: str = "C", *, start_dim: int = 1, end_dim: int = -1) -> Tensor:
    """Join the axes `start_dim` … `end_dim` into one.

    Args:
        input: the Tensor; 0-d yields shape (1,).
        order: "C" reads the last axis fastest, "F" the first.
        start_dim: the first axis to join; the batch axis stays by default.
        end_dim: the last axis to join.

    Returns:
        A Tensor of the dtype of `input`; `input` itself where there is nothing to join.

    Raises:
        ValueError: another `order`, or an axis out of range.

    Follows: mindspore.ops.flatten (2.10).
    """
    flat = rearrange(_flatten, "flatten", input, start_dim, end_dim, order)
    return input if flat._data is input._data and input.ndim > 1 else flat


ravel = define(
    rearrange,
    torch.ravel,
    "Return all elements along one axis.",
    like=t,
    args="input: any shape and dtype.",
    returns="A Tensor of shape (input.size,) and the dtype of `input`.",
)


def _flip(data: torch.Tensor, axes: int | Sequence[int]) -> torch.Tensor:
    return torch.flip(data, sizes_of(axes))


flip = define(
    rearrange,
    _flip,
    "Reverse the order along axes.",
    "input dims",
    types=(Tensor, int | Sequence[int]),
    args=("input: any shape and dtype.\ndims: the axes, each in [-rank, rank)."),
    returns="A Tensor of the shape and dtype of `input`.",
)
reverse = define(rearrange, _flip, "Reverse the order along axes, as `flip`.", "x axis", name="reverse", like=flip)
fliplr = define(
    rearrange,
    torch.fliplr,
    "Reverse the second axis.",
    like=t,
    args="input: at least two axes, any dtype.",
    returns="A Tensor of the shape and dtype of `input`.",
)
flipud = define(
    rearrange,
    torch.flipud,
    "Reverse the first axis.",
    like=t,
    args="input: at least one axis, any dtype.",
    returns="A Tensor of the shape and dtype of `input`.",
)


def roll(input: Tensor, shifts: int | Sequence[int], dims: int | Sequence[int] | None = None) -> Tensor:
    """Shift elements along axes; what leaves at one end comes in at the other.

    Args:
        input: the Tensor.
        shifts: how far, one for each of `dims`.
        dims: the axes; None rolls the flattened elements and restores the shape.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.ops.roll (2.10).
    """
    return rearrange(torch.roll, "roll", input, shifts, dims)


def rot90(input: Tensor, k: int, dims: Sequence[int]) -> Tensor:
    """Turn the plane of two axes by 90 degrees, `k` times.

    Args:
        input: at least two axes, any dtype.
        k: how often; negative turns the other way.
        dims: two axes; the first turns towards the second.

    Returns:
        A Tensor of the dtype of `input`, with the two lengths exchanged for odd `k`.

    Follows: mindspore.ops.rot90 (2.10).
    """
    return rearrange(torch.rot90, "rot90", input, k, dims)


def narrow(input: Tensor, axis: int, start: int, length: int) -> Tensor:
    """Return `length` elements along `axis` from `start` on; a view.

    Args:
        input: any shape and dtype.
        axis: in [-input.ndim, input.ndim).
        start: the first index.
        length: how many elements.

    Returns:
        A view of `input`.

    Follows: mindspore.ops.narrow (2.10).
    """
    return rearrange(torch.narrow, "narrow", input, axis, start, length)


def _each(fn: Function, op: str, inputs: Any) -> Tensor | tuple[Tensor, ...]:
    if isinstance(inputs, list | tuple):
        return tuple(rearrange(fn, op, tensor) for tensor in inputs)
    raised = rearrange(fn, op, inputs)
    return inputs if raised._data is inputs._data else raised


atleast_1d = define(
    _each,
    torch.atleast_1d,
    "Return Tensors at least one axis.",
    "inputs",
    types=(Tensor | Sequence[Tensor],),
    args="inputs: a Tensor, or a tuple or list of them.",
    returns="A Tensor of at least one axis, or a tuple of them; the dtypes stay.",
)
atleast_2d = define(
    _each,
    torch.atleast_2d,
    "Return Tensors at least two axes, new ones in front.",
    like=atleast_1d,
    args="inputs: a Tensor, or a tuple or list of them.",
    returns="A Tensor of at least two axes, or a tuple of them; the dtypes stay.",
)


def atleast_3d(inputs: Tensor | Sequence[Tensor]) -> Tensor | tuple[Tensor, ...]:
    """Return Tensors at least three axes: (n,) becomes (1, n, 1), (m, n) becomes (m, n, 1).

    Args:
        inputs: a Tensor, or a tuple or list of them.

    Returns:
        A Tensor of at least three axes, or a tuple of them; the dtypes stay.

    Follows: mindspore.ops.atleast_3d (2.10).
    """
    return _each(torch.atleast_3d, "atleast_3d", inputs)


# -- methods whose arguments differ from the function's --------------------------------------------------------------


def _reshape(data: torch.Tensor, shape: Any) -> torch.Tensor:
    try:
        return torch.reshape(data, (shape,) if type(shape) is int else shape)
    except TypeError:
        return torch.reshape(data, sizes_of(shape))


def _expand_as(data: torch.Tensor, other: Tensor) -> torch.Tensor:
    return data.expand_as(other._data)


def _reverse_axes(data: torch.Tensor) -> torch.Tensor:
    return data.permute(REVERSED[data.dim()])


def _squeeze(data: torch.Tensor, axis: Any) -> torch.Tensor:
    if axis is None or (isinstance(axis, tuple) and not axis):
        return torch.squeeze(data)
    return torch.squeeze(data, axis)


def _broadcast_to(data: torch.Tensor, shape: Any) -> torch.Tensor:
    try:
        return torch.broadcast_to(data, shape)
    except TypeError:
        return torch.broadcast_to(data, sizes_of(shape))


def _flatten(data: torch.Tensor, start_dim: int, end_dim: int, order: str) -> torch.Tensor:
    if order not in ("C", "F"):
        raise ValueError(f"order must be 'C' or 'F', got {order!r}.")
    if order == "F":
        data = _reverse_axes(data)
    if data.dim() < 2 and start_dim == 1:
        start_dim = 0
    flat = torch.flatten(data, start_dim, end_dim)
    is_copied = start_dim == 1 and end_dim == -1 and not state.depth  # by MindSpore's own kernel
    return flat.clone() if is_copied else flat
