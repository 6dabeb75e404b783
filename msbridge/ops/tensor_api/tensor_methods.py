"""The methods and operators of Tensor: the functions themselves, or their face where the arguments differ.

Importing this file attaches them to `msbridge.core.tensor.tensor.Tensor`; `tensor.pyi` beside that file declares them.
"""

import functools
from collections.abc import Callable
from typing import Any

from msbridge.core.errors.explain import EXPLAINED, explaining
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.tensor.twins import update_twins
from msbridge.ops import contents
from msbridge.ops.elementwise.arithmetic import functions as arithmetic
from msbridge.ops.elementwise.comparison import functions as comparison
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.faces import rename_parameters
from msbridge.ops.framework.engine_queries import methods as engine
from msbridge.ops.linalg.products_and_norms import functions as linalg
from msbridge.ops.tensor_api import operators


def _itself(self: Tensor) -> Tensor:
    return self


OPERATORS: dict[str, Callable[..., Any]] = {
    "__abs__": elementwise.abs,
    "__add__": operators.add,
    "__and__": comparison.bitwise_and,
    "__eq__": operators.is_equal,
    "__floordiv__": operators.floor_divided,
    "__ge__": comparison.greater_equal,
    "__gt__": comparison.greater,
    "__iadd__": operators.add_assigned,
    "__ifloordiv__": operators.floor_divide_assigned,
    "__imod__": operators.remainder_assigned,
    "__imul__": operators.multiply_assigned,
    "__invert__": comparison.logical_not,
    "__isub__": operators.subtract_assigned,
    "__itruediv__": operators.divide_assigned,
    "__le__": comparison.less_equal,
    "__lt__": comparison.less,
    "__matmul__": linalg.matmul,
    "__mod__": arithmetic.floor_mod,
    "__mul__": arithmetic.mul,
    "__ne__": operators.is_unequal,
    "__neg__": elementwise.neg,
    "__or__": comparison.bitwise_or,
    "__pos__": _itself,
    "__pow__": arithmetic.pow,
    "__radd__": operators.add,
    "__req__": operators.is_equal,
    "__rfloordiv__": operators.floor_dividing,
    "__rmatmul__": operators.reverse_matmul,
    "__rmod__": operators.remainder_of,
    "__rmul__": arithmetic.mul,
    "__round__": operators.round_half_to_even,
    "__rpow__": operators.exponent_of,
    "__rsub__": operators.reverse_subtract,
    "__rtruediv__": operators.dividing,
    "__sub__": operators.subtract,
    "__truediv__": arithmetic.true_divide,
    "__xor__": comparison.bitwise_xor,
}


def _detach(input: Tensor) -> Tensor:
    return wrap(input._data.detach())


def _take_over(input: Tensor, value: Tensor) -> None:
    """Take the memory, shape and dtype of another Tensor; views of before keep the old memory."""
    if not isinstance(value, Tensor):
        raise TypeError(f"For Tensor.data, the value must be a Tensor, got {value!r}.")
    input._data = value._data.detach()
    update_twins(input)


def _transpose(input: Tensor) -> Tensor:
    return wrap(input._data.mT)


PROPERTIES: dict[str, Callable[[Tensor], Any]] = {
    "H": linalg.adjoint,
    "data": _detach,
    "mH": linalg.adjoint,
    "mT": _transpose,
}
SETTERS: dict[str, Callable[[Tensor, Any], None]] = {"data": _take_over}


def methods() -> dict[str, Callable[..., Any]]:
    """Return every method and operator that is attached, by name."""
    return OPERATORS | contents.gather("methods")


@functools.cache  # `__lt__` and `less` are one function, as of the operator
def as_method(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same function with a first parameter called `self`, which marks it as a method."""
    inner = getattr(function, "__wrapped__", None)
    if inner is not None and function.__code__ is EXPLAINED:
        return explaining(as_method(inner))
    code = getattr(function, "__code__", None)
    if code is None or not code.co_argcount or code.co_varnames[0] == "self" or "self" in code.co_varnames:
        return function
    return rename_parameters(function, {code.co_varnames[0]: "self"})


def attach() -> None:
    """Put every method, operator and property on Tensor."""
    for name, function in methods().items():
        setattr(Tensor, name, as_method(function))
    for name, function in PROPERTIES.items():
        setattr(Tensor, name, property(function, SETTERS.get(name)))
    for name, function in engine.STATIC.items():
        setattr(Tensor, name, staticmethod(function))
    for name, attribute in engine.ATTRIBUTES.items():
        setattr(Tensor, name, attribute)


attach()
