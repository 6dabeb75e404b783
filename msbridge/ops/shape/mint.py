"""Functions of `mint` under torch's argument names."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.tensor.memory import twin
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.faces import face, same
from msbridge.ops.kernel_calls.data_movement import join_tensors, rearrange, split_into_parts
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Number, many, unary_with
from msbridge.ops.kernel_calls.mixed_dtypes import with_common_dtype
from msbridge.ops.shape.gather_and_select import functions as gather_and_select
from msbridge.ops.shape.joining import functions as joining
from msbridge.ops.shape.reshaping import functions as reshaping

select = define(
    unary_with,
    torch.select,
    "Take one slice along an axis; a view.",
    "input dim index",
    types=(Tensor, int, int),
    args=(
        "input: at least one axis.\n"
        "dim: which axis, in [-rank, rank).\n"
        "index: which slice, in [-n, n) for an axis of length n."
    ),
    returns="A view without the axis, of the dtype of `input`.",
)


def where(condition: Tensor, input: Tensor | Number | None = None, other: Tensor | Number | None = None) -> Any:
    """Choose from `input` where `condition` is true, else from `other`; without them, return where it is true.

    Args:
        condition: of bools; without the others of any dtype, true where it is not 0.
        input: a Tensor or number; broadcasts against `condition`.
        other: a Tensor or number; broadcasts against `condition`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype; without `input` and `other` a vector of indices for
        each axis.

    Raises:
        TypeError: `condition` is not a Tensor.

    Follows: mindspore.mint.where (2.10).
    """
    if input is None or other is None:
        return gather_and_select.nonzero(condition, as_tuple=True)
    return gather_and_select.where(condition, input, other)


stack = define(
    join_tensors,
    torch.stack,
    "Put tensors along a new axis.",
    "tensors dim",
    types=(Sequence[Tensor], int),
    dim=0,
    args=(
        "tensors: a tuple or list of Tensors of one shape; different dtypes are promoted.\n"
        "dim: where the new axis goes, in [-rank - 1, rank]."
    ),
    returns="A Tensor of the promoted dtype, with an axis more.",
)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Split along an axis into so many parts.

    Args:
        input: one axis or more; any dtype.
        chunks: above 0.
        dim: an axis in [-input.ndim, input.ndim).

    Returns:
        A tuple of Tensors, views of `input`.

    Follows: mindspore.mint.chunk (2.10).
    """
    return split_into_parts(torch.chunk, "chunk", input, chunks, dim)


def repeat_interleave(
    input: Tensor, repeats: int | Sequence[int] | Tensor, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Repeat each element along an axis; None flattens.

    Args:
        input: any shape and dtype.
        repeats: how often; one number, or one for each element along the axis.
        dim: an axis in [-input.ndim, input.ndim); None flattens `input`.
        output_size: the length of the result along the axis, if it is known.

    Returns:
        A Tensor of the dtype of `input`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.repeat_interleave (2.10).
    """
    return joining.repeat_interleave(input, repeats, dim)


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Join axes into one.

    Args:
        input: any shape and dtype.
        start_dim: the first axis that is joined, in [-input.ndim, input.ndim).
        end_dim: the last one.

    Returns:
        A Tensor of the dtype of `input`; a view where the memory allows it.

    Follows: mindspore.mint.flatten (2.10).
    """
    flat = rearrange(torch.flatten, "flatten", input, start_dim, end_dim)
    return twin(input) if flat._data is input._data else flat


def t(input: Tensor) -> Tensor:
    """Exchange the first two axes; a Tensor of fewer axes stays.

    Args:
        input: any shape and dtype.

    Returns:
        A view of `input`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.t (2.10).
    """
    return rearrange(_first_exchanged, "t", input)


def _first_exchanged(data: torch.Tensor) -> torch.Tensor:
    return data.transpose(0, 1) if data.dim() > 1 else torch.t(data)


def squeeze(input: Tensor, dim: int | Sequence[int]) -> Tensor:
    """Drop axes of length 1.

    Args:
        input: any shape and dtype.
        dim: one axis or several; those that are longer stay.

    Returns:
        A view of `input`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.squeeze (2.10).
    """
    return unary_with(torch.squeeze, "squeeze", input, dim if isinstance(dim, int) else tuple(dim))


def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Number = 1) -> Tensor:
    """Add slices of `source` where `index` says along an axis, into a copy.

    Args:
        input: any shape and dtype.
        dim: an axis in [-input.ndim, input.ndim).
        index: a vector of integers, one for each slice of `source`.
        source: of the shape of `input` in the other axes, and of its dtype.
        alpha: a factor for `source`.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.index_add (2.10).
    """
    return with_common_dtype(_index_add, input, dim, index, source, alpha)


def _index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, alpha: Number) -> Tensor:
    return many(lambda data: torch.index_add(data[0], dim, *data[1:], alpha=alpha), "index_add", (input, index, source))


def scatter(input: Tensor, dim: int, index: Tensor, src: Tensor | Number) -> Tensor:
    """Write single elements of `src` into a copy, each at its place except along an axis.

    Args:
        input: any shape and dtype.
        dim: an axis in [-input.ndim, input.ndim).
        index: integers, with as many axes as `input`.
        src: a number, or a Tensor at least as long as `index` in each axis.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.scatter (2.10).
    """
    if isinstance(src, Tensor):
        return many(lambda data: torch.scatter(data[0], dim, data[1].long(), data[2]), "scatter", (input, index, src))
    return many(lambda data: torch.scatter(data[0], dim, data[1].long(), src), "scatter", (input, index))


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Add single elements of `src` into a copy, each at its place except along an axis.

    Args:
        input: any shape and dtype.
        dim: an axis in [-input.ndim, input.ndim).
        index: integers, with as many axes as `input`.
        src: a Tensor at least as long as `index` in each axis.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.scatter_add (2.10).
    """
    return many(
        lambda data: torch.scatter_add(data[0], dim, data[1].long(), data[2]), "scatter_add", (input, index, src)
    )


def split(tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Split along an axis into parts of one length, or of the lengths given.

    Args:
        tensor: one axis or more; any dtype.
        split_size_or_sections: the length of a part, of which the last may be shorter, or the lengths of all.
        dim: an axis in [-tensor.ndim, tensor.ndim).

    Returns:
        A tuple of Tensors, views of `tensor`.

    Follows: mindspore.mint.split (2.10).
    """
    return joining.split(tensor, split_size_or_sections, dim)


def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Exchange two axes; the result is a view in any case.

    Args:
        input: any shape and dtype.
        axis0: in [-input.ndim, input.ndim).
        axis1: in [-input.ndim, input.ndim).

    Returns:
        A view of `input`.

    Raises:
        TypeError: `input` is not a Tensor.

    Follows: mindspore.mint.swapaxes (2.10).
    """
    return rearrange(torch.transpose, "swapaxes", input, axis0, axis1)


FACES = (
    face("gather", gather_and_select.gather_elements, "input dim index"),
    face("index_select", gather_and_select.index_select, "input dim index"),
    face("concat", joining.concat, "tensors dim"),
    face("cat", joining.concat, "tensors dim"),
    face("permute", reshaping.permute, "input dims"),
    face("transpose", swapaxes, "input dim0 dim1"),
    face("narrow", reshaping.narrow, "input dim start length"),
)
SAME = (
    same(gather_and_select, "masked_select nonzero take")
    | same(joining, "dstack hstack tile unbind")
    | same(reshaping, "broadcast_to flip ravel reshape roll unsqueeze")
)
