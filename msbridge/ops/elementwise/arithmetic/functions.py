"""Arithmetic of two operands, with implicit promotion: sums, products, quotients, powers, remainders, extremes."""

from typing import Any

import torch

from msbridge.core.errors.explain import explain, refuse
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.arithmetic.kernels import (
    divide_by_zero,
    floor_divide_data,
    pow_data,
    real_div,
    sub_data,
    truncating_divide,
)
from msbridge.ops.faces import face
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import (
    Function,
    Number,
    binary,
    binary_tensors,
    binary_weak,
    call_kernel,
    times_logarithm,
)


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

    Examples:
        >>> ops.add(Tensor([1, 2]), 0.5).asnumpy().tolist(), ops.Add()(Tensor([1]), Tensor([2])).asnumpy().tolist()
        ([1.5, 2.5], [3])

    Follows: mindspore.ops.add (2.10).
    """
    if alpha != 1:
        other = mul(other, alpha) if isinstance(other, Tensor) else other * _number(alpha)
    return binary(torch.add, "add", input, other)


def sub(input: Tensor | Number, other: Tensor | Number, alpha: Number = 1) -> Tensor:
    """Subtract element by element: `input - alpha * other`; bool - bool is "exclusive or".

    Args:
        input: a Tensor or number of any shape and dtype.
        other: a Tensor or number that broadcasts against `input`.
        alpha: a factor for `other`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Raises:
        TypeError: an input is neither a Tensor nor a number.
        ValueError: the shapes do not broadcast.

    Follows: mindspore.ops.sub (2.10).
    """
    if alpha != 1:
        other = mul(other, alpha) if isinstance(other, Tensor) else other * _number(alpha)
    return binary(sub_data, "sub", input, other)


def _number(alpha: Number | Tensor) -> Number:
    """Return a factor as a number, which leaves the dtype of the other operand."""
    return alpha.item() if isinstance(alpha, Tensor) else alpha


def subtract(input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
    """Subtract element by element: `input - alpha * other`, where a bool `other` counts as an integer.

    Args:
        input: a Tensor or number of any shape and dtype.
        other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.
        alpha: a factor for `other`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype; Int64 for bools.

    Raises:
        TypeError: no input is a Tensor.
        ValueError: the shapes do not broadcast.

    Follows: mindspore.ops.subtract (2.10).
    """
    try:
        scaled = mul(other, alpha) if isinstance(other, Tensor) else _number(alpha) * other
    except TypeError as error:
        raise explain(error, "subtract", input=input, other=other, alpha=alpha) from error
    return binary(sub_data, "subtract", input, scaled)


mul = define(
    binary_weak,
    torch.mul,
    "Multiply element by element; a 0-d tensor does not widen the other's dtype.",
    dtypes="any -> same",
    example=">>> ops.mul(Tensor([1, 2]), 3).asnumpy(), ops.Mul()(Tensor([2]), Tensor([3])).asnumpy()\n"
    "(array([3, 6]), array([6]))",
)


def pow(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """Raise to a power element by element; an integer to a negative power is 0 (±1 for ±1).

    Args:
        input: a Tensor or number of any shape; any dtype.
        exponent: a Tensor or number that broadcasts against `input`; not both hold bools.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Raises:
        TypeError: an input is neither a Tensor nor a number, or both hold bools.
        ValueError: the shapes do not broadcast.

    Follows: mindspore.ops.pow (2.10).
    """
    return binary(pow_data, "pow", input, exponent)


float_power = define(
    call_kernel,
    torch.float_power,
    "Raise to a power in Float64 (Complex128 for complex numbers).",
    "input exponent",
    like=pow,
    returns="A Tensor of the broadcast shape; Float64, or Complex128 where an input is complex.",
)
maximum = define(binary_tensors, torch.maximum, "Return the larger of two elements; NaN wins.", dtypes="real -> same")
minimum = define(binary_tensors, torch.minimum, "Return the smaller of two elements; NaN wins.", dtypes="real -> same")
fmax = define(binary_tensors, torch.fmax, "Return the larger of two elements; NaN loses.", dtypes="real -> same")
fmin = define(binary_tensors, torch.fmin, "Return the smaller of two elements; NaN loses.", dtypes="real -> same")
atan2 = define(
    binary_tensors, torch.atan2, "Return the angle of the point (other, input), in [-π, π].", dtypes="real -> float"
)
hypot = define(binary_tensors, torch.hypot, "Return the hypotenuse √(input² + other²).", dtypes="float -> same")


def xlogy(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Return `input * log(other)`, NaN where both are 0; a number beside half precision yields Float32.

    Args:
        input: a Tensor or number of any shape and dtype.
        other: a Tensor or number that broadcasts against `input`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype; Float32 for integers and bools.

    Raises:
        TypeError: an input is neither a Tensor nor a number.
        ValueError: the shapes do not broadcast.

    Follows: mindspore.ops.xlogy (2.10).
    """
    return binary_tensors(times_logarithm, "xlogy", input, other)


copysign = define(
    binary_tensors,
    torch.copysign,
    "Return the magnitude of `x` with the sign of `other`.",
    "x other",
    dtypes="real -> float",
)


def nextafter(input: Tensor, other: Tensor) -> Tensor:
    """Return the next representable number after `input` towards `other`.

    Args:
        input: any shape; floats.
        other: broadcasts against `input`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Raises:
        TypeError: no input is a Tensor, or one is not of floats.
        ValueError: the shapes do not broadcast.

    Follows: mindspore.ops.nextafter (2.10).
    """
    return binary_tensors(torch.nextafter, "nextafter", input, other)


logaddexp = define(
    binary_tensors,
    torch.logaddexp,
    "Return `log(exp(input) + exp(other))` without overflow.",
    "input other",
    like=nextafter,
    dtypes="inexact -> same",
)
logaddexp2 = define(
    binary_tensors,
    torch.logaddexp2,
    "Return `log2(2**input + 2**other)` without overflow.",
    like=logaddexp,
    dtypes="float -> same",
)
gcd = define(
    binary_tensors,
    torch.gcd,
    "Return the greatest common divisor of integers.",
    like=logaddexp,
    dtypes="integer -> same",
)
lcm = define(
    binary_tensors, torch.lcm, "Return the least common multiple of integers.", like=logaddexp, dtypes="integer -> same"
)


def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """Return 0 for negative, 1 for positive numbers, and `values` where `input` is 0.

    Args:
        input: any shape; any dtype but Complex.
        values: broadcasts against `input`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Raises:
        TypeError: no input is a Tensor, or one is complex.
        ValueError: the shapes do not broadcast.

    Follows: mindspore.ops.heaviside (2.10).
    """
    return binary_tensors(torch.heaviside, "heaviside", input, values)


multiply = mul
arctan2 = atan2
tensor_add = add
tensor_sub = sub
tensor_mul = mul
tensor_pow = pow


def div(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: str | None = None) -> Tensor:
    """Divide element by element; integers yield Float32.

    Args:
        input: the dividend.
        other: the divisor.
        rounding_mode: None, "floor" or "trunc".

    Returns:
        A Tensor of the broadcast shape and the promoted dtype; without rounding, Float32 for integers and bools.

    Raises:
        ValueError: another `rounding_mode`.

    Follows: mindspore.ops.div (2.10).
    """
    if rounding_mode is None:
        return binary_weak(torch.true_divide, "div", input, other)
    if rounding_mode == "floor":
        return binary_weak(floor_divide_data, "div", input, other)
    if rounding_mode == "trunc":
        return binary_weak(_truncate_divide, "div", input, other)
    raise refuse(ValueError(f"For 'div', rounding_mode must be None, 'floor' or 'trunc', got {rounding_mode!r}."))


true_divide = define(
    binary_weak,
    torch.true_divide,
    "Divide element by element; integers yield Float32.",
    "dividend divisor",
    dtypes="any -> float",
)


def floor_divide(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Divide and round down; an integer by zero yields a meaningless number, not an error.

    Args:
        input: a Tensor or number of any shape and dtype.
        other: a Tensor or number that broadcasts against `input`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Raises:
        TypeError: an input is neither a Tensor nor a number.
        ValueError: the shapes do not broadcast.

    Follows: mindspore.ops.floor_divide (2.10).
    """
    return binary(floor_divide_data, "floor_divide", input, other)


floor_div = define(binary, floor_divide_data, "Divide and round down.", "x y", name="floor_div", dtypes="any -> same")


def remainder(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Return the remainder of the division that rounds down; it has the sign of `other`.

    An integer over 0 yields itself.

    Args:
        input: a Tensor or number of any shape and dtype.
        other: a Tensor or number that broadcasts against `input`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Raises:
        TypeError: an input is neither a Tensor nor a number.
        ValueError: the shapes do not broadcast.

    Follows: mindspore.ops.remainder (2.10).
    """
    return binary(_remainder, "remainder", input, other)


def _floor_mod(left: torch.Tensor, right: Any) -> torch.Tensor:
    return _divide_leaving(torch.remainder, left, right, None)


floor_mod = define(
    binary,
    _floor_mod,
    "Return the remainder of the division that rounds down; it has the sign of `y`.",
    "x y",
    dtypes="any -> same",
)


def fmod(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Return the remainder of the division that rounds to zero; it has the sign of `input`.

    An integer over 0 yields itself.

    Args:
        input: a Tensor or number of any shape; any dtype but Complex.
        other: a Tensor or number that broadcasts against `input`; one of the two is a Tensor.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Raises:
        TypeError: no input is a Tensor, or one is complex.
        ValueError: the shapes do not broadcast.

    Follows: mindspore.ops.fmod (2.10).
    """
    return binary(_fmod, "fmod", input, other)


def _truncate_divide(left: torch.Tensor, right: Any) -> torch.Tensor:
    try:
        return truncating_divide(left, right)
    except (RuntimeError, ZeroDivisionError) as error:
        return divide_by_zero(left, right, "trunc", error)


truncate_div = define(
    binary, _truncate_divide, "Divide and round to zero.", "x y", name="truncate_div", dtypes="any -> same"
)


def _truncate_mod(left: torch.Tensor, right: Any) -> torch.Tensor:
    return _divide_leaving(torch.fmod, left, right, None)


truncate_mod = define(
    binary, _truncate_mod, "Return the remainder of the division that rounds to zero.", "x y", dtypes="real -> same"
)


def _xdivy(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    is_zero = left == 0
    return torch.where(is_zero, 0, left / right.masked_fill(is_zero, 1))


xdivy = define(binary_tensors, _xdivy, "Return `x / y`, and 0 where `x` is 0.", "x y", dtypes="any -> float")


divide = div


floordiv = face("floordiv", floor_div, "input other")


tensor_floordiv = floordiv


floormod = tensor_mod = floor_mod


SAME = {"tensor_div": real_div}


def _remainder(left: torch.Tensor, right: Any) -> torch.Tensor:
    return _divide_leaving(torch.remainder, left, right, left)


def _fmod(left: torch.Tensor, right: Any) -> torch.Tensor:
    if type(right) is int and not 0 <= right < 128 and not left.dtype.is_floating_point:  # it may not fit the dtype
        return _divide_leaving(torch.fmod, left.long(), right, left.long()).to(left.dtype)
    return _divide_leaving(torch.fmod, left, right, left)


def _divide_leaving(fn: Function, left: torch.Tensor, right: Any, of_zero: torch.Tensor | None) -> torch.Tensor:
    """Return the remainder of a division, 0 without a sign; that by 0 is `of_zero` (None: the lowest number)."""
    try:
        rest = fn(left, right)
        return rest.add_(0.0) if rest.is_floating_point() else rest
    except (RuntimeError, ZeroDivisionError) as error:
        if left.dtype is torch.bool:
            rest = _divide_leaving(fn, left.to(torch.uint8), torch.as_tensor(right).to(torch.uint8), of_zero)
            return rest.long() if type(right) is int else rest.bool()
        if "ZeroDivisionError" not in str(error):
            raise
        divisor = torch.as_tensor(right, device=left.device).to(left.dtype)
        if of_zero is None:
            of_zero = torch.tensor(torch.iinfo(torch.int32 if left.dtype.itemsize < 4 else left.dtype).min).to(left)
        return torch.where(divisor == 0, of_zero, fn(left, divisor.masked_fill(divisor == 0, 1)))
