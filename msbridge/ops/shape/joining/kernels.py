"""Computations that the faces of joining share."""

from collections.abc import Sequence

import torch


def split_evenly(data: torch.Tensor, axis: int, output_num: int) -> Sequence[torch.Tensor]:
    """Return `output_num` parts of equal length along an axis; ValueError when they do not fit."""
    length = data.size(axis)
    if length % output_num:
        raise ValueError(f"x_shape[{axis}] must be divisible by output_num = {output_num}, got {length}.")
    return torch.split(data, length // output_num, axis)
