"""Functions of `mint` under torch's argument names."""

from collections.abc import Sequence

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.kernel_calls.data_movement import rearrange
from msbridge.ops.kernel_calls.families import unary_with
from msbridge.ops.shape.reshaping import functions


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Join axes into one.

    Follows: mindspore.mint.flatten (2.10).
    """
    return functions.flatten(input, "C", start_dim=start_dim, end_dim=end_dim)


def permute(input: Tensor, dims: Sequence[int]) -> Tensor:
    """Bring the axes into this order; a view.

    Follows: mindspore.mint.permute (2.10).
    """
    return functions.permute(input, dims)


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Exchange two axes; a view.

    Follows: mindspore.mint.transpose (2.10).
    """
    return functions.swapaxes(input, dim0, dim1)


def t(input: Tensor) -> Tensor:
    """Exchange the first two axes; a Tensor of fewer axes stays.

    Follows: mindspore.mint.t (2.10).
    """
    return rearrange(_first_exchanged, "t", input)


def _first_exchanged(data: torch.Tensor) -> torch.Tensor:
    return data.transpose(0, 1) if data.dim() > 1 else torch.t(data)


def squeeze(input: Tensor, dim: int | Sequence[int]) -> Tensor:
    """Drop axes of length 1.

    Follows: mindspore.mint.squeeze (2.10).
    """
    return unary_with(torch.squeeze, "squeeze", input, dim if isinstance(dim, int) else tuple(dim))


def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """Take a stretch along an axis; a view.

    Follows: mindspore.mint.narrow (2.10).
    """
    return functions.narrow(input, dim, start, length)


SAME = same(functions, "broadcast_to flip ravel reshape roll swapaxes unsqueeze")
