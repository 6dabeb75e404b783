"""Tensor methods of 2.5: `repeat` of elements."""

from collections.abc import Sequence

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.shape import methods


def repeat(self: Tensor, repeats: int | Sequence[int], axis: int | None = None) -> Tensor:
    """Repeat each element along `axis`; None flattens first.

    Follows: mindspore.Tensor.repeat (2.5).
    """
    return methods.repeat_interleave(self, repeats, axis)


OVERRIDES = {"Tensor.repeat": repeat}
