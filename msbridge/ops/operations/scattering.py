"""Primitives that write to rows or slices: in place, or into a copy."""

from collections.abc import Callable, Sequence

from msbridge.core.tensor import Tensor
from msbridge.ops import placing, scattering, segments
from msbridge.ops.primitive import REQUIRED, Derived, derive


def _with_lock(name: str, function: Callable[[Tensor, Tensor, Tensor], Tensor], use_locking: bool) -> type[Derived]:
    """Make a primitive with the attribute `use_locking`, which changes nothing: no update is ever lost here."""

    def scatter(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
        return function(input_x, indices, updates)

    scatter.__name__, scatter.__module__, scatter.__doc__ = function.__name__, function.__module__, function.__doc__
    return derive(name, scatter, {"use_locking": use_locking})


def _add_with_axis(input_x: Tensor, indices: Tensor, updates: Tensor, axis: int = 0) -> Tensor:
    """Add single elements along an axis into a copy."""
    return placing.tensor_scatter_elements(input_x, indices, updates, axis, "add")


def _index_put(x1: Tensor, x2: Tensor, indices: Sequence[Tensor], accumulate: int = 0) -> Tensor:
    """Write values at places into a copy."""
    return placing.index_put_method(x1, indices, x2, bool(accumulate))


def _inplace_update(x: Tensor, indices: int | Sequence[int] | Tensor, v: Tensor) -> Tensor:
    """Give a copy with other rows."""
    return placing.inplace_update(x, v, indices)


IndexAdd = derive("IndexAdd", placing.index_add, {"axis": REQUIRED, "use_lock": True, "check_index_bound": True})
IndexFill = derive("IndexFill", placing.index_fill)
IndexPut = derive("IndexPut", _index_put, {"accumulate": 0})
InplaceAdd = derive("InplaceAdd", placing.inplace_add, {"indices": REQUIRED})
InplaceIndexAdd = derive("InplaceIndexAdd", placing.inplace_index_add, {"axis": REQUIRED})
InplaceSub = derive("InplaceSub", placing.inplace_sub, {"indices": REQUIRED})
InplaceUpdate = derive("InplaceUpdate", placing.inplace_update, {"indices": REQUIRED})
InplaceUpdateV2 = derive("InplaceUpdateV2", _inplace_update)
MaskedScatter = derive("MaskedScatter", placing.masked_scatter_method)
ScatterAdd = _with_lock("ScatterAdd", scattering.scatter_add, False)
ScatterAddWithAxis = derive("ScatterAddWithAxis", _add_with_axis, {"axis": 0})
ScatterDiv = _with_lock("ScatterDiv", scattering.scatter_div, False)
ScatterMax = _with_lock("ScatterMax", scattering.scatter_max, False)
ScatterMin = _with_lock("ScatterMin", scattering.scatter_min, False)
ScatterMul = _with_lock("ScatterMul", scattering.scatter_mul, False)
ScatterNd = derive("ScatterNd", scattering.scatter_nd)
ScatterNdAdd = derive("ScatterNdAdd", scattering.scatter_nd_add, {"use_locking": False})
ScatterNdDiv = derive("ScatterNdDiv", scattering.scatter_nd_div, {"use_locking": False})
ScatterNdMax = derive("ScatterNdMax", scattering.scatter_nd_max, {"use_locking": False})
ScatterNdMin = derive("ScatterNdMin", scattering.scatter_nd_min, {"use_locking": False})
ScatterNdMul = derive("ScatterNdMul", scattering.scatter_nd_mul, {"use_locking": False})
ScatterNdSub = derive("ScatterNdSub", scattering.scatter_nd_sub, {"use_locking": False})
ScatterNdUpdate = derive("ScatterNdUpdate", scattering.scatter_nd_update, {"use_locking": True})
ScatterNonAliasingAdd = derive("ScatterNonAliasingAdd", scattering.scatter_nd_add)
ScatterSub = _with_lock("ScatterSub", scattering.scatter_sub, False)
ScatterUpdate = _with_lock("ScatterUpdate", scattering.scatter_update, True)
SegmentMax = derive("SegmentMax", segments.segment_max)
SegmentMean = derive("SegmentMean", segments.segment_mean)
SegmentMin = derive("SegmentMin", segments.segment_min)
SegmentProd = derive("SegmentProd", segments.segment_prod)
SegmentSum = derive("SegmentSum", segments.segment_sum)
SparseToDense = derive("SparseToDense", scattering.sparse_to_dense)
TensorScatterAdd = derive("TensorScatterAdd", scattering.tensor_scatter_add)
TensorScatterDiv = derive("TensorScatterDiv", scattering.tensor_scatter_div)
TensorScatterElements = derive(
    "TensorScatterElements", placing.tensor_scatter_elements, {"axis": 0, "reduction": "none"}
)
TensorScatterMax = derive("TensorScatterMax", scattering.tensor_scatter_max)
TensorScatterMin = derive("TensorScatterMin", scattering.tensor_scatter_min)
TensorScatterMul = derive("TensorScatterMul", scattering.tensor_scatter_mul)
TensorScatterSub = derive("TensorScatterSub", scattering.tensor_scatter_sub)
TensorScatterUpdate = derive("TensorScatterUpdate", scattering.tensor_scatter_update)
UnsortedSegmentMax = derive("UnsortedSegmentMax", placing.unsorted_segment_max)
UnsortedSegmentMin = derive("UnsortedSegmentMin", placing.unsorted_segment_min)
UnsortedSegmentProd = derive("UnsortedSegmentProd", placing.unsorted_segment_prod)
UnsortedSegmentSum = derive("UnsortedSegmentSum", placing.unsorted_segment_sum)

__all__ = [
    "IndexAdd",
    "IndexFill",
    "IndexPut",
    "InplaceAdd",
    "InplaceIndexAdd",
    "InplaceSub",
    "InplaceUpdate",
    "InplaceUpdateV2",
    "MaskedScatter",
    "ScatterAdd",
    "ScatterAddWithAxis",
    "ScatterDiv",
    "ScatterMax",
    "ScatterMin",
    "ScatterMul",
    "ScatterNd",
    "ScatterNdAdd",
    "ScatterNdDiv",
    "ScatterNdMax",
    "ScatterNdMin",
    "ScatterNdMul",
    "ScatterNdSub",
    "ScatterNdUpdate",
    "ScatterNonAliasingAdd",
    "ScatterSub",
    "ScatterUpdate",
    "SegmentMax",
    "SegmentMean",
    "SegmentMin",
    "SegmentProd",
    "SegmentSum",
    "SparseToDense",
    "TensorScatterAdd",
    "TensorScatterDiv",
    "TensorScatterElements",
    "TensorScatterMax",
    "TensorScatterMin",
    "TensorScatterMul",
    "TensorScatterSub",
    "TensorScatterUpdate",
    "UnsortedSegmentMax",
    "UnsortedSegmentMin",
    "UnsortedSegmentProd",
    "UnsortedSegmentSum",
]
