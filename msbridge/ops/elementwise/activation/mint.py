"""Functions of `mint` under torch's argument names."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.ops.contents import same
from msbridge.ops.elementwise.activation import functions


def softmax(input: Tensor, dim: int, *, dtype: Type | None = None) -> Tensor:
    """Scale the exponentials so that they sum to one along an axis.

    Follows: mindspore.mint.softmax (2.10).
    """
    return functions.softmax(input, dim, dtype=dtype)


SAME = same(functions, "sigmoid tanh")
