"""Operators of Tensor that differ from their functions: the operand on the left, and comparison with anything."""

from typing import Any

import numpy as np
import torch

from msbridge.core.context.grad_state import state
from msbridge.core.tensor.recorded_writes import rebind
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.elementwise.arithmetic.kernels import floor_divide_data, pow_data, sub_data
from msbridge.ops.elementwise.comparison import functions as comparison
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.kernel_calls.families import Number, binary, binary_weak, number_first
from msbridge.ops.linalg.products_and_norms import functions as linalg


def is_equal(self: Tensor, other: object) -> Any:
    """Return a boolean tensor, true where both are equal; what is neither Tensor nor number is never equal."""
    if other.__class__ in _UNLIKE:
        return False
    try:
        return comparison.equal(self, other)  # type: ignore[arg-type]
    except TypeError:
        if isinstance(other, Tensor | int | float | complex):
            raise
        return False


def is_unequal(self: Tensor, other: object) -> Any:
    """Return a boolean tensor, true where both differ; what is neither Tensor nor number always differs."""
    if other.__class__ in _UNLIKE:
        return True
    try:
        return comparison.not_equal(self, other)  # type: ignore[arg-type]
    except TypeError:
        if isinstance(other, Tensor | int | float | complex):
            raise
        return True


_UNLIKE = frozenset({type(None), str, list, tuple, dict, complex, *np.sctypeDict.values()} - {np.float64})
"""What a Tensor is never equal to: also numbers of numpy's, but for float64, which is one of Python's."""


def add_assigned(self: Tensor, other: Tensor | Number) -> Tensor:
    """Return the result of `self += other`."""
    return _copy_of_assigned(self, other, add(self, other))


def subtract_assigned(self: Tensor, other: Tensor | Number) -> Tensor:
    """Return the result of `self -= other`."""
    return _copy_of_assigned(self, other, subtract(self, other))


def multiply_assigned(self: Tensor, other: Tensor | Number) -> Tensor:
    """Return the result of `self *= other`."""
    return _copy_of_assigned(self, other, arithmetic.mul(*_copies_of_views(self, other)))


def divide_assigned(self: Tensor, other: Tensor | Number) -> Tensor:
    """Return the result of `self /= other`."""
    return _copy_of_assigned(self, other, arithmetic.true_divide(*_copies_of_views(self, other)))


def floor_divide_assigned(self: Tensor, other: Tensor | Number) -> Tensor:
    """Return the result of `self //= other`."""
    return _copy_of_assigned(self, other, floor_divided(self, other))


def remainder_assigned(self: Tensor, other: Tensor | Number) -> Tensor:
    """Return the result of `self %= other`."""
    return _copy_of_assigned(self, other, arithmetic.floor_mod(self, other))


def _copy_of_assigned(self: Tensor, other: Any, value: Tensor) -> Tensor:
    """Return a new Tensor, as MindSpore does without an Ascend; in a graph the same one, which has the values now."""
    if not state.is_graph or value._data.shape != self._data.shape:
        return value
    if self._data.dtype == torch.bool or type(other) in (tuple, list):
        return value
    rebind(self, value._data)
    return self


def _copies_of_views(self: Tensor, other: Any) -> tuple[Any, Any]:
    """Return copies of what is part of another tensor, where gradients are recorded.

    `x[0] *= y` writes the product to where the factor is, which the backward pass has yet to read.
    """
    return (_apart(self), _apart(other)) if state.depth else (self, other)


def _apart(value: Any) -> Any:
    data = getattr(value, "_data", None)
    return wrap(data.clone()) if data is not None and data.requires_grad and data._is_view() else value


def add(self: Tensor, other: Tensor | Number) -> Tensor:
    """Return `self + other`."""
    return binary(torch.add, "+", self, other)


def subtract(self: Tensor, other: Tensor | Number) -> Tensor:
    """Return `self - other`."""
    return binary(sub_data, "-", self, other)


def reverse_subtract(self: Tensor, other: Number) -> Tensor:
    """Return `other - self`."""
    return number_first(sub_data, "-", other, self)


def dividing(self: Tensor, other: Number) -> Tensor:
    """Return `other / self`."""
    return number_first(torch.true_divide, "div", other, self, binary_weak)


def floor_divided(self: Tensor, other: Tensor | Number) -> Tensor:
    """Return `self // other`."""
    return binary(floor_divide_data, "//", self, other)


def floor_dividing(self: Tensor, other: Number) -> Tensor:
    """Return `other // self`."""
    return binary(floor_divide_data, "//", other, self)


def remainder_of(self: Tensor, other: Number) -> Tensor:
    """Return `other % self`."""
    return arithmetic.floor_mod(other, self)


def exponent_of(self: Tensor, other: Number) -> Tensor:
    """Return `other ** self`."""
    return binary(pow_data, "**", other, self)


def reverse_matmul(self: Tensor, other: Tensor) -> Tensor:
    """Return `other @ self`."""
    return linalg.matmul(other, self)


def round_half_to_even(self: Tensor) -> Tensor:
    """Round to integers, halves to the even neighbour."""
    return elementwise.round(self)
