"""Differences between neighbours, slopes and areas."""

import math
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import (
    Array,
    Data,
    axes_in,
    axis_in,
    compute,
    data_of,
    float32_or_64,
    promote_pair,
    tensor_of,
    value_error,
)
from msbridge.ops.reduce.cumulative import functions as cumulative


def diff(a: Array, n: int = 1, axis: int = -1, prepend: Array | None = None, append: Array | None = None) -> Tensor:
    """Return the n-th differences of neighbours along an axis, after `prepend` and `append` are put at its ends.

    The result has the common dtype of all three.

    Args:
        a: any dtype, of one axis or more.
        n: how often differences are taken, at least 0.
        axis: in [-a.ndim, a.ndim).
        prepend: a number or an array to put before `a`; None for nothing.
        append: a number or an array to put behind it; None for nothing.

    Returns:
        A Tensor that is `n` shorter along the axis.

    Follows: mindspore.numpy.diff (2.10).
    """
    data = data_of(a, "diff", "a")
    place = axis_in(axis, data.dim(), "diff")
    ends = [None if end is None else _end(data, end, place) for end in (prepend, append)]
    for end in ends:
        data = data if end is None else promote_pair(data, end)[0]
    return cumulative.diff(wrap(data), n, place, *(None if end is None else wrap(end.to(data.dtype)) for end in ends))


def ediff1d(ary: Array, to_end: Array | None = None, to_begin: Array | None = None) -> Tensor:
    """Return the differences of neighbours in the flattened tensor, between `to_begin` and `to_end`.

    Args:
        ary: any shape and dtype.
        to_end: what follows the differences; None for nothing.
        to_begin: what comes before them; None for nothing.

    Returns:
        A Tensor of one axis and the dtype of `ary`.

    Follows: mindspore.numpy.ediff1d (2.10).
    """
    data = data_of(ary, "ediff1d", "ary").reshape(-1)
    parts = [None if to_begin is None else data_of(to_begin, "ediff1d"), cumulative.diff(wrap(data))._data]
    parts.append(None if to_end is None else data_of(to_end, "ediff1d"))
    return wrap(torch.cat([part.reshape(-1).to(data.dtype) for part in parts if part is not None]))


def gradient(
    f: Array, *varargs: Array, axis: int | tuple[int, ...] | list[int] | None = None, edge_order: int = 1
) -> Tensor | list[Tensor]:
    """Return the slope along each axis (or the ones named), a tensor for each.

    Args:
        f: values at equal distances.
        varargs: the distance along all axes, or one for each.
        axis: which axes.
        edge_order: 1; MindSpore knows no other.

    Returns:
        A Tensor of the shape of `f`, or a list of them; of the dtype of floats, otherwise Float32.

    Raises:
        NotImplementedError: distances differ along one axis, or `edge_order` is not 1.

    Follows: mindspore.numpy.gradient (2.10).
    """
    if edge_order != 1:
        raise NotImplementedError(f"For 'gradient', edge_order must be 1, got {edge_order}.")
    values = _float_values(data_of(f, "gradient", "f"))
    axes = axes_in(axis, values.dim(), "gradient")
    spacings = [data_of(spacing, "gradient", "a distance") for spacing in varargs or (1,)]
    if any(spacing.dim() for spacing in spacings):
        raise NotImplementedError("For 'gradient', the distance along an axis must be one number.")
    if len(spacings) not in (1, len(axes)):
        raise value_error(f"For 'gradient', 1 or {len(axes)} distances are needed, got {len(spacings)}.")
    slopes = [
        wrap(_slope(values, place, spacing))
        for place, spacing in zip(axes, spacings * (len(axes) // len(spacings)), strict=True)
    ]
    return slopes[0] if len(slopes) == 1 else slopes


def trapz(y: Array, x: Array | None = None, dx: float = 1.0, axis: int = -1) -> Tensor:
    """Integrate along an axis by trapezoids, at the points `x` or at distance `dx`; integers yield Float32.

    Args:
        y: any dtype, of one axis or more.
        x: the points, of the shape of `y` or a vector along the axis; None for equal distances.
        dx: the distance, where there is no `x`.
        axis: in [-y.ndim, y.ndim).

    Returns:
        A Tensor of the shape of `y` without the axis; Float32, or Float16 of Float16.

    Follows: mindspore.numpy.trapz (2.10).
    """
    tensor = tensor_of(y, "trapz", "y")
    place = axis_in(axis, tensor.ndim, "trapz")
    values = wrap(tensor._data if tensor._data.dtype is torch.float16 else tensor._data.float())
    points = None if x is None else wrap(data_of(x, "trapz", "x").to(values._data.dtype))
    return cumulative.trapz(values, points, dx=dx, dim=place)


def unwrap(p: Array, discont: float = math.pi, axis: int = -1) -> Tensor:
    """Add multiples of 2π so that neighbouring angles differ by less than `discont`; Float32 but for Float64.

    Args:
        p: angles in radians, of one axis or more.
        discont: the largest difference that stays; less than π counts as π.
        axis: in [-p.ndim, p.ndim).

    Returns:
        A Tensor of the shape of `p`; Float32, or Float64 of Float64.

    Follows: mindspore.numpy.unwrap (2.10).
    """
    tensor = tensor_of(p, "unwrap", "p")
    return compute(_unwrap, "unwrap", tensor, discont=discont, axis=axis_in(axis, tensor.ndim, "unwrap"))


def _float_values(data: Data) -> Data:
    """Cast integers to Float32."""
    return data if data.is_floating_point() else data.float()


def _end(data: Data, value: Any, axis: int) -> Data:
    """Return the values to add at an end; a number is repeated all along it."""
    end = data_of(value, "diff")
    if end.dim() == 0:
        end = end.expand([1 if index == axis else size for index, size in enumerate(data.shape)])
    return end


def _slope(values: Data, axis: int, spacing: Data) -> Data:
    count = values.shape[axis]
    if count < 2:
        raise value_error(f"For 'gradient', two values or more are needed along axis {axis}, got {count}.")
    steps = values.diff(dim=axis)
    inner = (steps.narrow(axis, 1, count - 2) + steps.narrow(axis, 0, count - 2)) / 2
    return torch.cat([steps.narrow(axis, 0, 1), inner, steps.narrow(axis, count - 2, 1)], axis) / spacing


def _unwrap(data: Data, discont: float, axis: int) -> Data:
    values = float32_or_64(data)
    steps = values.diff(dim=axis)
    wrapped = torch.remainder(steps + math.pi, 2 * math.pi) - math.pi
    wrapped = torch.where((wrapped == -math.pi) & (steps > 0), math.pi, wrapped)
    correction = torch.where(steps.abs() < discont, 0, wrapped - steps).cumsum(axis)
    first = values.narrow(axis, 0, 1)
    return torch.cat([first, values.narrow(axis, 1, values.shape[axis] - 1) + correction], axis)
