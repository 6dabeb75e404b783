"""Methods of Tensor: the functions themselves where the arguments are the same."""

from collections.abc import Sequence

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.faces import face, same
from msbridge.ops.kernel_calls.data_movement import rearrange, sizes_of, split_into_parts
from msbridge.ops.shape.diagonals import functions as diagonals
from msbridge.ops.shape.joining import functions as joining
from msbridge.ops.shape.joining import kernels as joining_kernels
from msbridge.ops.shape.joining.functions import Sections, _repeat_interleave, _split, _tile
from msbridge.ops.shape.pixel_blocks import functions as pixel_blocks
from msbridge.ops.shape.scatter_rows import functions as scatter_rows


def split(
    self: Tensor,
    split_size_or_sections: Sections | None = None,
    axis: int = 0,
    *,
    split_size: Sections | None = None,
    dim: int | None = None,
    output_num: int | None = None,
) -> tuple[Tensor, ...]:
    """Split along `axis` (or `dim`): into parts of a length, or of given lengths; `split_size` is their other name.

    `output_num` is the number of equal parts instead, as releases before 2.0 had it.

    Args:
        self: at least one axis.
        split_size_or_sections: the length of the parts (the last may be shorter), or the lengths of all parts.
        axis: along which, in [-rank, rank).
        split_size: another name of `split_size_or_sections`.
        dim: another name of `axis`.
        output_num: the number of equal parts.

    Returns:
        A tuple of views of the same dtype.

    Examples:
        >>> [part.shape for part in ops.zeros((5, 2)).split(2)]
        [(2, 2), (2, 2), (1, 2)]

    Follows: mindspore.Tensor.split (2.10; 1.9 for `output_num`).
    """
    sections = split_size_or_sections if split_size is None else split_size
    if sections is None:
        return split_into_parts(joining_kernels.split_evenly, "split", self, axis, output_num or 1)
    return split_into_parts(_split, "split", self, sections, axis if dim is None else dim)


def chunk(self: Tensor, chunks: int, axis: int = 0, *, dim: int | None = None) -> tuple[Tensor, ...]:
    """Split into `chunks` parts along `axis` (or `dim`), of which the last may be shorter.

    Args:
        self: at least one axis.
        chunks: how many parts, at most.
        axis: along which, in [-rank, rank).
        dim: another name of `axis`.

    Returns:
        A tuple of views of the same dtype.

    Follows: mindspore.Tensor.chunk (2.10).
    """
    return joining.chunk(self, chunks, axis if dim is None else dim)


def tile(
    self: Tensor,
    *factors: int | Sequence[int],
    dims: Sequence[int] | Tensor | None = None,
    reps: Sequence[int] | None = None,
) -> Tensor:
    """Repeat the whole tensor: `tile(2, 1)`, `tile((2, 1))` or `tile(dims=(2, 1))`; `reps` is another name of `dims`.

    Args:
        self: any shape and dtype.
        factors: one for each axis, from the last on: ints, or one sequence of them.
        dims: the same as one sequence.
        reps: another name of `dims`.

    Returns:
        A Tensor of the same dtype, each axis as many times as long.

    Raises:
        TypeError: the factors are missing, or given twice.

    Follows: mindspore.Tensor.tile (2.10).
    """
    named = reps if dims is None else dims
    if not factors:
        return rearrange(_tile, "tile", self, named)
    if named is not None:
        raise TypeError(f"For 'tile', the factors are given twice: {factors} and {named}.")
    return rearrange(_tile, "tile", self, factors if len(factors) != 1 else factors[0])


def repeat(self: Tensor, *repeats: int | Sequence[int], axis: int | None = None) -> Tensor:
    """Repeat the whole tensor along its axes, with one factor each; with `axis`, each element.

    Args:
        self: any shape and dtype.
        repeats: one for each axis, ints or one sequence of them; with `axis`, how often each element.
        axis: along which elements are repeated.

    Returns:
        A Tensor of the same dtype.

    Follows: mindspore.Tensor.repeat (2.10; 2.5 for `axis`).
    """
    if axis is None:
        return rearrange(_repeat, "repeat", self, repeats if len(repeats) != 1 else repeats[0])
    return rearrange(_repeat_interleave, "repeat", self, axis, repeats[0])


def repeat_interleave(
    self: Tensor,
    repeats: Sections | Tensor,
    axis: int | None = None,
    dim: int | None = None,
    *,
    output_size: int | None = None,
) -> Tensor:
    """Repeat each element along `axis` (or `dim`); None flattens first. `output_size` is the length that results.

    Args:
        self: any shape and dtype.
        repeats: how often, one for all or one for each element along the axis.
        axis: along which, in [-rank, rank); None flattens.
        dim: another name of `axis`.
        output_size: the length along the axis, which is checked.

    Returns:
        A Tensor of the same dtype.

    Follows: mindspore.Tensor.repeat_interleave (2.10).
    """
    axis = axis if dim is None else dim
    result = joining.repeat_interleave(self, repeats, axis)
    length = result.shape[axis or 0]
    if output_size not in (None, length):
        raise ValueError(f"For 'repeat_interleave', the result has length {length}, not output_size={output_size}.")
    return result


def _repeat(data: torch.Tensor, factors: Sequence[int]) -> torch.Tensor:
    return data.repeat(sizes_of(factors))


FACES = (
    face("diagonal", diagonals.diagonal, "self offset axis1 axis2"),
    face("reverse_sequence", pixel_blocks.reverse_sequence, "self seq_lengths seq_dim batch_dim", seq_dim=0),
)
SAME = (
    same(joining, "dsplit hsplit tensor_split unbind vsplit")
    | same(pixel_blocks, "col2im fold unfold")
    | {
        "scatter_div": scatter_rows.tensor_scatter_div,
        "scatter_max": scatter_rows.tensor_scatter_max,
        "scatter_min": scatter_rows.tensor_scatter_min,
        "scatter_mul": scatter_rows.tensor_scatter_mul,
        "scatter_sub": scatter_rows.tensor_scatter_sub,
    }
)
