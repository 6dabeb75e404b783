"""Tensor's methods of extremes, which have several signatures."""

from functools import wraps
from typing import Any

import numpy as np
import torch

from msbridge.core.context.graph_mode import within_graph
from msbridge.core.releases.rows import Default
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.kernel_calls.families import Function, Number, unary
from msbridge.ops.reduce.extremes import functions as extremes
from msbridge.ops.reduce.reduction import kernels

_INTEGERS = (int, np.integer)
_FIRST = Default("Tensor.max", "dim")  # what an int is that is given first


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

    Returns:
        A Tensor of the same dtype; with an axis in `dim` or `return_indices`, (values, indices).

    Examples:
        >>> int(Tensor([[1, 5], [3, 4]]).max()), Tensor([[1, 5], [3, 4]]).max(axis=1).asnumpy().tolist()
        (5, [5, 4])

    Follows: mindspore.Tensor.max (2.10).
    """
    largest = (torch.max, extremes.max, extremes.amax, arithmetic.maximum)
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

    Returns:
        A Tensor of the same dtype; with an axis in `dim` or `return_indices`, (values, indices).

    Follows: mindspore.Tensor.min (2.10).
    """
    smallest = (torch.min, extremes.min, extremes.amin, arithmetic.minimum)
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

    Args:
        self: any shape; any dtype but Complex.
        axis: which axis, in [-rank, rank).
        keepdims: keep the axis with length 1.
        dim: another name of `axis`.
        keepdim: another name of `keepdims`.

    Returns:
        A Tensor of the same shape without the axis; Int64.

    Examples:
        >>> Tensor([[1, 5], [3, 4]]).argmax(axis=1).asnumpy().tolist()
        [1, 1]

    Follows: mindspore.Tensor.argmax (2.10).
    """
    return extremes.argmax(self, dim if axis is None else axis, keepdims or keepdim)


def argmin(
    self: Tensor, axis: int | None = None, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
) -> Tensor:
    """Return the index of the smallest element, Int32; None looks at the flattened tensor.

    Args:
        self: any shape; any dtype but Complex.
        axis: which axis, in [-rank, rank).
        keepdims: keep the axis with length 1.
        dim: another name of `axis`.
        keepdim: another name of `keepdims`.

    Returns:
        A Tensor of the same shape without the axis; Int32.

    Follows: mindspore.Tensor.argmin (2.10).
    """
    return extremes.argmin(self, dim if axis is None else axis, keepdims or keepdim)


def median(
    self: Tensor, axis: int = -1, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
) -> tuple[Tensor, Tensor]:
    """Return the middle element along an axis and where it is, Int64.

    Args:
        self: any shape; integers or floats.
        axis: which axis, in [-rank, rank).
        keepdims: keep the axis with length 1.
        dim: another name of `axis`.
        keepdim: another name of `keepdims`.

    Returns:
        (values, indices), without the axis: of the same dtype, and Int64.

    Follows: mindspore.Tensor.median (2.10).
    """
    return extremes.median(self, axis if dim is None else dim, keepdims or keepdim)


def argmax_with_value(self: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the largest elements along an axis, and where they are.

    Args:
        self: any shape; integers or floats.
        axis: which axis, in [-rank, rank).
        keep_dims: keep the axis with length 1.

    Returns:
        (values, indices), without the axis: of the same dtype, and Int64.

    Follows: mindspore.Tensor.argmax_with_value (2.10).
    """
    return extremes.max(self, axis, keep_dims)


def argmin_with_value(self: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the smallest elements along an axis, and where they are.

    Args:
        self: any shape; integers or floats.
        axis: which axis, in [-rank, rank).
        keep_dims: keep the axis with length 1.

    Returns:
        (values, indices), without the axis: of the same dtype, and Int64.

    Follows: mindspore.Tensor.argmin_with_value (2.10).
    """
    return extremes.min(self, axis, keep_dims)
