"""Arithmetic as it was: the quotient of whole numbers was a whole number, cut off."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.promotion import promote
from msbridge.ops.elementwise.arithmetic import functions
from msbridge.ops.elementwise.arithmetic.kernels import divide_by_zero
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.kernel_calls import families
from msbridge.ops.kernel_calls.families import Number, binary_weak
from msbridge.ops.legacy.r2_0_bool_arithmetic import take_lists
from msbridge.ops.primitive.primitive import derive


def div(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: str | None = None) -> Tensor:
    """Divide element by element; whole numbers keep their dtype, what is behind the point is cut off.

    Args and Raises: as `mindspore.ops.div` of 2.10.

    Follows: mindspore.ops.div (2.0).
    """
    if rounding_mode is None:
        return binary_weak(_divide, "div", input, other)
    return functions.div(input, other, rounding_mode=rounding_mode)


def _divide(left: torch.Tensor, right: Any) -> torch.Tensor:
    if left.dtype.is_floating_point:  # the usual case, decided without a call of torch
        return torch.true_divide(left, right)
    kind = torch.result_type(left, right)
    if kind.is_floating_point or kind.is_complex:
        return torch.true_divide(left, right)
    whole = left.long() if left.dtype is torch.bool else left
    try:
        return torch.div(whole, right, rounding_mode="trunc")
    except (RuntimeError, ZeroDivisionError) as error:
        return divide_by_zero(whole, right, "trunc", error)


def true_divide(dividend: Tensor | Number, divisor: Tensor | Number) -> Tensor:
    """Divide as `div` does.

    Follows: mindspore.ops.true_divide (2.0).
    """
    return div(dividend, divisor)


def xlogy(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Return `input * log(other)`; a number takes the dtype of the Tensor.

    Follows: mindspore.ops.xlogy (2.0).
    """
    return functions.xlogy(_like(input, other), _like(other, input))


def _xlogy(self: Tensor, y: Tensor | Number) -> Tensor:
    return xlogy(self, y)


def _like(value: Tensor | Number, other: Tensor | Number) -> Tensor | Number:
    """Return a number as a Tensor of the other operand's dtype, where that one is of floats.

    Raises:
        TypeError: it is a list or a tuple.
    """
    if isinstance(value, list | tuple):
        raise TypeError(f"For 'xlogy', operands are Tensors and numbers, but got a {type(value).__name__}.")
    if isinstance(value, Tensor) or not isinstance(other, Tensor) or not other._data.is_floating_point():
        return value
    return Tensor(value, other.dtype)


def dividing(self: Tensor, other: Number) -> Tensor:
    """Return `other / self`."""
    return div(other, self)


def refuse_numbers(*kinds: Any) -> Callable[..., Any]:
    """Make the function that returns an operand as torch takes it, and None for these numbers of numpy."""

    def operand(value: Any, op: str, dtype: torch.dtype | None = None) -> Any:
        return None if isinstance(value, kinds) else _today_operand(value, op, dtype)

    return operand


_today_operand = families._operand


def reciprocal(x: Tensor) -> Tensor:
    """Divide one by each element; whole numbers keep their dtype, what is behind the point is cut off.

    Follows: mindspore.ops.Reciprocal (2.0).
    """
    return elementwise.reciprocal(x).astype(x.dtype)


OVERRIDES = {
    "Tensor.__mul__": Part(families, "promote_weak", promote),
    "Tensor.__add__": Part(families, "_operand", refuse_numbers(np.int32, np.uint32)),
    **dict.fromkeys(("Tensor.__itruediv__", "Tensor.div", "Tensor.divide"), div),
    "Tensor.__truediv__": take_lists(div),
    **dict.fromkeys(("ops.div", "ops.divide", "ops.tensor_div"), div),
    **dict.fromkeys(("Tensor.true_divide", "ops.true_divide"), true_divide),
    "Tensor.xlogy": _xlogy,
    "ops.xlogy": xlogy,
    "Tensor.__rtruediv__": take_lists(dividing),
    "ops.Reciprocal": derive("Reciprocal", reciprocal),
    "ops.Div": derive("Div", div),
    "ops.RealDiv": derive("RealDiv", div),
}
