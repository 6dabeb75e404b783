"""Primitives that give the elements another shape, order or place."""

from collections.abc import Sequence

from msbridge.core.tensor import Tensor
from msbridge.ops import elementwise, joining, reshaping
from msbridge.ops._layout import parts
from msbridge.ops.primitive import REQUIRED, derive


def _flatten(input_x: Tensor) -> Tensor:
    """Join all axes but the first."""
    return reshaping.flatten(input_x)


def _unstack(input_x: Tensor, axis: int = 0, num: int | None = None) -> tuple[Tensor, ...]:
    """Take a tensor apart along an axis.

    Raises:
        ValueError: the axis is not of length `num`.
    """
    result = joining.unstack(input_x, axis)
    if num is not None and num != len(result):
        raise ValueError(f"For 'Unstack', num must be the length of axis {axis}, {len(result)}, got {num}.")
    return result


def _split(input_x: Tensor, axis: int = 0, output_num: int = 1) -> tuple[Tensor, ...]:
    """Split into equal parts."""
    return parts(joining.split_evenly, "Split", input_x, axis, output_num)


def _split_by_sizes(
    input_x: Tensor, size_splits: Sequence[int], split_dim: int, num_split: int | None = None
) -> tuple[Tensor, ...]:
    """Split into parts of given lengths; a length -1 takes what is left."""
    sizes = list(size_splits)
    if -1 in sizes:
        sizes[sizes.index(-1)] = input_x.shape[split_dim] - sum(sizes) - 1
    return joining.split(input_x, sizes, split_dim)


def _tensor_to_tuple(x: Tensor) -> tuple[int | float, ...]:
    """Give the elements of one axis as Python numbers."""
    return tuple(x.tolist())


def _conjugate_transpose(x: Tensor, perm: Sequence[int]) -> Tensor:
    """Permute the axes and conjugate."""
    return elementwise.conj(reshaping.transpose(x, perm))


BroadcastTo = derive("BroadcastTo", reshaping.broadcast_to, {"shape": REQUIRED})
Concat = derive("Concat", joining.concat, {"axis": 0})
ConjugateTranspose = derive("ConjugateTranspose", _conjugate_transpose)
Expand = derive("Expand", reshaping.expand)
ExpandDims = derive("ExpandDims", reshaping.expand_dims)
Flatten = derive("Flatten", _flatten)
Pack = derive("Pack", joining.stack, {"axis": 0})
ParallelConcat = derive("ParallelConcat", joining.concat)
Reshape = derive("Reshape", reshaping.reshape)
ReverseV2 = derive("ReverseV2", reshaping.reverse, {"axis": REQUIRED})
Roll = derive("Roll", reshaping.roll, {"shifts": REQUIRED, "dims": None})
Split = derive("Split", _split, {"axis": 0, "output_num": 1})
SplitV = derive("SplitV", _split_by_sizes, {"size_splits": REQUIRED, "split_dim": REQUIRED, "num_split": REQUIRED})
Squeeze = derive("Squeeze", reshaping.squeeze, {"axis": ()})
Stack = derive("Stack", joining.stack, {"axis": 0})
TensorToTuple = derive("TensorToTuple", _tensor_to_tuple)
Tile = derive("Tile", joining.tile)
Transpose = derive("Transpose", reshaping.transpose)
TransposeView = derive("TransposeView", reshaping.transpose)
Unpack = derive("Unpack", _unstack, {"axis": 0})
Unstack = derive("Unstack", _unstack, {"axis": 0, "num": None})

__all__ = [
    "BroadcastTo",
    "Concat",
    "ConjugateTranspose",
    "Expand",
    "ExpandDims",
    "Flatten",
    "Pack",
    "ParallelConcat",
    "Reshape",
    "ReverseV2",
    "Roll",
    "Split",
    "SplitV",
    "Squeeze",
    "Stack",
    "TensorToTuple",
    "Tile",
    "Transpose",
    "TransposeView",
    "Unpack",
    "Unstack",
]
