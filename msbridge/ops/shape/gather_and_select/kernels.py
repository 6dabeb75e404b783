"""Computations that the faces of indexing share."""

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.data_movement import rearrange
from msbridge.ops.kernel_calls.families import plain_shape


def unravel_index(indices: Tensor, dims: Tensor) -> Tensor:
    """Turn places in a flattened array into places along its axes.

    Args:
        indices: 0-d, or one axis of n.
        dims: the shape of the array.

    Returns:
        shape (len(dims),) or (len(dims), n).

    Follows: mindspore.ops.UnravelIndex (2.10).
    """
    return rearrange(_unravel_index, "UnravelIndex", indices, dims)


def _unravel_index(indices: torch.Tensor, dims: Tensor) -> torch.Tensor:
    places = []
    for size in reversed(plain_shape(dims)):
        places.append(indices % size)
        indices = torch.div(indices, size, rounding_mode="floor")
    return torch.stack(places[::-1])
