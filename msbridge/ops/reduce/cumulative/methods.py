"""Methods of Tensor."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, bool_, int8, int16, int32, uint8
from msbridge.ops.contents import same
from msbridge.ops.reduce.cumulative import functions


def cumsum(self: Tensor, axis: int | None = None, dtype: Type | None = None, *, dim: int | None = None) -> Tensor:
    """Return the running sums along an axis; None flattens, and integers of 8 and 16 bits give Int32.

    Follows: mindspore.Tensor.cumsum (2.10).
    """
    axis = dim if axis is None else axis
    if dtype is None and self.dtype in (bool_, int8, int16, uint8):
        dtype = int32
    return functions.cumsum(self if axis is not None else self.reshape(-1), 0 if axis is None else axis, dtype)


SAME = same(functions, "bincount cov cummax cummin cumprod diff histc logcumsumexp")
