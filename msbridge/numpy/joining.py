"""Joining tensors and taking them apart."""

from typing import Any

import torch

from msbridge.core.errors.explain import describe
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import Array, axis_in, common, data_of, tensor_of, tensors_of
from msbridge.ops.shape.joining import functions as joining

Arrays = Tensor | tuple[Array, ...] | list[Any]
Sections = int | tuple[int, ...] | list[int]


def concatenate(arrays: Arrays, axis: int | None = 0) -> Tensor:
    """Join tensors along an axis, or flattened where `axis` is None; their dtypes are mixed.

    Args:
        arrays: a sequence of arrays whose shapes differ in this axis only, or a Tensor, whose slices are joined.
        axis: in [-ndim, ndim); None flattens them.

    Returns:
        A Tensor of the promoted dtype.

    Raises:
        ValueError: the shapes do not fit.

    Follows: mindspore.numpy.concatenate (2.10).
    """
    tensors = _require_tensors("concatenate", arrays)
    if len(tensors) == 1 and axis is not None and -tensors[0].ndim <= axis < tensors[0].ndim:
        return arrays[0] if isinstance(arrays[0], Tensor) else tensors[0]
    if axis is None:
        tensors, axis = [wrap(tensor._data.reshape(-1)) for tensor in tensors], 0
    if not all(tensor.ndim for tensor in tensors):
        raise TypeError(f"For 'concatenate', every array must have an axis, got {describe(arrays)}.")
    if len({tensor.ndim for tensor in tensors}) > 1:
        raise ValueError(f"For 'concatenate', the shapes {[tensor.shape for tensor in tensors]} differ in axes.")
    return joining.concat(tensors, axis_in(axis, tensors[0].ndim, "concatenate"))


def stack(arrays: Arrays, axis: int = 0) -> Tensor:
    """Join tensors of one shape along a new axis.

    Args:
        arrays: a sequence of arrays of one shape, or a Tensor, whose slices are joined.
        axis: where the new axis is, in [-ndim - 1, ndim].

    Returns:
        A Tensor of the promoted dtype, with one axis more.

    Raises:
        ValueError: the shapes differ.

    Follows: mindspore.numpy.stack (2.10).
    """
    if not isinstance(arrays, Tensor | tuple | list):
        raise ValueError(f"For 'stack', arrays must be a Tensor, or a tuple or list of them, got {describe(arrays)}.")
    tensors = _require_tensors("stack", arrays)
    if len({tensor.shape for tensor in tensors}) > 1:
        raise ValueError(f"For 'stack', the shapes must be equal, got {[tensor.shape for tensor in tensors]}.")
    return joining.stack(tensors, axis_in(axis, tensors[0].ndim + 1, "stack"))


def vstack(tup: Arrays) -> Tensor:
    """Join along the first axis; a vector is a row. One Tensor stays as it is.

    Args:
        tup: a sequence of arrays whose other axes are equal, or a Tensor.

    Returns:
        A Tensor of the promoted dtype.

    Follows: mindspore.numpy.vstack (2.10).
    """
    return tup if isinstance(tup, Tensor) else joining.vstack(_require_tensors("vstack", tup))


def hstack(tup: Arrays) -> Tensor:
    """Join along the second axis, vectors along their only one. One Tensor stays as it is.

    Args:
        tup: a sequence of arrays whose other axes are equal, or a Tensor.

    Returns:
        A Tensor of the promoted dtype.

    Follows: mindspore.numpy.hstack (2.10).
    """
    return tup if isinstance(tup, Tensor) else joining.hstack(_require_tensors("hstack", tup))


def dstack(tup: Arrays) -> Tensor:
    """Join along the third axis; a vector is a row, a matrix has a third axis of 1. One Tensor stays as it is.

    Args:
        tup: a sequence of arrays whose other axes are equal, or a Tensor.

    Returns:
        A Tensor of the promoted dtype.

    Follows: mindspore.numpy.dstack (2.10).
    """
    return tup if isinstance(tup, Tensor) else joining.dstack(_require_tensors("dstack", tup))


def column_stack(tup: Arrays) -> Tensor:
    """Join along the second axis; a vector is a column. One Tensor stays as it is.

    Args:
        tup: a sequence of arrays whose other axes are equal, or a Tensor.

    Returns:
        A Tensor of the promoted dtype.

    Follows: mindspore.numpy.column_stack (2.10).
    """
    return tup if isinstance(tup, Tensor) else joining.column_stack(_require_tensors("column_stack", tup))


def append(arr: Array, values: Array, axis: int | None = None) -> Tensor:
    """Put values at the end along an axis, or of the flattened tensor.

    Args:
        arr: any shape and dtype.
        values: what has the shape of `arr` but for the axis; anything where `axis` is None.
        axis: in [-arr.ndim, arr.ndim); None flattens both.

    Returns:
        A Tensor of the promoted dtype.

    Follows: mindspore.numpy.append (2.10).
    """
    return concatenate([tensor_of(arr, "append", "arr"), tensor_of(values, "append", "values")], axis)


def split(x: Array, indices_or_sections: Sections, axis: int = 0) -> tuple[Tensor, ...] | list[Tensor]:
    """Take apart along an axis: into a tuple of equal parts, or a list of what lies between indices.

    Args:
        x: any shape and dtype.
        indices_or_sections: as in every split.
        axis: in [-x.ndim, x.ndim).

    Returns: as in every split.

    Raises:
        ValueError: the parts are not equal, or one is empty.

    Follows: mindspore.numpy.split (2.10).
    """
    data = data_of(x, "split", "x")
    place = axis_in(axis, data.dim(), "split")
    if isinstance(indices_or_sections, int) and (
        indices_or_sections < 1 or data.shape[place] % indices_or_sections or not data.shape[place]
    ):
        shape = tuple(data.shape)
        raise ValueError(f"For 'split', axis {axis} of {shape} does not fall into {indices_or_sections} equal parts.")
    return _parts("split", data, indices_or_sections, place)


def array_split(x: Array, indices_or_sections: Sections, axis: int = 0) -> tuple[Tensor, ...] | list[Tensor]:
    """Take apart along an axis as `split` does, into parts that may differ by one.

    Args:
        x: any shape and dtype.
        indices_or_sections: as in every split.
        axis: in [-x.ndim, x.ndim).

    Returns: as in every split.

    Follows: mindspore.numpy.array_split (2.10).
    """
    data = data_of(x, "array_split", "x")
    return _parts("array_split", data, indices_or_sections, axis_in(axis, data.dim(), "array_split"))


def vsplit(x: Array, indices_or_sections: Sections) -> tuple[Tensor, ...] | list[Tensor]:
    """Take apart along the first axis.

    Args:
        x: any dtype, with at least that many axes.
        indices_or_sections: as in every split.

    Returns: as in every split.

    Follows: mindspore.numpy.vsplit (2.10).
    """
    return split(x, indices_or_sections, 0)


def hsplit(x: Array, indices_or_sections: Sections) -> tuple[Tensor, ...] | list[Tensor]:
    """Take apart along the second axis.

    Args:
        x: any dtype, with at least that many axes.
        indices_or_sections: as in every split.

    Returns: as in every split.

    Follows: mindspore.numpy.hsplit (2.10).
    """
    return split(x, indices_or_sections, 1)


def dsplit(x: Array, indices_or_sections: Sections) -> tuple[Tensor, ...] | list[Tensor]:
    """Take apart along the third axis.

    Args:
        x: any dtype, with at least that many axes.
        indices_or_sections: as in every split.

    Returns: as in every split.

    Follows: mindspore.numpy.dsplit (2.10).
    """
    return split(x, indices_or_sections, 2)


def _require_tensors(op: str, arrays: Any) -> list[Tensor]:
    tensors = tensors_of(arrays, op)
    if not tensors:
        raise ValueError(f"For '{op}', one tensor or more is needed, got {arrays!r}.")
    return common(tensors)


def _parts(op: str, data: torch.Tensor, where: Sections, axis: int) -> tuple[Tensor, ...] | list[Tensor]:
    if not isinstance(where, int | tuple | list):
        raise TypeError(f"For '{op}', indices_or_sections must be an int, tuple or list, got {describe(where)}.")
    parts = [wrap(part) for part in torch.tensor_split(data, where, axis)]
    if any(part.size == 0 for part in parts):
        raise ValueError(f"For '{op}', {where!r} leaves an empty part of shape {tuple(data.shape)} along axis {axis}.")
    return tuple(parts) if isinstance(where, int) else parts
