"""Gradients of operators as 2.0 had them."""

from collections.abc import Sequence

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.training import gradient_primitives
from msbridge.ops.training.gradient_primitives.gathering import _concat_offset as starts


def _concat_offset(inputs: Sequence[Tensor], N: int = 2, axis: int = 0) -> tuple[tuple[int, ...], ...]:
    """Return the offset of each tensor in the joined one, in tuples.

    Follows: mindspore.ops.operations._grad_ops.ConcatOffset (2.0).
    """
    return tuple(tuple(row) for row in starts(inputs, N, axis).tolist())


OVERRIDES = {
    "ops.operations._grad_ops.ConcatOffset": Part(
        gradient_primitives, "ConcatOffset", derive("ConcatOffset", _concat_offset, "N axis")
    ),
}
