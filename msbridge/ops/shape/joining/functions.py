"""Several tensors and one: joining along an axis, taking apart, repeating."""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import data_of, join_tensors, rearrange, sizes_of, split_into_parts
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.shape.joining.kernels import split_evenly

Sections = int | Sequence[int]


def concat(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join tensors along an axis; the other axes are equal.

    Args:
        tensors: a tuple or list; different dtypes are promoted.
        axis: along which.

    Returns:
        A Tensor of the promoted dtype; its length along the axis is the sum of theirs.

    Raises:
        TypeError: an element is not a Tensor.
        ValueError: the shapes do not fit, or there is no tensor.

    Examples:
        >>> x = Tensor([[1, 2], [3, 4]])
        >>> ops.concat((x, x)).shape, ops.Concat(axis=1)((x, x)).shape
        ((4, 2), (2, 4))

    Follows: mindspore.ops.concat (2.10).
    """
    return join_tensors(torch.cat, "concat", tensors, axis)


cat = define(join_tensors, torch.cat, "Join tensors along an axis, as `concat`.", like=concat)


def stack(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join tensors of one shape along a new axis; one Tensor counts as a list of it.

    Args:
        tensors: a list or tuple of Tensors of one shape.
        axis: the place of the new axis, in [-ndim - 1, ndim].

    Returns:
        A Tensor of one axis more.

    Raises:
        ValueError: the shapes differ, or `axis` is out of range.

    Follows: mindspore.ops.stack (2.10).
    """
    tensors = [tensors] if isinstance(tensors, Tensor) else tensors
    try:
        return join_tensors(torch.stack, "stack", tensors, axis)
    except TypeError as error:
        are_tensors = [isinstance(one, Tensor) for one in tensors] if isinstance(tensors, list | tuple) else [False]
        if type(axis) is not int or all(are_tensors) or (axis in (-1, 0) and not any(are_tensors)):
            raise
        raise ValueError(
            f"For 'stack', what is not a Tensor has neither axes nor another shape, for axis {axis}."
        ) from error


def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Join tensors along the second axis, or the first of vectors.

    Args:
        tensors: a list or tuple of Tensors that differ along this axis only.

    Returns:
        A Tensor of as many axes.

    Follows: mindspore.ops.hstack (2.10).
    """
    return join_tensors(torch.hstack, "hstack", tensors)


vstack = define(
    join_tensors,
    torch.vstack,
    "Join tensors along the first axis; vectors become rows.",
    "inputs",
    like=hstack,
    args="inputs: a tuple or list of Tensors of one or more axes, equal but for the first.",
    returns="A Tensor of the promoted dtype and at least two axes.",
)
row_stack = define(
    join_tensors, torch.vstack, "Join tensors along the first axis, as `vstack`.", name="row_stack", like=hstack
)
dstack = define(
    join_tensors,
    torch.dstack,
    "Join tensors along the third axis.",
    like=hstack,
    args="tensors: a tuple or list of Tensors, equal but for the third axis, which they may lack.",
    returns="A Tensor of the promoted dtype and at least three axes.",
)
column_stack = define(
    join_tensors,
    torch.column_stack,
    "Join tensors along the second axis; vectors become columns.",
    like=hstack,
    args="tensors: a tuple or list of Tensors, equal but for the second axis.",
    returns="A Tensor of the promoted dtype and at least two axes.",
)


def unstack(input_x: Tensor, axis: int = 0) -> tuple[Tensor, ...]:
    """Take a tensor apart along an axis, which disappears.

    Args:
        input_x: one axis or more; any dtype.
        axis: in [-input_x.ndim, input_x.ndim).

    Returns:
        A tuple of Tensors without this axis, as many as it is long.

    Follows: mindspore.ops.unstack (2.10).
    """
    return split_into_parts(torch.unbind, "unstack", input_x, axis)


unbind = define(
    split_into_parts, torch.unbind, "Take a tensor apart along an axis, as `unstack`.", "input dim", like=unstack
)


def split(
    tensor: Tensor | None = None,
    split_size_or_sections: Sections | None = None,
    axis: int = 0,
    *,
    output_num: int | None = None,
    input_x: Tensor | None = None,
) -> tuple[Tensor, ...]:
    """Split along an axis into views.

    Args:
        tensor: the Tensor.
        split_size_or_sections: the length of the parts (the last may be shorter), or the lengths of all parts.
        axis: along which.
        output_num: in place of a length, the number of equal parts; what follows the Tensor is then the axis.
        input_x: the Tensor in the words of r1.x.

    Returns:
        A tuple of views of the dtype of `tensor`.

    Raises:
        TypeError: `split_size_or_sections` is neither int nor a sequence of ints.
        ValueError: lengths that are not positive, or do not sum up to the axis.

    Follows: mindspore.ops.split (2.10), and of 1.10 for `output_num` and `input_x`.
    """
    if tensor is None:
        tensor = input_x
    if output_num is not None:
        along = axis if split_size_or_sections is None else split_size_or_sections
        return split_into_parts(split_evenly, "split", tensor, along, output_num)
    return split_into_parts(_split, "split", tensor, split_size_or_sections, axis)


def chunk(input: Tensor, chunks: int, axis: int = 0) -> tuple[Tensor, ...]:
    """Split along an axis into at most `chunks` parts of one length; the last may be shorter.

    Args:
        input: one axis or more; any dtype.
        chunks: above 0.
        axis: in [-input.ndim, input.ndim).

    Returns:
        A tuple of Tensors, views of `input`.

    Follows: mindspore.ops.chunk (2.10).
    """
    return split_into_parts(_chunks, "chunk", input, chunks, axis)


def tensor_split(input: Tensor, indices_or_sections: Sections, axis: int = 0) -> tuple[Tensor, ...]:
    """Split along an axis into n parts whose lengths differ by at most one, or before each of the indices.

    Args:
        input: one axis or more; any dtype.
        indices_or_sections: n, or the indices before which it is split.
        axis: in [-input.ndim, input.ndim).

    Returns:
        A tuple of Tensors, views of `input`.

    Follows: mindspore.ops.tensor_split (2.10).
    """
    return split_into_parts(torch.tensor_split, "tensor_split", input, indices_or_sections, axis)


def hsplit(input: Tensor, indices_or_sections: Sections) -> tuple[Tensor, ...]:
    """Split along the second axis, or the first of a vector.

    Args:
        input: one axis or more; any dtype.
        indices_or_sections: a number of parts, or the indices before which it is split.

    Returns:
        A tuple of Tensors, views of `input`.

    Follows: mindspore.ops.hsplit (2.10).
    """
    return tensor_split(input, indices_or_sections, 0 if getattr(input, "ndim", 0) == 1 else 1)


def vsplit(input: Tensor, indices_or_sections: Sections) -> tuple[Tensor, ...]:
    """Split along the first axis.

    Args:
        input: two axes or more; any dtype.
        indices_or_sections: a number of parts, or the indices before which it is split.

    Returns:
        A tuple of Tensors, views of `input`.

    Follows: mindspore.ops.vsplit (2.10).
    """
    return tensor_split(input, indices_or_sections, 0)


def dsplit(input: Tensor, indices_or_sections: Sections) -> tuple[Tensor, ...]:
    """Split along the third axis.

    Args:
        input: three axes or more; any dtype.
        indices_or_sections: a number of parts, or the indices before which it is split.

    Returns:
        A tuple of Tensors, views of `input`.

    Follows: mindspore.ops.dsplit (2.10).
    """
    return tensor_split(input, indices_or_sections, 2)


def tile(input: Tensor, dims: Sequence[int] | Tensor) -> Tensor:
    """Repeat the whole tensor `dims[i]` times along axis i; missing axes and factors are in front.

    Args:
        input: any shape and dtype.
        dims: a factor for each axis.

    Returns:
        A Tensor of the dtype of `input`.

    Raises:
        ValueError: a factor is negative.

    Examples:
        >>> ops.tile(Tensor([1, 2]), (2,)), ops.Tile()(Tensor([1, 2]), (2, 1)).shape
        (Tensor(shape=[4], dtype=Int64, value= [1, 2, 1, 2]), (2, 2))

    Follows: mindspore.ops.tile (2.10).
    """
    return rearrange(_tile, "tile", input, dims)


def repeat_elements(x: Tensor, rep: int, axis: int = 0) -> Tensor:
    """Repeat each element along an axis `rep` times.

    Args:
        x: at least one axis.
        rep: how often.
        axis: along which, in [-rank, rank).

    Returns:
        A Tensor of the dtype of `x`, `rep` times as long along the axis.

    Raises:
        ValueError: `rep` is not positive.

    Follows: mindspore.ops.repeat_elements (2.10).
    """
    return rearrange(_repeat_elements, "repeat_elements", x, axis, rep)


def repeat_interleave(input: Tensor, repeats: Sections | Tensor, axis: int | None = None) -> Tensor:
    """Repeat each element along an axis.

    Args:
        input: the Tensor.
        repeats: how often, one for all or one for each element along `axis`.
        axis: along which; None flattens first.

    Returns:
        A Tensor of the dtype of `input`; of one axis where `axis` is None.

    Follows: mindspore.ops.repeat_interleave (2.10).
    """
    return rearrange(_repeat_interleave, "repeat_interleave", input, axis, repeats)


# -- methods whose arguments differ from the function's --------------------------------------------------------------


def _split(data: torch.Tensor, sections: Any, axis: int) -> Sequence[torch.Tensor]:
    if isinstance(sections, int) and sections <= 0:
        raise ValueError(f"split_size_or_sections must be more than zero, got {sections}.")
    return torch.split(data, sections, axis)


def _tile(data: torch.Tensor, dims: Sequence[int] | Tensor) -> torch.Tensor:
    return torch.tile(data, sizes_of(dims))


def _repeat_elements(data: torch.Tensor, axis: int, rep: int) -> torch.Tensor:
    if rep < 1:
        raise ValueError(f"rep must be positive, got {rep}.")
    return torch.repeat_interleave(data, rep, axis)


def _repeat_interleave(data: torch.Tensor, axis: int | None, repeats: Any) -> torch.Tensor:
    repeats = data_of(repeats)
    if isinstance(repeats, list | tuple):
        repeats = torch.tensor(sizes_of(repeats), device=data.device)
    return torch.repeat_interleave(data, repeats, axis)


def _chunks(data: torch.Tensor, chunks: int, axis: int) -> Sequence[torch.Tensor]:
    """Split; an axis without elements is one part, where torch makes as many as are asked for."""
    found = torch.chunk(data, chunks, axis)
    return found if found[0].size(axis) else found[:1]
