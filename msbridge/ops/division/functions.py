"""Quotients and remainders of two operands, with implicit promotion."""

from typing import Any

import torch

from msbridge.core.tensor import Tensor
from msbridge.ops.families import Function, Number, binary, binary_tensors, binary_weak

__all__ = [
    "div",
    "divide",
    "floor_div",
    "floor_divide",
    "floor_mod",
    "floordiv",
    "floormod",
    "fmod",
    "remainder",
    "tensor_div",
    "tensor_floordiv",
    "tensor_mod",
    "true_divide",
    "truncate_div",
    "truncate_mod",
    "xdivy",
]


def div(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: str | None = None) -> Tensor:
    """Divide element by element; integers give Float32.

    Args:
        input: the dividend.
        other: the divisor.
        rounding_mode: None, "floor" or "trunc".

    Raises:
        ValueError: another `rounding_mode`.

    Follows: mindspore.ops.div (2.10).
    """
    if rounding_mode is None:
        return binary_weak(torch.true_divide, "div", input, other)
    if rounding_mode == "floor":
        return binary_weak(_floor_divide, "div", input, other)
    if rounding_mode == "trunc":
        return binary_weak(_truncate_divide, "div", input, other)
    raise ValueError(f"For 'div', rounding_mode must be None, 'floor' or 'trunc', got {rounding_mode!r}.")


def true_divide(dividend: Tensor | Number, divisor: Tensor | Number) -> Tensor:
    """Divide element by element; integers give Float32.

    Follows: mindspore.ops.true_divide (2.10).
    """
    return binary_weak(torch.true_divide, "true_divide", dividend, divisor)


def floor_divide(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Divide and round down; an integer by zero gives a meaningless number, not an error.

    Follows: mindspore.ops.floor_divide (2.10).
    """
    return binary(_floor_divide, "floor_divide", input, other)


def floor_div(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Divide and round down.

    Follows: mindspore.ops.floor_div (2.10).
    """
    return binary(_floor_divide, "floor_div", x, y)


def remainder(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Give the remainder of the division that rounds down; it has the sign of `other`.

    Follows: mindspore.ops.remainder (2.10).
    """
    return binary(_floor_remainder, "remainder", input, other)


def floor_mod(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Give the remainder of the division that rounds down; it has the sign of `y`.

    Follows: mindspore.ops.floor_mod (2.10).
    """
    return binary(_floor_remainder, "floor_mod", x, y)


def fmod(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Give the remainder of the division that rounds to zero; it has the sign of `input`.

    Follows: mindspore.ops.fmod (2.10).
    """
    return binary(_truncated_remainder, "fmod", input, other)


def truncate_div(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Divide and round to zero.

    Follows: mindspore.ops.truncate_div (2.10).
    """
    return binary(_truncate_divide, "truncate_div", x, y)


def truncate_mod(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Give the remainder of the division that rounds to zero.

    Follows: mindspore.ops.truncate_mod (2.10).
    """
    return binary(_truncated_remainder, "truncate_mod", x, y)


def xdivy(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Give `x / y`, and 0 where `x` is 0.

    Follows: mindspore.ops.xdivy (2.10).
    """
    return binary_tensors(_xdivy, "xdivy", x, y)


divide = div


floordiv = tensor_floordiv = floor_div


floormod = tensor_mod = floor_mod


def real_div(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Divide element by element; integers stay integers, rounded to zero.

    Follows: mindspore.ops.RealDiv (2.10).
    """
    return binary_weak(_real_divide, "RealDiv", x, y)


tensor_div = real_div


def div_no_nan(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Divide element by element, giving 0 where the divisor is 0.

    Follows: mindspore.ops.DivNoNan (2.10).
    """
    return binary_tensors(_divide_no_nan, "DivNoNan", x, y)


def _floor_divide(left: torch.Tensor, right: Any) -> torch.Tensor:
    # torch.floor_divide has no gradient
    try:
        return torch.div(left, right, rounding_mode="floor")
    except (RuntimeError, ZeroDivisionError) as error:
        if left.dtype is torch.bool:
            return _floor_divide(left.to(torch.uint8), torch.as_tensor(right, dtype=torch.uint8)).bool()
        if "ZeroDivisionError" not in str(error):
            raise
        divisor = torch.as_tensor(right, dtype=left.dtype, device=left.device)
        limits = torch.iinfo(left.dtype)
        extreme = torch.where(left > 0, limits.max, limits.min).masked_fill(left == 0, 0).to(left.dtype)
        safe = divisor.masked_fill(divisor == 0, 1)
        return torch.where(divisor == 0, extreme, torch.div(left, safe, rounding_mode="floor"))


def _floor_remainder(left: torch.Tensor, right: Any) -> torch.Tensor:
    return _remainder(torch.remainder, left, right)


def _truncated_remainder(left: torch.Tensor, right: Any) -> torch.Tensor:
    return _remainder(torch.fmod, left, right)


def _remainder(fn: Function, left: torch.Tensor, right: Any) -> torch.Tensor:
    try:
        return fn(left, right)
    except (RuntimeError, ZeroDivisionError) as error:
        if "ZeroDivisionError" not in str(error):
            raise
        divisor = torch.as_tensor(right, dtype=left.dtype, device=left.device)
        lowest = torch.iinfo(left.dtype).min
        return torch.where(divisor == 0, lowest, fn(left, divisor.masked_fill(divisor == 0, 1)))


def _truncate_divide(left: torch.Tensor, right: Any) -> torch.Tensor:
    return torch.div(left, right, rounding_mode="trunc")


def _real_divide(left: torch.Tensor, right: Any) -> torch.Tensor:
    is_integer = not (left.is_floating_point() or left.is_complex() or isinstance(right, float))
    return torch.div(left, right, rounding_mode="trunc" if is_integer else None)


def _divide_no_nan(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    is_zero = right == 0
    return torch.where(is_zero, 0, left / right.masked_fill(is_zero, 1)).to((left / 1).dtype)


def _xdivy(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    is_zero = left == 0
    return torch.where(is_zero, 0, left / right.masked_fill(is_zero, 1))
