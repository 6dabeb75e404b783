"""Functions of numpy of 1.10."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import int32
from msbridge.numpy import reduction
from msbridge.numpy._faces import Array

_today_argmax = reduction.argmax


def argmax(a: Array, axis: int | None = None) -> Tensor:
    """Return the place of the largest element along an axis, or in the flattened tensor, Int32.

    Follows: mindspore.numpy.argmax (1.10).
    """
    return _today_argmax(a, axis).astype(int32)


OVERRIDES = {"numpy.argmax": argmax}
