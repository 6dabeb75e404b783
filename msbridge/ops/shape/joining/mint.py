"""Functions of `mint` under torch's argument names."""

from collections.abc import Sequence

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.kernel_calls.data_movement import join_tensors, split_into_parts
from msbridge.ops.shape.joining import functions


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Put tensors one behind the other along an axis.

    Follows: mindspore.mint.cat (2.10).
    """
    return functions.concat(tensors, dim)


concat = cat


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Put tensors along a new axis.

    Follows: mindspore.mint.stack (2.10).
    """
    return join_tensors(torch.stack, "stack", tensors, dim)


def split(tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Split along an axis into parts of one length, or of the lengths given.

    Follows: mindspore.mint.split (2.10).
    """
    return functions.split(tensor, split_size_or_sections, dim)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Split along an axis into so many parts.

    Follows: mindspore.mint.chunk (2.10).
    """
    return split_into_parts(torch.chunk, "chunk", input, chunks, dim)


def repeat_interleave(
    input: Tensor, repeats: int | Sequence[int] | Tensor, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Repeat each element along an axis; None flattens.

    Follows: mindspore.mint.repeat_interleave (2.10).
    """
    return functions.repeat_interleave(input, repeats, dim)


SAME = same(functions, "dstack hstack tile unbind")
