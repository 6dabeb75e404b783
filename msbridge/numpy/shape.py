"""Shapes: reshaping and reordering axes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import in_range, instance
from msbridge.core.errors.explain import describe, explain
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import Array, Axis, axes_in, axis_in, data_of, tensor_of, value_error
from msbridge.ops.shape.reshaping import functions as reshaping

Ints = int | tuple[int, ...] | list[int]


def reshape(x: Array, new_shape: Ints) -> Tensor:
    """Return the same elements in another shape; one size may be -1.

    Args:
        x: any shape and dtype.
        new_shape: a length, or the lengths of the axes.

    Returns:
        A Tensor of the dtype of `x`; it shares the memory of a Tensor where it can.

    Raises:
        TypeError: a size is not an int.
        ValueError: the number of elements differs.

    Follows: mindspore.numpy.reshape (2.10).
    """
    tensor = tensor_of(x, "reshape", "x")
    sizes = (new_shape,) if isinstance(new_shape, int) else new_shape
    if not isinstance(sizes, tuple | list) or not all(isinstance(size, int | np.integer) for size in sizes):
        raise TypeError(f"For 'reshape', new_shape must be an int or a tuple of ints, got {describe(new_shape)}.")
    try:
        return wrap(tensor._data.reshape([int(size) for size in sizes]))
    except RuntimeError as error:
        raise value_error(f"For 'reshape', {tensor.size} elements do not go into {tuple(sizes)}.") from error


def ravel(x: Array) -> Tensor:
    """Return the elements as a vector.

    Args:
        x: any shape and dtype.

    Returns:
        A Tensor of the dtype of `x`; it shares the memory of a Tensor where it can.

    Raises:
        TypeError: `x` is no array.

    Follows: mindspore.numpy.ravel (2.10).
    """
    return reshaping.ravel(tensor_of(x, "ravel", "x"))


def transpose(a: Array, axes: tuple[int, ...] | list[int] | None = None) -> Tensor:
    """Reorder the axes; without `axes`, reverse them.

    Args:
        a: any shape and dtype.
        axes: every axis once; result axis i is `axes[i]` of `a`.

    Returns:
        A Tensor of the dtype of `a`, a view of a Tensor.

    Raises:
        ValueError: `axes` does not name every axis once.

    Follows: mindspore.numpy.transpose (2.10).
    """
    tensor = tensor_of(a, "transpose", "a")
    order = tuple(range(tensor.ndim))[::-1] if axes is None else axes_in(axes, tensor.ndim, "transpose")
    if len(order) != tensor.ndim:
        raise value_error(f"For 'transpose', axes must name all {tensor.ndim} axes, got {axes!r}.")
    return reshaping.permute(tensor, order)


def swapaxes(x: Array, axis1: int, axis2: int) -> Tensor:
    """Exchange two axes.

    Args:
        x: any shape and dtype.
        axis1: in [-x.ndim, x.ndim).
        axis2: in [-x.ndim, x.ndim).

    Returns:
        A Tensor of the dtype of `x`, a view of a Tensor.

    Raises:
        TypeError: `x` is no array.

    Follows: mindspore.numpy.swapaxes (2.10).
    """
    tensor = tensor_of(x, "swapaxes", "x")
    first, second = (axis_in(axis, tensor.ndim, "swapaxes") for axis in (axis1, axis2))
    return reshaping.swapaxes(tensor, first, second)


def moveaxis(a: Array, source: Ints, destination: Ints) -> Tensor:
    """Move axes to other places; the rest keep their order.

    Args:
        a: any shape and dtype.
        source: one axis or several.
        destination: their places in the result.

    Returns:
        A Tensor of the dtype of `a`, a view of a Tensor.

    Raises:
        TypeError: `a` is no array.

    Follows: mindspore.numpy.moveaxis (2.10).
    """
    tensor = tensor_of(a, "moveaxis", "a")
    places = [axes_in(axes, tensor.ndim, "moveaxis") for axes in (source, destination)]
    return reshaping.moveaxis(tensor, *places)


def rollaxis(x: Array, axis: int, start: int = 0) -> Tensor:
    """Move an axis back until it comes before the one at `start`.

    Args:
        x: any shape and dtype.
        axis: the one that moves, in [-x.ndim, x.ndim).
        start: the axis before which it is put.

    Returns:
        A Tensor of the dtype of `x`, a view of a Tensor.

    Raises:
        TypeError: `x` is no array.
        ValueError: `axis` is out of range.

    Follows: mindspore.numpy.rollaxis (2.10).
    """
    tensor = tensor_of(x, "rollaxis", "x")
    place = axis_in(axis, tensor.ndim, "rollaxis")
    in_range(start, "start", "rollaxis", -tensor.ndim, tensor.ndim, "[]")
    target = start + tensor.ndim if start < 0 else start
    target -= target > place
    return tensor if target == place else reshaping.moveaxis(tensor, place, target)


def expand_dims(a: Array, axis: Ints) -> Tensor:
    """Put new axes of size 1 in, at these places of the result.

    Args:
        a: any shape and dtype.
        axis: one place or several.

    Returns:
        A Tensor of the dtype of `a`, a view of a Tensor.

    Raises:
        TypeError: `a` is no array.

    Follows: mindspore.numpy.expand_dims (2.10).
    """
    data = data_of(a, "expand_dims", "a")
    count = len(axis) if isinstance(axis, tuple | list) else 1
    for place in sorted(axes_in(axis, data.dim() + count, "expand_dims")):
        data = data.unsqueeze(place)
    return wrap(data)


def squeeze(a: Array, axis: Axis = None) -> Tensor:
    """Take out axes of size 1: all, or the ones named.

    Args:
        a: any shape and dtype.
        axis: one axis or several, of which longer ones stay; None for all of length 1.

    Returns:
        A Tensor of the dtype of `a`, a view of a Tensor.

    Raises:
        TypeError: `a` is no array.

    Follows: mindspore.numpy.squeeze (2.10).
    """
    tensor = tensor_of(a, "squeeze", "a")
    return wrap(tensor._data.squeeze(axes_in(axis, tensor.ndim, "squeeze")))


def broadcast_to(array: Array, shape: tuple[int, ...] | list[int]) -> Tensor:
    """Repeat along axes of size 1, and new ones in front, up to `shape`, in memory of its own.

    Args:
        array: any shape and dtype.
        shape: the lengths of the axes.

    Returns:
        A Tensor of this shape and the dtype of `array`.

    Raises:
        ValueError: the shapes do not fit.

    Follows: mindspore.numpy.broadcast_to (2.10).
    """
    tensor = tensor_of(array, "broadcast_to", "array")
    if not isinstance(shape, tuple | list):
        raise value_error(f"For 'broadcast_to', shape must be a tuple of ints, got {describe(shape)}.")
    try:
        return wrap(reshaping.broadcast_to(tensor, tuple(shape))._data.clone(memory_format=torch.contiguous_format))
    except RuntimeError as error:
        raise value_error(f"For 'broadcast_to', shape {tensor.shape} does not go into {tuple(shape)}.") from error


def broadcast_arrays(*args: Array) -> list[Tensor]:
    """Broadcast tensors against each other.

    Args:
        args: arrays whose shapes broadcast against each other.

    Returns:
        A list of Tensors of one shape, of their own dtypes.

    Follows: mindspore.numpy.broadcast_arrays (2.10).
    """
    tensors = [tensor_of(item, "broadcast_arrays") for item in args]
    try:
        return [wrap(data) for data in torch.broadcast_tensors(*(tensor._data for tensor in tensors))]
    except RuntimeError as error:
        shapes = [tensor.shape for tensor in tensors]
        raise value_error(f"For 'broadcast_arrays', the shapes {shapes} do not fit.") from error


def atleast_1d(*arys: Array) -> Tensor | list[Tensor]:
    """Return tensors of one axis or more; several yield a list.

    Args:
        arys: arrays of any shape and dtype.

    Returns:
        A Tensor of the dtype of the array, or a list of them.

    Follows: mindspore.numpy.atleast_1d (2.10).
    """
    return _at_least("atleast_1d", torch.atleast_1d, arys)


def atleast_2d(*arys: Array) -> Tensor | list[Tensor]:
    """Return tensors of two axes or more; several yield a list.

    Args:
        arys: arrays of any shape and dtype.

    Returns:
        A Tensor of the dtype of the array, or a list of them.

    Follows: mindspore.numpy.atleast_2d (2.10).
    """
    return _at_least("atleast_2d", torch.atleast_2d, arys)


def atleast_3d(*arys: Array) -> Tensor | list[Tensor]:
    """Return tensors of three axes or more; several yield a list.

    Args:
        arys: arrays of any shape and dtype.

    Returns:
        A Tensor of the dtype of the array, or a list of them.

    Follows: mindspore.numpy.atleast_3d (2.10).
    """
    return _at_least("atleast_3d", torch.atleast_3d, arys)


def array_str(a: Tensor) -> str:
    """Write the values as text.

    Args:
        a: a Tensor of any shape and dtype.

    Returns:
        A string.

    Follows: mindspore.numpy.array_str (2.10).
    """
    instance(a, "a", "array_str", Tensor)
    return str(a)


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Array, *args: Any, **kwargs: Any) -> Tensor:
    """Apply a function to every vector along an axis; its result takes the vector's place.

    Args:
        func1d: takes a vector, then `args` and `kwargs`.
        axis: along which axis.
        arr: where the vectors are.
        args: further arguments.
        kwargs: further arguments.

    Returns:
        A Tensor: `arr` with what the function returns along the axis.

    Follows: mindspore.numpy.apply_along_axis (2.10).
    """
    data = data_of(arr, "apply_along_axis", "arr")
    place = axis_in(axis, data.dim(), "apply_along_axis")
    rows = data.movedim(place, -1)
    outcomes = [
        data_of(func1d(wrap(row), *args, **kwargs), "apply_along_axis") for row in rows.reshape(-1, rows.shape[-1])
    ]
    try:
        result = torch.stack(outcomes).reshape(*rows.shape[:-1], *outcomes[0].shape)
    except Exception as error:
        raise explain(error, "apply_along_axis", input=wrap(data), axis=axis) from error
    inner = outcomes[0].dim()
    ends = range(rows.dim() - 1, rows.dim() - 1 + inner)
    return wrap(result.movedim(tuple(ends), tuple(range(place, place + inner))))


def apply_over_axes(func: Callable[..., Tensor], a: Array, axes: Ints) -> Tensor:
    """Apply a function `func(a, axis)` for one axis after the other; axes that it takes out come back with size 1.

    Args:
        func: takes a Tensor and an axis; what it returns has as many axes, or one less.
        a: any shape and dtype.
        axes: one axis or several, in [-a.ndim, a.ndim).

    Returns:
        A Tensor with the axes of `a`.

    Follows: mindspore.numpy.apply_over_axes (2.10).
    """
    result = tensor_of(a, "apply_over_axes", "a")
    for axis in [axes] if isinstance(axes, int) else axes:
        reduced = func(result, axis)
        result = reduced if reduced.ndim == result.ndim else expand_dims(reduced, axis)
    return result


def _at_least(op: str, fn: Callable[[torch.Tensor], torch.Tensor], arrays: tuple[Array, ...]) -> Tensor | list[Tensor]:
    results = [wrap(fn(data_of(item, op))) for item in arrays]
    return results[0] if len(results) == 1 else results
