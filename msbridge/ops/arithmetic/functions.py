"""Arithmetic of two operands, with implicit promotion: sums, products, quotients, powers, remainders, extremes."""

from collections.abc import Sequence

import torch

from msbridge.core.errors import explain
from msbridge.core.tensor import Tensor, wrap
from msbridge.ops.families import Number, binary, binary_tensors, binary_weak, many, scalar_or_tensor, ternary

__all__ = [
    "accumulate_n",
    "add",
    "addcdiv",
    "addcmul",
    "addn",
    "arctan2",
    "atan2",
    "copysign",
    "float_power",
    "fmax",
    "fmin",
    "gcd",
    "heaviside",
    "hypot",
    "lcm",
    "ldexp",
    "lerp",
    "logaddexp",
    "logaddexp2",
    "maximum",
    "minimum",
    "mul",
    "multiply",
    "nextafter",
    "pow",
    "sub",
    "subtract",
    "tensor_add",
    "tensor_mul",
    "tensor_pow",
    "tensor_sub",
    "xlogy",
]


def add(input: Tensor | Number, other: Tensor | Number, alpha: Number = 1) -> Tensor:
    """Add element by element: `input + alpha * other`.

    Args:
        input: a Tensor or number; one of the two is a Tensor.
        other: broadcasts against `input`.
        alpha: a factor for `other`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype; bool + bool is "or".

    Raises:
        TypeError: an operand is neither Tensor nor number.
        ValueError: the shapes do not broadcast.

    Follows: mindspore.ops.add (2.10).
    """
    if alpha != 1:
        other = mul(other, alpha) if isinstance(other, Tensor) else other * alpha
    return binary(torch.add, "add", input, other)


def sub(input: Tensor | Number, other: Tensor | Number, alpha: Number = 1) -> Tensor:
    """Subtract element by element: `input - alpha * other`; bool - bool is "exclusive or".

    Follows: mindspore.ops.sub, mindspore.ops.subtract (2.10).
    """
    if alpha != 1:
        other = mul(other, alpha) if isinstance(other, Tensor) else other * alpha
    return binary(_sub, "sub", input, other)


def mul(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Multiply element by element; a 0-d tensor does not widen the other's dtype.

    Follows: mindspore.ops.mul (2.10).
    """
    return binary_weak(torch.mul, "mul", input, other)


def pow(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """Raise to a power element by element; an integer to a negative power is 0 (±1 for ±1).

    Follows: mindspore.ops.pow (2.10).
    """
    return binary(_pow, "pow", input, exponent)


def float_power(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """Raise to a power in Float64 (Complex128 for complex numbers).

    Follows: mindspore.ops.float_power (2.10).
    """
    return binary(torch.float_power, "float_power", input, exponent)


def maximum(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Give the larger of two elements; NaN wins.

    Follows: mindspore.ops.maximum (2.10).
    """
    return binary_tensors(torch.maximum, "maximum", input, other)


def minimum(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Give the smaller of two elements; NaN wins.

    Follows: mindspore.ops.minimum (2.10).
    """
    return binary_tensors(torch.minimum, "minimum", input, other)


def fmax(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Give the larger of two elements; NaN loses.

    Follows: mindspore.ops.fmax (2.10).
    """
    return binary_tensors(torch.fmax, "fmax", input, other)


def fmin(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Give the smaller of two elements; NaN loses.

    Follows: mindspore.ops.fmin (2.10).
    """
    return binary_tensors(torch.fmin, "fmin", input, other)


def atan2(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Give the angle of the point (other, input), in [-π, π].

    Follows: mindspore.ops.atan2 (2.10).
    """
    return binary_tensors(torch.atan2, "atan2", input, other)


def hypot(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Give the hypotenuse √(input² + other²).

    Follows: mindspore.ops.hypot (2.10).
    """
    return binary_tensors(torch.hypot, "hypot", input, other)


def xlogy(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Give `input * log(other)`, and 0 where `input` is 0.

    Follows: mindspore.ops.xlogy (2.10).
    """
    return binary_tensors(torch.xlogy, "xlogy", input, other)


def copysign(x: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Give the magnitude of `x` with the sign of `other`.

    Follows: mindspore.ops.copysign (2.10).
    """
    return binary_tensors(torch.copysign, "copysign", x, other)


def ldexp(x: Tensor, other: Tensor) -> Tensor:
    """Give `x * 2**other`.

    Follows: mindspore.ops.ldexp (2.10).
    """
    return binary_tensors(torch.ldexp, "ldexp", x, other)


def logaddexp(input: Tensor, other: Tensor) -> Tensor:
    """Give log(exp(input) + exp(other)) without overflow.

    Follows: mindspore.ops.logaddexp (2.10).
    """
    return binary_tensors(torch.logaddexp, "logaddexp", input, other)


def logaddexp2(input: Tensor, other: Tensor) -> Tensor:
    """Give log2(2**input + 2**other) without overflow.

    Follows: mindspore.ops.logaddexp2 (2.10).
    """
    return binary_tensors(torch.logaddexp2, "logaddexp2", input, other)


def gcd(input: Tensor, other: Tensor) -> Tensor:
    """Give the greatest common divisor of integers.

    Follows: mindspore.ops.gcd (2.10).
    """
    return binary_tensors(torch.gcd, "gcd", input, other)


def lcm(input: Tensor, other: Tensor) -> Tensor:
    """Give the least common multiple of integers.

    Follows: mindspore.ops.lcm (2.10).
    """
    return binary_tensors(torch.lcm, "lcm", input, other)


def nextafter(input: Tensor, other: Tensor) -> Tensor:
    """Give the next representable number after `input` towards `other`.

    Follows: mindspore.ops.nextafter (2.10).
    """
    return binary_tensors(torch.nextafter, "nextafter", input, other)


def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """Give 0 for negative, 1 for positive numbers, and `values` where `input` is 0.

    Follows: mindspore.ops.heaviside (2.10).
    """
    return binary_tensors(torch.heaviside, "heaviside", input, values)


def lerp(input: Tensor, end: Tensor, weight: Tensor | float) -> Tensor:
    """Interpolate linearly: `input + weight * (end - input)`.

    Follows: mindspore.ops.lerp (2.10).
    """
    try:
        return wrap(torch.lerp(input._data, end._data, scalar_or_tensor(weight)))
    except Exception as error:
        raise explain(error, "lerp", input=input, end=end, weight=weight) from error


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor:
    """Give `input + value * tensor1 * tensor2`.

    Follows: mindspore.ops.addcmul (2.10).
    """
    factor = scalar_or_tensor(value)
    return ternary(lambda x, a, b: x + factor * (a * b), "addcmul", input, tensor1, tensor2)


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor:
    """Give `input + value * tensor1 / tensor2`.

    Follows: mindspore.ops.addcdiv (2.10).
    """
    factor = scalar_or_tensor(value)
    return ternary(lambda x, a, b: x + factor * (a / b), "addcdiv", input, tensor1, tensor2)


def addn(x: Sequence[Tensor]) -> Tensor:
    """Add up tensors of one shape.

    Raises:
        TypeError: `x` is no sequence of Tensors.

    Follows: mindspore.ops.addn (2.10).
    """
    return many(_add_up, "addn", [x] if isinstance(x, Tensor) else x)


def accumulate_n(x: Sequence[Tensor]) -> Tensor:
    """Add up tensors of one shape.

    Follows: mindspore.ops.accumulate_n (2.10).
    """
    return many(_add_up, "accumulate_n", x)


subtract = sub
multiply = mul
arctan2 = atan2
tensor_add = add
tensor_sub = sub
tensor_mul = mul
tensor_pow = pow


def mul_no_nan(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Multiply element by element, giving 0 where `y` is 0, whatever `x` is.

    Follows: mindspore.ops.MulNoNan (2.10).
    """
    return binary_tensors(_multiply_no_nan, "MulNoNan", x, y)


def squared_difference(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Give (x - y)².

    Follows: mindspore.ops.SquaredDifference (2.10).
    """
    return binary(_squared_difference, "SquaredDifference", x, y)


def _sub(left: torch.Tensor, right: torch.Tensor | Number) -> torch.Tensor:
    try:
        return torch.sub(left, right)
    except RuntimeError:
        if isinstance(right, bool):
            return left ^ right if left.dtype is torch.bool else left - int(right)
        if left.dtype is not torch.bool:
            if not isinstance(right, torch.Tensor) or right.dtype is not torch.bool:
                raise
            return left - right.to(left.dtype)
        if isinstance(right, torch.Tensor):
            return left ^ right
        return left.to(torch.result_type(left, right)) - right


def _multiply_no_nan(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    return torch.where(right == 0, 0, left * right)


def _squared_difference(left: torch.Tensor, right: torch.Tensor | Number) -> torch.Tensor:
    return torch.square(_sub(left, right))


def _pow(base: torch.Tensor, exponent: torch.Tensor | Number) -> torch.Tensor:
    if isinstance(exponent, int) and exponent < 0 and not base.is_floating_point() and not base.is_complex():
        exponent = torch.tensor(exponent, dtype=base.dtype, device=base.device)
    return torch.pow(base, exponent)


def _add_up(tensors: list[torch.Tensor]) -> torch.Tensor:
    total = tensors[0]
    for data in tensors[1:]:
        total = total + data
    return total
