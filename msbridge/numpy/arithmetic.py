"""Arithmetic element by element, of two tensors."""

import torch

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.numpy._faces import (
    Array,
    Data,
    cast,
    data_of,
    faces,
    floating,
    promote_pair,
    two,
)
from msbridge.numpy.dtypes import DType
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.elementwise.comparison import functions as comparison
from msbridge.ops.shape.gather_and_select.functions import select


def arctan2(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return the angle of the point (x2, x1).

    Args:
        x1: any shape; any dtype but Complex.
        x2: broadcasts against `x1`.
        dtype: of the result; None for the one below.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype; Float16 for bools and 8-bit integers, Float32 for other
        integers.

    Raises:
        TypeError: an argument is no array, or is complex.

    Follows: mindspore.numpy.arctan2 (2.10).
    """
    first, second = promote_pair(floating(data_of(x1, "arctan2", "x1")), floating(data_of(x2, "arctan2", "x2")))
    return cast(arithmetic.atan2(wrap(first), wrap(second)), dtype)


def maximum(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return the larger of two; a number takes the dtype of the tensor beside it.

    Args:
        x1: any shape; any dtype but Complex.
        x2: broadcasts against `x1`.
        dtype: of the result; None for the promoted one.

    Returns:
        A Tensor of the broadcast shape.

    Raises:
        TypeError: an argument is no array, or is complex.

    Follows: mindspore.numpy.maximum (2.10).
    """
    return cast(arithmetic.maximum(*_alike("maximum", x1, x2)), dtype)


def minimum(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return the smaller of two; a number takes the dtype of the tensor beside it.

    Args:
        x1: any shape; any dtype but Complex.
        x2: broadcasts against `x1`.
        dtype: of the result; None for the promoted one.

    Returns:
        A Tensor of the broadcast shape.

    Raises:
        TypeError: an argument is no array, or is complex.

    Follows: mindspore.numpy.minimum (2.10).
    """
    return cast(arithmetic.minimum(*_alike("minimum", x1, x2)), dtype)


def _remainder(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the remainder of the division that rounds down; 0 where an integer is divided by 0."""
    return _nothing_over_zero(arithmetic.remainder(x1, x2), x2)


def _fmod(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the remainder of the division that rounds to zero; 0 where an integer is divided by 0."""
    return _nothing_over_zero(arithmetic.fmod(x1, x2), x2)


def _nothing_over_zero(rest: Tensor, divisor: Tensor) -> Tensor:
    """Return remainders with 0 where the divisor is the integer 0."""
    data = rest._data
    if data.is_floating_point() or data.is_complex() or data.dtype is torch.bool:
        return rest
    return select(wrap(divisor._data == 0), 0, rest)


def divmod(x1: Array, x2: Array, dtype: DType | None = None) -> tuple[Tensor, Tensor]:
    """Return quotients rounded down, and what remains.

    Args:
        x1: any shape and dtype.
        x2: broadcasts against `x1`.
        dtype: of the results; None for the promoted one.

    Returns:
        Two Tensors of the broadcast shape.

    Raises:
        TypeError: an argument is no array.

    Follows: mindspore.numpy.divmod (2.10).
    """
    quotients, rest = (two(fn, "divmod", x1, x2, dtype) for fn in (arithmetic.floor_divide, _remainder))
    return quotients, rest


def float_power(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return `x1` to the power of `x2` in Float32.

    Args:
        x1: any shape and dtype.
        x2: what broadcasts against `x1`.
        dtype: as in every function.

    Returns:
        A Float32 Tensor of the broadcast shape.

    Follows: mindspore.numpy.float_power (2.10).
    """
    first, second = (wrap(data_of(value, "float_power").float()) for value in (x1, x2))
    return cast(arithmetic.pow(first, second), dtype)


def copysign(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return `x1` with the signs of `x2`, in the dtype of `x1`.

    Args:
        x1: any shape; any dtype but Bool and Complex.
        x2: what broadcasts against `x1`; any dtype but Bool and Complex.
        dtype: as in every function.

    Returns:
        A Tensor of the broadcast shape and the dtype of `x1`.

    Raises:
        TypeError: `x1` or `x2` holds bools.

    Follows: mindspore.numpy.copysign (2.10).
    """
    first, second = data_of(x1, "copysign", "x1"), data_of(x2, "copysign", "x2")
    if torch.bool in (first.dtype, second.dtype):
        raise TypeError("For 'copysign', x1 and x2 must hold numbers, got Bool.")
    result = arithmetic.copysign(wrap(first.abs()), wrap(second))
    return cast(wrap(result._data.to(first.dtype)), dtype)


def heaviside(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return 0 where `x1` is negative, `x2` where it is 0, and 1 elsewhere.

    Args:
        x1: any shape; any dtype but Complex.
        x2: broadcasts against `x1`.
        dtype: of the result; None for the promoted one.

    Returns:
        A Tensor of the broadcast shape.

    Raises:
        TypeError: an argument is no array, or is complex.

    Follows: mindspore.numpy.heaviside (2.10).
    """
    first, second = promote_pair(data_of(x1, "heaviside", "x1"), data_of(x2, "heaviside", "x2"))
    return cast(arithmetic.heaviside(wrap(first), wrap(second)), dtype)


def _divide(x1: Tensor, x2: Tensor) -> Tensor:
    """Divide in Float32, the real parts of complex numbers, too, unless one of the two is Float32 or Float16."""
    first, second = x1._data, x2._data
    if not {first.dtype, second.dtype} & {torch.float32, torch.float16}:
        first, second = (data.real.float() if data.is_complex() else data.float() for data in (first, second))
    return arithmetic.div(*map(wrap, promote_pair(first, second)))


def _gcd(x1: Tensor, x2: Tensor) -> Tensor:
    """Return greatest common divisors; those of floats and bools by Euclid's algorithm."""
    first, second = promote_pair(x1._data, x2._data)
    if not first.is_floating_point() and first.dtype is not torch.bool:
        return arithmetic.gcd(wrap(first), wrap(second))
    return wrap(_euclid(first, second).to(first.dtype))


def _lcm(x1: Tensor, x2: Tensor) -> Tensor:
    """Return least common multiples; those of floats and bools in Float32."""
    first, second = promote_pair(x1._data, x2._data)
    if not first.is_floating_point() and first.dtype is not torch.bool:
        return arithmetic.lcm(wrap(first), wrap(second))
    divisor = _euclid(first, second).float()
    multiple = first.float() / divisor * (second.float() / divisor) * divisor
    return wrap(torch.where((first == 0) | (second == 0), 0, multiple.abs()).to(first.dtype))


def _euclid(first: Data, second: Data) -> Data:
    """Return the greatest common divisors of floats, in their dtype; bools are counted as floats."""
    if first.dtype is torch.bool:
        first, second = first.float(), second.float()
    larger, smaller = torch.maximum(first.abs(), second.abs()), torch.minimum(first.abs(), second.abs())
    smaller = torch.where(smaller == 0, larger, smaller)
    while True:
        rest = torch.where(smaller == 0, 0, larger.remainder(smaller))
        if not (rest > 0).any():
            return smaller
        is_done = rest == 0
        larger, smaller = torch.where(is_done, larger, smaller), torch.where(is_done, smaller, rest)


def _hypot(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the length of the hypotenuse, in floats."""
    first, second = promote_pair(x1._data, x2._data)
    if not first.is_floating_point():
        first, second = (data.real.float() if data.is_complex() else data.float() for data in (first, second))
    return arithmetic.hypot(wrap(first), wrap(second))


def _alike(op: str, x1: Array, x2: Array) -> tuple[Tensor, Tensor]:
    """Return two tensors of which a number, a list or a tuple has taken the dtype of the other."""
    first, second = data_of(x1, op, "x1"), data_of(x2, op, "x2")
    if isinstance(x1, Tensor) and isinstance(x2, bool | int | float):
        return wrap(first), wrap(second.to(first.dtype))
    if isinstance(x2, Tensor) and isinstance(x1, bool | int | float):
        return wrap(first.to(second.dtype)), wrap(second)
    return wrap(first), wrap(second)


SAME = faces(
    two,
    {
        "add": arithmetic.add,
        "bitwise_and": comparison.bitwise_and,
        "bitwise_or": comparison.bitwise_or,
        "bitwise_xor": comparison.bitwise_xor,
        "divide": _divide,
        "floor_divide": arithmetic.floor_divide,
        "fmod": _fmod,
        "gcd": _gcd,
        "hypot": _hypot,
        "lcm": _lcm,
        "logaddexp": arithmetic.logaddexp,
        "logaddexp2": arithmetic.logaddexp2,
        "mod": _remainder,
        "multiply": arithmetic.mul,
        "power": arithmetic.pow,
        "remainder": _remainder,
        "subtract": arithmetic.sub,
        "true_divide": _divide,
    },
    {
        "any -> same": "add floor_divide mod multiply remainder subtract",
        "any -> narrow": "divide true_divide",
        "any -> real float": "hypot",
        "float -> same": "logaddexp2",
        "inexact -> same": "logaddexp",
        "integer or bool -> same": "bitwise_and bitwise_or bitwise_xor",
        "number -> same": "power",
        "real -> same": "fmod gcd lcm",
    },
)
