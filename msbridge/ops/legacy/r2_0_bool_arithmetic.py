"""Operators of Tensors as they were: those of arithmetic refuse two operands of Bool, and take lists."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls import families

Method = Callable[[Tensor, Any], Any]


def refuse_bools(method: Method) -> Method:
    """Make the method of an operator that refuses two operands of Bool."""

    @wraps(method)
    def compute(self: Tensor, other: Any) -> Any:
        if self._data.dtype is torch.bool and _is_bool(other):
            raise TypeError(f"For '{method.__name__}', one of the operands must be of numbers, both are of Bool.")
        return method(self, other)

    return compute


def take_lists(method: Method) -> Method:
    """Make the method of an operator that takes a list or tuple beside a Tensor, in the Tensor's dtype."""

    @wraps(method)
    def compute(self: Tensor, other: Any) -> Any:
        try:
            return method(self, other)
        except TypeError:
            if not isinstance(other, list | tuple):
                raise
            return method(self, wrap(families._operand(other, "+", self._data.dtype)))

    return compute


def _is_bool(other: Any) -> bool:
    return other._data.dtype is torch.bool if isinstance(other, Tensor) else isinstance(other, bool)


def of_tensors(*names: str) -> list[Part]:
    """Return the operators of these names that refuse two operands of Bool."""
    return [Part(Tensor, name, refuse_bools(getattr(Tensor, name))) for name in names]


_NAMES = ("__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__mod__", "__rmod__", "__pow__")
OVERRIDES = {
    "Tensor.__rpow__": of_tensors("__rpow__"),
    "Tensor.__sub__": [Part(Tensor, name, refuse_bools(take_lists(getattr(Tensor, name)))) for name in _NAMES],
}
