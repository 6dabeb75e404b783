"""Arithmetic element by element, of two tensors."""

import torch

from msbridge.core.tensor import Tensor, wrap
from msbridge.numpy._faces import (
    Array,
    cast,
    data_of,
    floating,
    mixed,
    two,
)
from msbridge.numpy.dtypes import DType
from msbridge.ops.arithmetic import functions as arithmetic
from msbridge.ops.comparison import functions as comparison


def add(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Add.

    Follows: mindspore.numpy.add (2.10).
    """
    return two(arithmetic.add, "add", x1, x2, dtype)


def subtract(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Subtract.

    Follows: mindspore.numpy.subtract (2.10).
    """
    return two(arithmetic.sub, "subtract", x1, x2, dtype)


def multiply(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Multiply.

    Follows: mindspore.numpy.multiply (2.10).
    """
    return two(arithmetic.mul, "multiply", x1, x2, dtype)


def divide(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Divide; two Float64 or integers give Float32.

    Follows: mindspore.numpy.divide (2.10).
    """
    return two(_divided, "divide", x1, x2, dtype)


def power(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return `x1` to the power of `x2`.

    Follows: mindspore.numpy.power (2.10).
    """
    return two(arithmetic.pow, "power", x1, x2, dtype)


def mod(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return the remainder, of the sign of `x2`.

    Follows: mindspore.numpy.mod (2.10).
    """
    return two(arithmetic.remainder, "mod", x1, x2, dtype)


def fmod(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return the remainder, of the sign of `x1`.

    Follows: mindspore.numpy.fmod (2.10).
    """
    return two(arithmetic.fmod, "fmod", x1, x2, dtype)


def floor_divide(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Divide and round down.

    Follows: mindspore.numpy.floor_divide (2.10).
    """
    return two(arithmetic.floor_divide, "floor_divide", x1, x2, dtype)


def logaddexp(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return log(exp(x1) + exp(x2)).

    Follows: mindspore.numpy.logaddexp (2.10).
    """
    return two(arithmetic.logaddexp, "logaddexp", x1, x2, dtype)


def logaddexp2(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return log2(2**x1 + 2**x2).

    Follows: mindspore.numpy.logaddexp2 (2.10).
    """
    return two(arithmetic.logaddexp2, "logaddexp2", x1, x2, dtype)


def gcd(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return the greatest common divisor.

    Follows: mindspore.numpy.gcd (2.10).
    """
    return two(arithmetic.gcd, "gcd", x1, x2, dtype)


def lcm(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return the least common multiple.

    Follows: mindspore.numpy.lcm (2.10).
    """
    return two(arithmetic.lcm, "lcm", x1, x2, dtype)


def bitwise_and(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Combine bits by and.

    Follows: mindspore.numpy.bitwise_and (2.10).
    """
    return two(comparison.bitwise_and, "bitwise_and", x1, x2, dtype)


def bitwise_or(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Combine bits by or.

    Follows: mindspore.numpy.bitwise_or (2.10).
    """
    return two(comparison.bitwise_or, "bitwise_or", x1, x2, dtype)


def bitwise_xor(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Combine bits by exclusive or.

    Follows: mindspore.numpy.bitwise_xor (2.10).
    """
    return two(comparison.bitwise_xor, "bitwise_xor", x1, x2, dtype)


def hypot(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return the length of the hypotenuse, sqrt(x1² + x2²).

    Follows: mindspore.numpy.hypot (2.10).
    """
    return two(_hypot, "hypot", x1, x2, dtype)


def arctan2(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return the angle of the point (x2, x1).

    Follows: mindspore.numpy.arctan2 (2.10).
    """
    first, second = mixed(floating(data_of(x1, "arctan2", "x1")), floating(data_of(x2, "arctan2", "x2")))
    return cast(arithmetic.atan2(wrap(first), wrap(second)), dtype)


def maximum(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return the larger of two; a number takes the dtype of the tensor beside it.

    Follows: mindspore.numpy.maximum (2.10).
    """
    return cast(arithmetic.maximum(*_alike("maximum", x1, x2)), dtype)


def minimum(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return the smaller of two; a number takes the dtype of the tensor beside it.

    Follows: mindspore.numpy.minimum (2.10).
    """
    return cast(arithmetic.minimum(*_alike("minimum", x1, x2)), dtype)


def divmod(x1: Array, x2: Array, dtype: DType | None = None) -> tuple[Tensor, Tensor]:
    """Return quotients rounded down, and what remains.

    Follows: mindspore.numpy.divmod (2.10).
    """
    return floor_divide(x1, x2, dtype), mod(x1, x2, dtype)


def float_power(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return `x1` to the power of `x2` in Float32.

    Follows: mindspore.numpy.float_power (2.10).
    """
    first, second = (wrap(data_of(value, "float_power").float()) for value in (x1, x2))
    return cast(arithmetic.pow(first, second), dtype)


def copysign(x1: Array, x2: Array, dtype: DType | None = None) -> Tensor:
    """Return `x1` with the signs of `x2`, in the dtype of `x1`.

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

    Follows: mindspore.numpy.heaviside (2.10).
    """
    first, second = mixed(data_of(x1, "heaviside", "x1"), data_of(x2, "heaviside", "x2"))
    return cast(arithmetic.heaviside(wrap(first), wrap(second)), dtype)


remainder = mod
true_divide = divide


def _divided(x1: Tensor, x2: Tensor) -> Tensor:
    """Divide in Float32 unless one of the two is Float32 or Float16; a 0-d tensor counts in full for the dtype."""
    first, second = mixed(x1._data, x2._data)
    if not {x1._data.dtype, x2._data.dtype} & {torch.float32, torch.float16, torch.bfloat16} and not first.is_complex():
        first, second = first.float(), second.float()
    return arithmetic.div(wrap(first), wrap(second))


def _hypot(x1: Tensor, x2: Tensor) -> Tensor:
    first, second = mixed(x1._data, x2._data)
    if not first.is_floating_point():
        first, second = first.float(), second.float()
    return arithmetic.hypot(wrap(first), wrap(second))


def _alike(op: str, x1: Array, x2: Array) -> tuple[Tensor, Tensor]:
    """Return two tensors of which a number, a list or a tuple has taken the dtype of the other."""
    first, second = data_of(x1, op, "x1"), data_of(x2, op, "x2")
    if isinstance(x1, Tensor) and isinstance(x2, bool | int | float):
        return wrap(first), wrap(second.to(first.dtype))
    if isinstance(x2, Tensor) and isinstance(x1, bool | int | float):
        return wrap(first.to(second.dtype)), wrap(second)
    return wrap(first), wrap(second)
