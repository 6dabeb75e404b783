"""Methods of Tensor."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.framework.creation import functions as creation


def diagonal(self: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return the diagonal over two axes, as the last axis.

    Follows: mindspore.Tensor.diagonal (2.10).
    """
    return creation.diagonal(self, offset, axis1, axis2)
