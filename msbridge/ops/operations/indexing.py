"""Primitives that read parts of a tensor, choose, or order elements."""

import torch

from msbridge.core import dtype as mstype
from msbridge.core.dtype import Type
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops import indexing, sorting
from msbridge.ops.primitive import REQUIRED, derive


def _search(
    sorted_sequence: Tensor,
    values: Tensor,
    sorter: Tensor | None = None,
    dtype: Type = mstype.int64,
    right: bool = False,
) -> Tensor:
    """Give where to insert values."""
    is_int32 = dtype == mstype.int32
    return sorting.searchsorted(sorted_sequence, values, out_int32=is_int32, right=right, sorter=sorter)


def _lower_bound(sorted_x: Tensor, values: Tensor, out_type: Type = mstype.int32) -> Tensor:
    """Give where to insert values, before equal ones."""
    return _search(sorted_sequence=sorted_x, values=values, dtype=out_type)


def _upper_bound(sorted_x: Tensor, values: Tensor, out_type: Type = mstype.int32) -> Tensor:
    """Give where to insert values, behind equal ones."""
    return _search(sorted_sequence=sorted_x, values=values, dtype=out_type, right=True)


def _top_k(x: Tensor, k: int | Tensor, sorted: bool = True) -> tuple[Tensor, ...]:
    """Give the k largest elements along the last axis."""
    return sorting.topk(x, k, sorted=sorted)


def _unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Drop elements that equal their predecessor; a 0-d Tensor stands for what was not asked for."""
    values, inverse, counts = sorting.unique_consecutive(input, True, True, dim)
    missing = wrap(torch.zeros((), dtype=torch.int64, device=input._data.device))
    return values, inverse if return_inverse else missing, counts if return_counts else missing


Bucketize = derive("Bucketize", sorting.bucketize, {"boundaries": REQUIRED})
Gather = derive("Gather", indexing.gather, {"batch_dims": 0})
GatherD = derive("GatherD", indexing.gather_d)
GatherNd = derive("GatherNd", indexing.gather_nd)
GatherV2 = derive("GatherV2", indexing.gather)
InTopK = derive("InTopK", sorting.intopk, {"k": REQUIRED})
ListDiff = derive("ListDiff", sorting.list_diff, {"out_idx": mstype.int32})
LowerBound = derive("LowerBound", _lower_bound, {"out_type": mstype.int32})
MaskedFill = derive("MaskedFill", indexing.masked_fill)
MaskedSelect = derive("MaskedSelect", indexing.masked_select)
NthElement = derive("NthElement", sorting.nth_element, {"reverse": False})
NonZero = derive("NonZero", indexing.nonzero)
OneHot = derive("OneHot", indexing.one_hot, {"axis": -1})
SearchSorted = derive("SearchSorted", _search, {"dtype": mstype.int64, "right": False})
Select = derive("Select", indexing.select)
Slice = derive("Slice", indexing.slice)
Sort = derive("Sort", sorting.sort, {"axis": -1, "descending": False})
SparseGatherV2 = derive("SparseGatherV2", indexing.gather)
StridedSlice = derive(
    "StridedSlice",
    indexing.strided_slice,
    {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0},
)
TopK = derive("TopK", _top_k, {"sorted": True})
Unique = derive("Unique", sorting.unique)
UniqueConsecutive = derive(
    "UniqueConsecutive", _unique_consecutive, {"return_inverse": False, "return_counts": False, "dim": None}
)
UniqueWithPad = derive("UniqueWithPad", sorting.unique_with_pad)
UnravelIndex = derive("UnravelIndex", indexing.unravel_index)
UpperBound = derive("UpperBound", _upper_bound, {"out_type": mstype.int32})

__all__ = [
    "Bucketize",
    "Gather",
    "GatherD",
    "GatherNd",
    "GatherV2",
    "InTopK",
    "ListDiff",
    "LowerBound",
    "MaskedFill",
    "MaskedSelect",
    "NonZero",
    "NthElement",
    "OneHot",
    "SearchSorted",
    "Select",
    "Slice",
    "Sort",
    "SparseGatherV2",
    "StridedSlice",
    "TopK",
    "Unique",
    "UniqueConsecutive",
    "UniqueWithPad",
    "UnravelIndex",
    "UpperBound",
]
