"""Computations that the faces of sorting share."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.ops.kernel_calls.data_movement import data_of, index_of, rearrange, split_into_parts


def list_diff(x: Tensor, y: Tensor, out_idx: Type = mstype.int32) -> tuple[Tensor, ...]:
    """Return the elements of `x` that are not in `y`, and their places.

    Args:
        x: one axis.
        y: one axis.
        out_idx: dtype of the places, Int32 or Int64.

    Returns:
        (elements, places), of one axis: of the dtype of `x`, and of `out_idx`.

    Follows: mindspore.ops.ListDiff (2.10).
    """
    return split_into_parts(_list_diff, "ListDiff", x, data_of(y), mstype.dtype_to_torch(out_idx))


def nth_element(input: Tensor, n: int | Tensor, reverse: bool = False) -> Tensor:
    """Return the element that is at `n` when the last axis is sorted.

    Args:
        input: shape (..., m); integers or floats.
        n: which one, from 0 on.
        reverse: count from the largest.

    Returns:
        A Tensor of the dtype of `input`, without the last axis.

    Follows: mindspore.ops.NthElement (2.10).
    """
    return rearrange(_nth_element, "NthElement", input, n, reverse)


def _list_diff(data: torch.Tensor, others: torch.Tensor, dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    places = torch.isin(data, others, invert=True).nonzero().flatten()
    return data[places], places.to(dtype)


def _nth_element(data: torch.Tensor, n: int | Tensor, reverse: bool) -> torch.Tensor:
    return torch.sort(data, dim=-1, descending=reverse)[0].select(-1, index_of(n))
