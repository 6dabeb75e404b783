"""Computations that the faces of arithmetic share."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.kernel_calls.definitions import define
from msbridge.ops.kernel_calls.families import Number, binary, binary_tensors, binary_weak


def mul_no_nan(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Multiply element by element, giving 0 where `y` is 0, for any `x`.

    Args:
        x: a Tensor or number.
        y: a Tensor or number that broadcasts against `x`; one of the two is a Tensor.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Follows: mindspore.ops.MulNoNan (2.10).
    """
    return binary_tensors(_multiply_no_nan, "MulNoNan", x, y)


def sub_data(left: torch.Tensor, right: torch.Tensor | Number) -> torch.Tensor:
    """Return `left - right`; bools are subtracted as MindSpore does."""
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


def pow_data(base: torch.Tensor, exponent: torch.Tensor | Number) -> torch.Tensor:
    """Return `base` to the power of `exponent`; a negative one of integers is of their dtype."""
    if isinstance(exponent, int) and exponent < 0 and not base.is_floating_point() and not base.is_complex():
        base = base.long() if base.dtype is torch.bool else base
        exponent = torch.tensor(exponent, device=base.device).to(base.dtype)
    return torch.pow(base, exponent)


def floor_divide_data(left: torch.Tensor, right: Any) -> torch.Tensor:
    """Return the quotient, rounded down; integers have one by zero, too."""
    # torch.floor_divide has no gradient
    try:
        return torch.div(left, right, rounding_mode="floor")
    except (RuntimeError, ZeroDivisionError) as error:
        return divide_by_zero(left, right, "floor", error)


def _multiply_no_nan(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    return torch.where(right == 0, 0, left * right)


def _squared_difference(left: torch.Tensor, right: torch.Tensor | Number) -> torch.Tensor:
    return torch.square(sub_data(left, right))


squared_difference = define(
    binary, _squared_difference, "Return (x - y)².", "x y", op="SquaredDifference", dtypes="any -> number"
)


def real_div(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Divide element by element; integers stay integers, rounded to zero.

    Args:
        x: the dividend, a Tensor or number.
        y: the divisor, a Tensor or number that broadcasts against `x`.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Follows: mindspore.ops.RealDiv (2.10).
    """
    return binary_weak(_real_divide, "RealDiv", x, y)


def div_no_nan(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Divide element by element, giving 0 where the divisor is 0.

    Args:
        x: the dividend, a Tensor or number.
        y: the divisor, a Tensor or number that broadcasts against `x`; one of the two is a Tensor.

    Returns:
        A Tensor of the broadcast shape and the promoted dtype.

    Follows: mindspore.ops.DivNoNan (2.10).
    """
    return binary_tensors(_divide_no_nan, "DivNoNan", x, y)


def _real_divide(left: torch.Tensor, right: Any) -> torch.Tensor:
    is_integer = not (left.is_floating_point() or left.is_complex() or isinstance(right, float))
    return truncating_divide(left, right) if is_integer else torch.div(left, right)


def truncating_divide(left: torch.Tensor, right: Any) -> torch.Tensor:
    """Divide, rounded to zero; the lowest whole number by -1 stays itself: the processor would end the program."""
    if left.dtype not in (torch.int32, torch.int64) or not left.is_cpu:
        return torch.div(left, right, rounding_mode="trunc")
    is_turned = torch.as_tensor(right == -1)
    safe = torch.where(is_turned, 1, right)
    return torch.where(is_turned, -left, torch.div(left, safe, rounding_mode="trunc"))


def _divide_no_nan(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    is_zero = right == 0
    return torch.where(is_zero, 0, left / right.masked_fill(is_zero, 1)).to((left / 1).dtype)


def divide_by_zero(left: torch.Tensor, right: Any, rounding_mode: str, error: Exception) -> torch.Tensor:
    """Divide whole numbers where torch did not: one by zero is the dtype's extreme, bools divide as numbers do."""
    if left.dtype is torch.bool:
        divisor = torch.as_tensor(right, dtype=torch.uint8)
        try:
            return torch.div(left.to(torch.uint8), divisor, rounding_mode=rounding_mode).bool()
        except (RuntimeError, ZeroDivisionError) as again:
            return divide_by_zero(left.to(torch.uint8), divisor, rounding_mode, again).bool()
    if "ZeroDivisionError" not in str(error):
        raise error
    divisor = torch.as_tensor(right, device=left.device).to(left.dtype)
    limits = torch.iinfo(left.dtype)
    extreme = torch.where(left > 0, limits.max, limits.min).masked_fill(left == 0, 0).to(left.dtype)
    safe = divisor.masked_fill(divisor == 0, 1)
    quotient = (
        truncating_divide(left, safe)
        if rounding_mode == "trunc"
        else torch.div(left, safe, rounding_mode=rounding_mode)
    )
    return torch.where(divisor == 0, extreme, quotient)
