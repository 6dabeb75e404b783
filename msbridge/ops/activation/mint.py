"""Functions of `mint` under torch's argument names."""

from msbridge.core.dtype import Type
from msbridge.core.tensor import Tensor
from msbridge.ops.activation import functions
from msbridge.ops.contents import same


def softmax(input: Tensor, dim: int, *, dtype: Type | None = None) -> Tensor:
    """Scale the exponentials so that they sum to one along an axis.

    Follows: mindspore.mint.softmax (2.10).
    """
    return functions.softmax(input, dim, dtype=dtype)


SAME = same(functions, "sigmoid tanh")
