"""Sorting and searching as they were: places and counts were Int32, and given in other words."""

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import int32
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.sorting import functions


def unique_consecutive(
    input: Tensor, return_idx: bool = False, return_counts: bool = False, axis: int | None = None
) -> Tensor | tuple[Tensor, ...]:
    """Drop elements that equal their predecessor; places and counts are Int32.

    Follows: mindspore.ops.unique_consecutive (2.0).
    """
    results = functions.unique_consecutive(input, return_idx, return_counts, axis)
    if isinstance(results, Tensor):
        return results
    return results[0], *(one.astype(int32) for one in results[1:])


def _unique_consecutive(
    input: Tensor, return_idx: bool = False, return_counts: bool = False, axis: int | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Drop elements that equal their predecessor; an empty Tensor represents what was not asked for.

    Follows: mindspore.ops.UniqueConsecutive (2.0).
    """
    values, *found = functions.unique_consecutive(input, True, True, axis)
    missing = wrap(torch.zeros(0, dtype=torch.int32, device=input._data.device))
    inverse, counts = (one.astype(int32) for one in found)
    return values, inverse if return_idx else missing, counts if return_counts else missing


OVERRIDES = {
    "Tensor.unique_consecutive": unique_consecutive,
    "ops.UniqueConsecutive": derive("UniqueConsecutive", _unique_consecutive, "return_idx return_counts axis"),
    "ops.unique_consecutive": unique_consecutive,
}
