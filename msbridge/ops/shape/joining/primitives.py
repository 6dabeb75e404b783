"""Primitives of joining."""

from collections.abc import Sequence

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import split_into_parts
from msbridge.ops.primitive.primitive import REQUIRED, derive
from msbridge.ops.shape.joining import functions
from msbridge.ops.shape.joining.kernels import split_evenly


def _unstack(input_x: Tensor, axis: int = 0, num: int | None = None) -> tuple[Tensor, ...]:
    """Take a tensor apart along an axis.

    Args:
        input_x: at least one axis.
        axis: along which, in [-rank, rank).
        num: the length of the axis; None does not check.

    Returns:
        A tuple of views of the dtype of `input_x`, without the axis.

    Raises:
        ValueError: the axis is not of length `num`.
    """
    result = functions.unstack(input_x, axis)
    if num is not None and num != len(result):
        raise ValueError(f"For 'Unstack', num must be the length of axis {axis}, {len(result)}, got {num}.")
    return result


def _split(input_x: Tensor, axis: int = 0, output_num: int = 1) -> tuple[Tensor, ...]:
    """Split into equal parts.

    Args:
        input_x: at least one axis.
        axis: along which, in [-rank, rank).
        output_num: how many parts; it divides the length of the axis.

    Returns:
        A tuple of `output_num` views of the dtype of `input_x`.

    Examples:
        >>> ops.Split(axis=1, output_num=2)(Tensor([[1, 2, 3, 4]]))
        (Tensor(shape=[1, 2], dtype=Int64, value=
        [[1, 2]]), Tensor(shape=[1, 2], dtype=Int64, value=
        [[3, 4]]))
    """
    return split_into_parts(split_evenly, "Split", input_x, axis, output_num)


def _split_by_sizes(
    input_x: Tensor, size_splits: Sequence[int], split_dim: int, num_split: int | None = None
) -> tuple[Tensor, ...]:
    """Split into parts of given lengths; a length -1 takes what is left.

    Args:
        input_x: at least one axis.
        size_splits: the length of each part.
        split_dim: along which axis, in [-rank, rank).
        num_split: how many parts there are.

    Returns:
        A tuple of views of the dtype of `input_x`.
    """
    sizes = list(size_splits)
    if -1 in sizes:
        sizes[sizes.index(-1)] = input_x.shape[split_dim] - sum(sizes) - 1
    return functions.split(input_x, sizes, split_dim)


DERIVED = (
    derive("Concat", functions.concat, "axis"),
    derive("Pack", functions.stack, "axis"),
    derive("ParallelConcat", functions.concat),
    derive("Split", _split, "axis output_num"),
    derive("SplitV", _split_by_sizes, "size_splits split_dim num_split", num_split=REQUIRED),
    derive("Stack", functions.stack, "axis"),
    derive("Tile", functions.tile),
    derive("Unpack", _unstack, "axis"),
    derive("Unstack", _unstack, "axis num"),
)
