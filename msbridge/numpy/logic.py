"""Comparisons, and tests of elements."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import Array, compute, data_of, described, faces, one, promote_pair, two
from msbridge.ops.elementwise.comparison import functions as comparison
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.reduce.reduction import functions as reduction

_SENTENCE = "Return a boolean tensor, true where {}."
logical_not = define(
    one,
    comparison.logical_not,
    described("logical_not", _SENTENCE.format("`a` is false (zero)"), "any -> bool", "a"),
    "a dtype",
)
isneginf = define(
    one,
    elementwise.isneginf,
    described("isneginf", _SENTENCE.format("`x` is minus infinity"), "real -> bool", "x", casts=False),
    "x",
    types=(Array,),
)
isposinf = define(
    one,
    elementwise.isposinf,
    described("isposinf", _SENTENCE.format("`x` is plus infinity"), "real -> bool", "x", casts=False),
    "x",
    types=(Array,),
)


def isscalar(element: Any) -> bool:
    """Return whether this is a number, a bool or a string.

    Args:
        element: anything.

    Returns:
        A bool.

    Follows: mindspore.numpy.isscalar (2.10).
    """
    return isinstance(element, bool | int | float | complex | str)


def isclose(a: Array, b: Array, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Return a boolean tensor, true where `abs(a - b) <= atol + rtol * abs(b)`.

    Args:
        a: any shape and dtype.
        b: what broadcasts against `a`.
        rtol: the relative tolerance.
        atol: the absolute tolerance.
        equal_nan: whether NaN equals NaN.

    Returns:
        A Bool Tensor of the broadcast shape.

    Follows: mindspore.numpy.isclose (2.10).
    """
    first, second = promote_pair(data_of(a, "isclose", "a"), data_of(b, "isclose", "b"))
    return comparison.isclose(wrap(first), wrap(second), rtol, atol, equal_nan)


def array_equal(a1: Array, a2: Array, equal_nan: bool = False) -> Tensor:
    """Return whether shapes and all values are equal, as a Bool of no axes.

    Args:
        a1: any shape and dtype.
        a2: the other.
        equal_nan: whether NaN equals NaN.

    Returns:
        A Bool Tensor of shape ().

    Follows: mindspore.numpy.array_equal (2.10).
    """
    return compute(_all_equal, "array_equal", a1, a2, equal_nan=equal_nan, broadcast=False)


def array_equiv(a1: Array, a2: Array) -> Tensor:
    """Return whether all values are equal once the shapes are broadcast, as a Bool of no axes.

    Args:
        a1: any shape and dtype.
        a2: the other.

    Returns:
        A Bool Tensor of shape ().

    Follows: mindspore.numpy.array_equiv (2.10).
    """
    return compute(_all_equal, "array_equiv", a1, a2, equal_nan=False, broadcast=True)


def isin(element: Array, test_elements: Array, invert: bool = False) -> Tensor:
    """Return whether each element is among others; with `invert`, whether it is not.

    Args:
        element: any shape; any dtype but Complex.
        test_elements: any shape.
        invert: whether the result is negated.

    Returns:
        A Bool Tensor of the shape of `element`.

    Follows: mindspore.numpy.isin (2.10).
    """
    first, second = promote_pair(data_of(element, "isin", "element"), data_of(test_elements, "isin", "test_elements"))
    if first.dtype is torch.bool:  # torch.isin takes no bools
        first, second = first.byte(), second.byte()
    return compute(lambda data: torch.isin(data, second, invert=invert), "isin", wrap(first))


def in1d(ar1: Array, ar2: Array, invert: bool = False) -> Tensor:
    """Return whether each element of the flattened `ar1` is in `ar2`; with `invert`, whether it is not.

    Args:
        ar1: any shape; any dtype but Complex.
        ar2: any shape.
        invert: whether the result is negated.

    Returns:
        A Bool Tensor of shape (n,), n the number of elements of `ar1`.

    Follows: mindspore.numpy.in1d (2.10).
    """
    return isin(wrap(data_of(ar1, "in1d", "ar1").reshape(-1)), ar2, invert)


def sometrue(a: Array, axis: int | tuple[int, ...] | list[int] | None = None, keepdims: bool = False) -> Tensor:
    """Return whether any element along axes is true (not zero).

    Args:
        a: any shape and dtype.
        axis, keepdims: as in every reduction.

    Returns:
        A Bool Tensor of the shape of `a` without the axes.

    Follows: mindspore.numpy.sometrue (2.10).
    """
    return reduction.any(wrap(data_of(a, "sometrue", "a").bool()), axis, keepdims)


def _all_equal(first: torch.Tensor, second: torch.Tensor, equal_nan: bool, broadcast: bool) -> torch.Tensor:
    if broadcast:
        try:
            first, second = torch.broadcast_tensors(first, second)
        except RuntimeError:
            return torch.tensor(False, device=first.device)
    if first.shape != second.shape:
        return torch.tensor(False, device=first.device)
    same = first == second
    return (same | ((first != first) & (second != second)) if equal_nan else same).all()


SAME = faces(
    two,
    {
        "equal": comparison.equal,
        "greater": comparison.greater,
        "greater_equal": comparison.greater_equal,
        "less": comparison.less,
        "less_equal": comparison.less_equal,
        "logical_and": comparison.logical_and,
        "logical_or": comparison.logical_or,
        "logical_xor": comparison.logical_xor,
        "not_equal": comparison.not_equal,
    },
    {
        "any -> bool": "equal logical_and logical_or logical_xor not_equal",
        "real -> bool": "greater greater_equal less less_equal",
    },
) | faces(
    one,
    {
        "isfinite": elementwise.isfinite,
        "isinf": elementwise.isinf,
        "isnan": elementwise.isnan,
        "signbit": elementwise.signbit,
    },
    {"any -> bool": "isfinite isinf isnan", "real -> bool": "signbit"},
)
