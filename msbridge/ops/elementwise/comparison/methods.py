"""Methods of Tensor."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.elementwise.comparison import functions


def logical_and(self: Tensor, other: Any = None, *, y: Any = None) -> Tensor:
    """Return where both are true; `y` is another name of `other`.

    Follows: mindspore.Tensor.logical_and (2.10).
    """
    return functions.logical_and(self, other if y is None else y)


def logical_or(self: Tensor, other: Any = None, *, y: Any = None) -> Tensor:
    """Return where one is true or both; `y` is another name of `other`.

    Follows: mindspore.Tensor.logical_or (2.10).
    """
    return functions.logical_or(self, other if y is None else y)


def isclose(
    self: Tensor,
    other: Any = None,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
    *,
    x2: Any = None,
) -> Tensor:
    """Return where elements differ by at most atol + rtol * |other|; `x2` is another name of `other`.

    Follows: mindspore.Tensor.isclose (2.10).
    """
    return functions.isclose(self, other if x2 is None else x2, rtol, atol, equal_nan)


def approximate_equal(self: Tensor, other: Tensor, tolerance: float = 1e-05) -> Tensor:
    """Return where elements differ by less than `tolerance`.

    Follows: mindspore.Tensor.approximate_equal (2.10).
    """
    return functions.approximate_equal(self, other, tolerance)


SAME = same(
    functions,
    "allclose bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift "
    "bitwise_xor eq equal ge greater greater_equal gt invert is_complex is_floating_point isreal le "
    "less less_equal logical_not logical_xor lt ne not_equal",
)
