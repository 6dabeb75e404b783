"""Primitives that write to rows or slices: in place, or into a copy."""

from collections.abc import Callable, Sequence

from msbridge.core.tensor import Tensor
from msbridge.ops.placing import functions as placing
from msbridge.ops.placing import methods as placing_methods
from msbridge.ops.primitive import Derived, derive
from msbridge.ops.scattering import functions
from msbridge.ops.segments import functions as segments


def _with_lock(name: str, function: Callable[[Tensor, Tensor, Tensor], Tensor], use_locking: bool) -> type[Derived]:
    """Make a primitive with the attribute `use_locking`, which changes nothing: no update is ever lost here."""

    def scatter(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
        return function(input_x, indices, updates)

    scatter.__name__, scatter.__module__, scatter.__doc__ = function.__name__, function.__module__, function.__doc__
    return derive(name, scatter, "use_locking", use_locking=use_locking)


def _add_with_axis(input_x: Tensor, indices: Tensor, updates: Tensor, axis: int = 0) -> Tensor:
    """Add single elements along an axis into a copy."""
    return placing.tensor_scatter_elements(input_x, indices, updates, axis, "add")


def _index_put(x1: Tensor, x2: Tensor, indices: Sequence[Tensor], accumulate: int = 0) -> Tensor:
    """Write values at places into a copy."""
    return placing_methods.index_put(x1, indices, x2, bool(accumulate))


def _inplace_update(x: Tensor, indices: int | Sequence[int] | Tensor, v: Tensor) -> Tensor:
    """Give a copy with other rows."""
    return placing.inplace_update(x, v, indices)


DERIVED = (
    derive("IndexAdd", placing.index_add, "axis use_lock check_index_bound"),
    derive("IndexFill", placing.index_fill),
    derive("IndexPut", _index_put, "accumulate"),
    derive("InplaceAdd", placing.inplace_add, "indices"),
    derive("InplaceIndexAdd", placing.inplace_index_add, "axis"),
    derive("InplaceSub", placing.inplace_sub, "indices"),
    derive("InplaceUpdate", placing.inplace_update, "indices"),
    derive("InplaceUpdateV2", _inplace_update),
    derive("MaskedScatter", placing_methods.masked_scatter),
    _with_lock("ScatterAdd", functions.scatter_add, False),
    _with_lock("ScatterDiv", functions.scatter_div, False),
    _with_lock("ScatterMax", functions.scatter_max, False),
    _with_lock("ScatterMin", functions.scatter_min, False),
    _with_lock("ScatterMul", functions.scatter_mul, False),
    _with_lock("ScatterSub", functions.scatter_sub, False),
    _with_lock("ScatterUpdate", functions.scatter_update, True),
    derive("ScatterAddWithAxis", _add_with_axis, "axis"),
    derive("ScatterNd", functions.scatter_nd),
    derive("ScatterNdAdd", functions.scatter_nd_add, "use_locking"),
    derive("ScatterNdDiv", functions.scatter_nd_div, "use_locking"),
    derive("ScatterNdMax", functions.scatter_nd_max, "use_locking"),
    derive("ScatterNdMin", functions.scatter_nd_min, "use_locking"),
    derive("ScatterNdMul", functions.scatter_nd_mul, "use_locking"),
    derive("ScatterNdSub", functions.scatter_nd_sub, "use_locking"),
    derive("ScatterNdUpdate", functions.scatter_nd_update, "use_locking"),
    derive("ScatterNonAliasingAdd", functions.scatter_nd_add),
    derive("SegmentMax", segments.segment_max),
    derive("SegmentMean", segments.segment_mean),
    derive("SegmentMin", segments.segment_min),
    derive("SegmentProd", segments.segment_prod),
    derive("SegmentSum", segments.segment_sum),
    derive("SparseToDense", functions.sparse_to_dense),
    derive("TensorScatterAdd", functions.tensor_scatter_add),
    derive("TensorScatterDiv", functions.tensor_scatter_div),
    derive("TensorScatterElements", placing.tensor_scatter_elements, "axis reduction"),
    derive("TensorScatterMax", functions.tensor_scatter_max),
    derive("TensorScatterMin", functions.tensor_scatter_min),
    derive("TensorScatterMul", functions.tensor_scatter_mul),
    derive("TensorScatterSub", functions.tensor_scatter_sub),
    derive("TensorScatterUpdate", functions.tensor_scatter_update),
    derive("UnsortedSegmentMax", placing.unsorted_segment_max),
    derive("UnsortedSegmentMin", placing.unsorted_segment_min),
    derive("UnsortedSegmentProd", placing.unsorted_segment_prod),
    derive("UnsortedSegmentSum", placing.unsorted_segment_sum),
)
