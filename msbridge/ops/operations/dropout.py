"""Primitives of dropout."""

from msbridge.core.tensor import Tensor
from msbridge.ops.dropout import channel_dropout_with_mask, dropout_with_mask
from msbridge.ops.primitive import derive

__all__ = ["Dropout", "Dropout2D", "Dropout3D"]


def _dropout(input: Tensor, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0) -> tuple[Tensor, Tensor]:
    """Keep each element with probability `keep_prob`: (result, mask)."""
    return dropout_with_mask(input, 1 - keep_prob)


def _dropout_channels(input: Tensor, keep_prob: float = 0.5) -> tuple[Tensor, Tensor]:
    """Keep each channel with probability `keep_prob`: (result, mask)."""
    return channel_dropout_with_mask(input, 1 - keep_prob)


Dropout = derive("Dropout", _dropout, {"keep_prob": 0.5, "Seed0": 0, "Seed1": 0})
Dropout2D = derive("Dropout2D", _dropout_channels, {"keep_prob": 0.5})
Dropout3D = derive("Dropout3D", _dropout_channels, {"keep_prob": 0.5})
