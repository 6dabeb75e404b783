"""Sums of diagonals as they were: whole numbers kept their dtype."""

from msbridge.core.dtype import Type
from msbridge.core.earlier import Earlier
from msbridge.core.tensor import Tensor
from msbridge.ops.linalg import methods


def trace(self: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Type | None = None) -> Tensor:
    """Add up a diagonal over two axes; whole numbers keep their dtype.

    Follows: mindspore.Tensor.trace (2.0).
    """
    return methods.trace(self, offset, axis1, axis2, dtype or self.dtype).astype(dtype or self.dtype)


ROWS = [Earlier("core.tensor.Tensor.trace", "2.3", trace)]
