"""Primitives of placing."""

from collections.abc import Sequence

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.shape.scatter_elements import functions, methods


def _add_with_axis(input_x: Tensor, indices: Tensor, updates: Tensor, axis: int = 0) -> Tensor:
    """Add single elements along an axis into a copy.

    Args:
        input_x: any shape; it stays as it is.
        indices: places along the axis, as many axes as `input_x`; Int32 or Int64.
        updates: of the shape of `indices`.
        axis: along which axis, in [-rank, rank).

    Returns:
        A Tensor of the shape and dtype of `input_x`.
    """
    return functions.tensor_scatter_elements(input_x, indices, updates, axis, "add")


def _index_put(x1: Tensor, x2: Tensor, indices: Sequence[Tensor], accumulate: int = 0) -> Tensor:
    """Write values at places into a copy.

    Args:
        x1: any shape; it stays as it is.
        x2: what is written; broadcasts to the elements that are named.
        indices: integers that broadcast against each other, one Tensor for each leading axis.
        accumulate: 1 adds to what is there.

    Returns:
        A Tensor of the shape and dtype of `x1`.
    """
    return methods.index_put(x1, indices, x2, bool(accumulate))


def _inplace_update(x: Tensor, indices: int | Sequence[int] | Tensor, v: Tensor) -> Tensor:
    """Return a copy with other rows.

    Args:
        x: shape (n, ...); it stays as it is.
        indices: the rows, an int, a sequence or a Tensor of Int32.
        v: the new rows, (as many, ...), of the dtype of `x`.

    Returns:
        A Tensor of the shape and dtype of `x`.
    """
    return functions.inplace_update(x, v, indices)


DERIVED = (
    derive("IndexAdd", functions.index_add, "axis use_lock check_index_bound"),
    derive("IndexFill", functions.index_fill),
    derive("IndexPut", _index_put, "accumulate"),
    derive("InplaceAdd", functions.inplace_add, "indices"),
    derive("InplaceIndexAdd", functions.inplace_index_add, "axis"),
    derive("InplaceSub", functions.inplace_sub, "indices"),
    derive("InplaceUpdate", functions.inplace_update, "indices"),
    derive("InplaceUpdateV2", _inplace_update),
    derive("MaskedScatter", methods.masked_scatter),
    derive("ScatterAddWithAxis", _add_with_axis, "axis"),
    derive("TensorScatterElements", functions.tensor_scatter_elements, "axis reduction"),
)
