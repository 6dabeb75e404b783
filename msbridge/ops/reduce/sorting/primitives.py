"""Primitives of sorting."""

from collections.abc import Sequence

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.sorting import functions
from msbridge.ops.reduce.sorting.kernels import list_diff, nth_element


def _search(
    sorted_sequence: Tensor,
    values: Tensor,
    sorter: Tensor | None = None,
    dtype: Type = mstype.int64,
    right: bool = False,
) -> Tensor:
    """Return the indices at which to insert values.

    Args:
        sorted_sequence: sorted along the last axis, unless there is a `sorter`.
        values: what is inserted; of the same leading axes, unless `sorted_sequence` has one axis.
        sorter: the places that sort `sorted_sequence`; Int64.
        dtype: that of the result, Int32 or Int64.
        right: behind equal elements.

    Returns:
        A Tensor of the shape of `values`, of dtype `dtype`.
    """
    is_int32 = dtype == mstype.int32
    return functions.searchsorted(sorted_sequence, values, out_int32=is_int32, right=right, sorter=sorter)


def _bucketize(input: Tensor, boundaries: Sequence[float]) -> Tensor:
    """Return the number of the bucket that each element falls in; one equal to a boundary is in the bucket behind it.

    Args:
        input: the Tensor.
        boundaries: sorted numbers.

    Returns:
        A Tensor of the shape of `input`; Int32.
    """
    return functions.bucketize(input, boundaries, right=True)


def _lower_bound(sorted_x: Tensor, values: Tensor, out_type: Type = mstype.int32) -> Tensor:
    """Return the indices at which to insert values, before equal ones.

    Args:
        sorted_x: sorted along its last axis.
        values: what is inserted; of the same leading axes.
        out_type: Int32 or Int64.

    Returns:
        A Tensor of the shape of `values`, of dtype `out_type`.
    """
    return _search(sorted_sequence=sorted_x, values=values, dtype=out_type)


def _upper_bound(sorted_x: Tensor, values: Tensor, out_type: Type = mstype.int32) -> Tensor:
    """Return the indices at which to insert values, behind equal ones.

    Args:
        sorted_x: sorted along its last axis.
        values: what is inserted; of the same leading axes.
        out_type: Int32 or Int64.

    Returns:
        A Tensor of the shape of `values`, of dtype `out_type`.
    """
    return _search(sorted_sequence=sorted_x, values=values, dtype=out_type, right=True)


def _top_k(x: Tensor, k: int | Tensor, sorted: bool = True) -> tuple[Tensor, ...]:
    """Return the k largest elements along the last axis.

    Args:
        x: shape (..., n); integers or floats.
        k: how many, at most n.
        sorted: the largest first; else in any order.

    Returns:
        (values, indices), of shape (..., k): of the dtype of `x`, and Int32.
    """
    return functions.topk(x, k, sorted=sorted)


def _unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Drop elements that equal their predecessor; a 0-d Tensor represents what was not asked for.

    Args:
        input: any shape of numbers.
        return_inverse: return the place of each element among the results.
        return_counts: return how many equal elements there were.
        dim: compare slices along this axis; None flattens.

    Returns:
        (elements, inverse, counts): of the dtype of `input`, and Int64.
    """
    values, inverse, counts = functions.unique_consecutive(input, True, True, dim)
    missing = wrap(torch.zeros((), dtype=torch.int64, device=input._data.device))
    return values, inverse if return_inverse else missing, counts if return_counts else missing


DERIVED = (
    derive("Bucketize", _bucketize, "boundaries"),
    derive("InTopK", functions.intopk, "k"),
    derive("ListDiff", list_diff, "out_idx"),
    derive("LowerBound", _lower_bound, "out_type"),
    derive("NthElement", nth_element, "reverse"),
    derive("SearchSorted", _search, "dtype right"),
    derive("Sort", functions.sort, "axis descending"),
    derive("TopK", _top_k, "sorted"),
    derive("Unique", functions.unique),
    derive("UniqueConsecutive", _unique_consecutive, "return_inverse return_counts dim"),
    derive("UniqueWithPad", functions.unique_with_pad),
    derive("UpperBound", _upper_bound, "out_type"),
)
