"""Primitives of placing."""

from collections.abc import Sequence

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.shape.scatter_elements import functions, methods


def _add_with_axis(input_x: Tensor, indices: Tensor, updates: Tensor, axis: int = 0) -> Tensor:
    """Add single elements along an axis into a copy."""
    return functions.tensor_scatter_elements(input_x, indices, updates, axis, "add")


def _index_put(x1: Tensor, x2: Tensor, indices: Sequence[Tensor], accumulate: int = 0) -> Tensor:
    """Write values at places into a copy."""
    return methods.index_put(x1, indices, x2, bool(accumulate))


def _inplace_update(x: Tensor, indices: int | Sequence[int] | Tensor, v: Tensor) -> Tensor:
    """Return a copy with other rows."""
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
