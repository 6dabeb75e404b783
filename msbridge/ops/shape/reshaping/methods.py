"""Methods of Tensor."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.faces import same
from msbridge.ops.kernel_calls.data_movement import rearrange, sizes_of
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.shape.reshaping import functions
from msbridge.ops.shape.reshaping.functions import (
    Shape,
    _broadcast_to,
    _permute,
    _reshape,
    _reshape_as,
    _reverse_axes,
)


def unsqueeze(self: Tensor, dim: int | None = None, *, axis: int | None = None) -> Tensor:
    """Insert an axis of length 1; `axis` is another name of `dim`.

    Args:
        self: any shape and dtype.
        dim: where the new axis goes, in [-rank - 1, rank].
        axis: another name of `dim`.

    Returns:
        A view of the same dtype.

    Raises:
        TypeError: neither is given.

    Follows: mindspore.Tensor.unsqueeze (2.10).
    """
    return functions.unsqueeze(self, axis if dim is None else dim)  # type: ignore[arg-type]


def expand_as(self: Tensor, other: Tensor | None = None, *, x: Tensor | None = None) -> Tensor:
    """Broadcast to the shape of `other`; `x` is another name of it.

    Args:
        self: of a shape that broadcasts to that of `other`.
        other: any dtype.
        x: another name of `other`.

    Returns:
        A view of the shape of `other` and the dtype of this one.

    Follows: mindspore.Tensor.expand_as (2.10).
    """
    return functions.expand_as(self, x if other is None else other)  # type: ignore[arg-type]


def reshape(self: Tensor, *sizes: int | Shape, shape: Shape | None = None) -> Tensor:
    """Return the elements in another shape: `reshape(2, 3)`, `reshape((2, 3))` or `reshape(shape=(2, 3))`.

    Args:
        self: any shape and dtype.
        sizes: as many elements as there are; one length may be -1.
        shape: the same as one sequence.

    Returns:
        A Tensor of the shape and the same dtype.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).reshape(4, 1).shape, Tensor([1, 2]).reshape((2, -1)).shape
        ((4, 1), (2, 1))

    Follows: mindspore.Tensor.reshape (2.10).
    """
    try:
        wanted = sizes if len(sizes) > 1 else sizes[0]
    except IndexError as error:
        if shape is None:
            raise TypeError("For 'reshape', a shape must be given.") from error
        wanted = shape
    return rearrange(_reshape, "reshape", self, wanted)


def view(self: Tensor, *shape: int | Shape | Type, dtype: Type | None = None) -> Tensor:
    """Return the elements in another shape, as `reshape`; non-contiguous elements are copied.

    With a type instead of a shape the same bytes are read as that type, and the last axis grows or shrinks.

    Args:
        self: any shape and dtype.
        shape: as many elements as there are, ints or one sequence; one length may be -1. Or a dtype.
        dtype: as what the bytes are read.

    Returns:
        A Tensor of the shape and the same dtype, or of `dtype`.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).view(-1).shape
        (4,)

    Follows: mindspore.Tensor.view (2.10).
    """
    if dtype is not None or (len(shape) == 1 and isinstance(shape[0], Type)):
        return rearrange(_reinterpret, "view", self, shape[0] if dtype is None else dtype)
    if not shape:
        raise TypeError("For 'view', a shape or a dtype is wanted.")
    return rearrange(_reshape, "view", self, shape if len(shape) != 1 else shape[0])


def _reinterpret(data: torch.Tensor, dtype: Type) -> torch.Tensor:
    try:
        return data.contiguous().view(dtype.torch)
    except RuntimeError as error:
        raise ValueError(f"the bytes of the last axis cannot be read as {dtype}.") from error


reshape_as = define(
    rearrange,
    _reshape_as,
    "Return the elements in the shape of `other`.",
    "self other",
    types=(Tensor, Tensor),
    args=("self: any shape and dtype.\nother: of as many elements."),
    returns="A Tensor of the shape of `other` and the same dtype.",
)


def transpose(
    self: Tensor, *axes: int | Sequence[int] | None, dim0: int | None = None, dim1: int | None = None
) -> Tensor:
    """Permute the axes: none reverses them, two ints exchange those, else a permutation as ints or a sequence.

    Args:
        self: any shape and dtype.
        axes: ints, or one sequence of them.
        dim0: one axis to exchange.
        dim1: the other.

    Returns:
        A view of the same dtype.

    Examples:
        >>> x = ops.zeros((2, 3, 4))
        >>> x.transpose(0, 2, 1).shape, x.transpose(0, 1).shape, x.transpose().shape
        ((2, 4, 3), (3, 2, 4), (4, 3, 2))

    Follows: mindspore.Tensor.transpose (2.10).
    """
    if dim1 is not None:
        axes = (*axes, dim1) if dim0 is None else (dim0, dim1)
    if len(axes) == 2:
        return rearrange(torch.transpose, "transpose", self, *axes)
    if not axes or axes[0] is None:
        return rearrange(_reverse_axes, "transpose", self)
    return rearrange(_permute, "transpose", self, axes if len(axes) != 1 or isinstance(axes[0], int) else axes[0])


def narrow(self: Tensor, axis: Any = None, start: Any = None, length: Any = None, *, dim: int | None = None) -> Tensor:
    """Return `length` elements along `axis` (or `dim`) from `start` on; a view.

    Args:
        self: at least one axis.
        axis: which, in [-rank, rank).
        start: the first element.
        length: how many.
        dim: another name of `axis`.

    Returns:
        A view of the same dtype.

    Follows: mindspore.Tensor.narrow (2.10).
    """
    return functions.narrow(self, axis if dim is None else dim, start, length)


def permute(self: Tensor, *axis: int | Sequence[int], dims: Sequence[int] | None = None) -> Tensor:
    """Permute the axes: `permute(1, 0)`, `permute((1, 0))` or `permute(dims=(1, 0))`; `permute()` reverses them.

    Args:
        self: any shape and dtype.
        axis: all axes in their new order, ints or one sequence.
        dims: the same as one sequence.

    Returns:
        A view of the same dtype.

    Follows: mindspore.Tensor.permute (2.10).
    """
    if dims is not None:
        axis = (dims,)
    if not axis:
        return rearrange(_reverse_axes, "permute", self)
    return rearrange(_permute, "permute", self, axis if len(axis) != 1 or isinstance(axis[0], int) else axis[0])


def expand(self: Tensor, *size: int | Shape) -> Tensor:
    """Broadcast: `expand(2, 3)` or `expand((2, 3))`.

    Args:
        self: any shape and dtype.
        size: the shape, ints or one sequence; -1 keeps a length.

    Returns:
        A view of that shape and the same dtype.

    Follows: mindspore.Tensor.expand (2.10).
    """
    if not size:
        raise TypeError("For 'expand', a size is wanted.")
    return rearrange(_broadcast_to, "expand", self, size if len(size) != 1 else size[0])


def flatten(self: Tensor, order: str | int = "C", start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Join the axes `start_dim` … `end_dim` into one; the method joins all by default, the function keeps the first.

    `order` is "C" or "F"; ints in its place are `start_dim` and `end_dim`.

    Args:
        self: any shape and dtype.
        order: "C" reads the last axis fastest, "F" the first.
        start_dim: the first axis to join.
        end_dim: the last.

    Returns:
        A Tensor of the same dtype.

    Follows: mindspore.Tensor.flatten (2.10).
    """
    if isinstance(order, int) and not isinstance(order, bool):
        return functions.flatten(self, "C", start_dim=order, end_dim=start_dim or end_dim)
    return functions.flatten(self, order, start_dim=start_dim, end_dim=end_dim)


def resize(self: Tensor, *new_shape: int | Shape) -> Tensor:
    """Return the first elements in another shape; zeros fill what is missing.

    Args:
        self: any shape and dtype.
        new_shape: ints, or one sequence of them.

    Returns:
        A Tensor of that shape and the same dtype.

    Follows: mindspore.Tensor.resize (2.10).
    """
    return rearrange(_resize, "resize", self, new_shape if len(new_shape) != 1 else new_shape[0])


def _resize(data: torch.Tensor, shape: Shape) -> torch.Tensor:
    sizes = sizes_of(shape)
    wanted = int(np.prod(sizes, dtype=np.int64))
    flat = data.flatten()[:wanted]
    missing = wanted - flat.numel()
    return (torch.nn.functional.pad(flat, (0, missing)) if missing else flat).reshape(sizes)


SAME = same(
    functions,
    "broadcast_to expand_dims flip fliplr flipud moveaxis movedim ravel reverse roll rot90 "
    "squeeze swapaxes swapdims t view_as",
)
