"""Primitives that give the elements another shape, order or place."""

from collections.abc import Sequence

from msbridge.core.tensor import Tensor
from msbridge.ops.elementwise import functions as elementwise
from msbridge.ops.joining import functions as joining
from msbridge.ops.moving import parts
from msbridge.ops.primitive import REQUIRED, derive
from msbridge.ops.reshaping import functions


def _flatten(input_x: Tensor) -> Tensor:
    """Join all axes but the first."""
    return functions.flatten(input_x)


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
    return elementwise.conj(functions.transpose(x, perm))


DERIVED = (
    derive("BroadcastTo", functions.broadcast_to, "shape"),
    derive("Concat", joining.concat, "axis"),
    derive("ConjugateTranspose", _conjugate_transpose),
    derive("Expand", functions.expand),
    derive("ExpandDims", functions.expand_dims),
    derive("Flatten", _flatten),
    derive("Pack", joining.stack, "axis"),
    derive("ParallelConcat", joining.concat),
    derive("Reshape", functions.reshape),
    derive("ReverseV2", functions.reverse, "axis"),
    derive("Roll", functions.roll, "shifts dims"),
    derive("Split", _split, "axis output_num"),
    derive("SplitV", _split_by_sizes, "size_splits split_dim num_split", num_split=REQUIRED),
    derive("Squeeze", functions.squeeze, "axis", axis=()),
    derive("Stack", joining.stack, "axis"),
    derive("TensorToTuple", _tensor_to_tuple),
    derive("Tile", joining.tile),
    derive("Transpose", functions.transpose),
    derive("TransposeView", functions.transpose),
    derive("Unpack", _unstack, "axis"),
    derive("Unstack", _unstack, "axis num"),
)
