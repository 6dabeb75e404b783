"""Functions of `mint` under torch's argument names."""

from msbridge.core.errors.explain import explaining
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.elementwise.comparison import functions


@explaining
def equal(input: Tensor, other: Tensor) -> bool:
    """Return whether shape and all elements are equal.

    Follows: mindspore.mint.equal (2.10).
    """
    return input.shape == other.shape and bool(functions.equal(input, other)._data.all())


SAME = same(
    functions,
    "allclose bitwise_and bitwise_not bitwise_or bitwise_xor eq ge greater greater_equal gt isclose le less "
    "less_equal logical_and logical_not logical_or logical_xor lt ne not_equal",
)
