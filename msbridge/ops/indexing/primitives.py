"""Primitives that read parts of a tensor, choose, or order elements."""

import torch

from msbridge.core import dtype as mstype
from msbridge.core.dtype import Type
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.indexing import functions
from msbridge.ops.primitive import derive
from msbridge.ops.sorting import functions as sorting


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


DERIVED = (
    derive("Bucketize", sorting.bucketize, "boundaries"),
    derive("Gather", functions.gather, "batch_dims"),
    derive("GatherD", functions.gather_d),
    derive("GatherNd", functions.gather_nd),
    derive("GatherV2", functions.gather),
    derive("InTopK", sorting.intopk, "k"),
    derive("ListDiff", sorting.list_diff, "out_idx"),
    derive("LowerBound", _lower_bound, "out_type"),
    derive("MaskedFill", functions.masked_fill),
    derive("MaskedSelect", functions.masked_select),
    derive("NthElement", sorting.nth_element, "reverse"),
    derive("NonZero", functions.nonzero),
    derive("OneHot", functions.one_hot, "axis"),
    derive("SearchSorted", _search, "dtype right"),
    derive("Select", functions.select),
    derive("Slice", functions.slice),
    derive("Sort", sorting.sort, "axis descending"),
    derive("SparseGatherV2", functions.gather),
    derive("StridedSlice", functions.strided_slice, "begin_mask end_mask ellipsis_mask new_axis_mask shrink_axis_mask"),
    derive("TopK", _top_k, "sorted"),
    derive("Unique", sorting.unique),
    derive("UniqueConsecutive", _unique_consecutive, "return_inverse return_counts dim"),
    derive("UniqueWithPad", sorting.unique_with_pad),
    derive("UnravelIndex", functions.unravel_index),
    derive("UpperBound", _upper_bound, "out_type"),
)
