"""Primitives of dropout."""

import math
from typing import Any

from msbridge.core.checks.arguments import in_range
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.families import plain_shape
from msbridge.ops.neural.dropout import kernels
from msbridge.ops.primitive.primitive import Derived, derive


def _dropout(input: Tensor, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0) -> tuple[Tensor, Tensor]:
    """Keep each element with probability `keep_prob`: (result, mask).

    Args:
        input: any shape; floats.
        keep_prob: in (0, 1].
        Seed0: without effect.
        Seed1: without effect.

    Returns:
        (result, mask), of the shape and dtype of `input`.
    """
    return kernels.dropout_with_mask(input, 1 - keep_prob)


def _dropout_channels(input: Tensor, keep_prob: float = 0.5) -> tuple[Tensor, Tensor]:
    """Keep each channel with probability `keep_prob`: (result, mask).

    Args:
        input: shape (N, C, ...).
        keep_prob: in [0, 1].

    Returns:
        (result, mask), of the shape of `input`: of its dtype, and Bool.
    """
    return kernels.channel_dropout_with_mask(input, 1 - keep_prob)


def _draw_mask(shape: Any, keep_prob: Tensor | float, Seed0: int = 0, Seed1: int = 0) -> Tensor:
    """Draw a bit for each element, ones with probability `keep_prob`: UInt8, in whole blocks of 128 bits.

    Args:
        shape: that of what is masked.
        keep_prob: in [0, 1].
        Seed0: without effect.
        Seed1: without effect.

    Returns:
        A Tensor of one axis; UInt8.
    """
    count = math.prod(plain_shape(shape))
    return kernels.draw_bits(count, float(keep_prob))


def _apply_mask(input_x: Tensor, mask: Tensor, keep_prob: Tensor | float) -> Tensor:
    """Zero the elements whose bit in `mask` is zero, and divide the rest by `keep_prob`.

    Args:
        input_x: any shape; floats.
        mask: what `DropoutGenMask` returned for the shape.
        keep_prob: in (0, 1].

    Returns:
        A Tensor of the shape and dtype of `input_x`.
    """
    return kernels.apply_bits(input_x, mask, float(keep_prob))


class _Keeping(Derived):
    """A primitive with a probability."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        in_range(self.attrs["keep_prob"], "keep_prob", self.name, 0, 1, "[]")


DERIVED = (
    derive("Dropout", _dropout, "keep_prob Seed0 Seed1"),
    derive("DropoutDoMask", _apply_mask),
    derive("DropoutGenMask", _draw_mask, "Seed0 Seed1"),
    derive("Dropout2D", _dropout_channels, "keep_prob", base=_Keeping),
    derive("Dropout3D", _dropout_channels, "keep_prob", base=_Keeping),
)
