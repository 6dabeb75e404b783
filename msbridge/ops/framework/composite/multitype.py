"""Python's operators as functions with a body for each combination of types, to which a script may register more.

MindSpore's compiler takes them for `+`, `x[i]` and their like; here a call does what Python's operator does, unless a
body is registered for the types of its arguments.

Follows: mindspore.ops.composite.multitype_ops (2.10).
"""

import operator
from collections.abc import Callable
from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.framework.composite.functions import HyperMap, MultitypeFuncGraph
from msbridge.ops.framework.creation import functions as creation

Function = Callable[..., Any]


class Operator(MultitypeFuncGraph):
    """An operator of Python, and what is registered beside it.

    Args:
        name: its name.
        function: what a call does for types that nothing is registered for.
    """

    def __init__(self, name: str, function: Function) -> None:
        super().__init__(name, read_value=True)
        self._otherwise = function

    def _body_for(self, args: tuple[Any, ...]) -> Function:
        try:
            return super()._body_for(args)
        except ValueError:
            return self._otherwise


def _contains(element: Any, values: Any) -> bool:
    return element in values


def _missing(element: Any, values: Any) -> bool:
    return element not in values


def _set_item(values: Any, index: Any, value: Any) -> Any:
    values[index] = value
    return values


def _both(x: Any, y: Any) -> Any:
    return x and y


def _either(x: Any, y: Any) -> Any:
    return x or y


def _zeros(x: Any) -> Any:
    return creation.zeros_like(x) if isinstance(x, Tensor) else type(x)(0)


def _ones(x: Any) -> Any:
    return creation.ones_like(x) if isinstance(x, Tensor) else type(x)(1)


def _ones_for_grad(x: Any) -> Any:
    return _ones(x) if isinstance(x, Tensor | bool | int | float | complex) else x


_OPERATORS: dict[str, Function] = {
    "add": operator.add,
    "augassign_add": operator.add,
    "augassign_div": operator.truediv,
    "augassign_floordiv": operator.floordiv,
    "augassign_mod": operator.mod,
    "augassign_mul": operator.mul,
    "augassign_sub": operator.sub,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "div": operator.truediv,
    "equal": operator.eq,
    "floordiv": operator.floordiv,
    "getitem": operator.getitem,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "in_": _contains,
    "invert": operator.invert,
    "left_shift": operator.lshift,
    "less": operator.lt,
    "less_equal": operator.le,
    "logical_and": _both,
    "logical_not": operator.not_,
    "logical_or": _either,
    "mod": operator.mod,
    "mul": operator.mul,
    "negative": operator.neg,
    "not_equal": operator.ne,
    "not_in_": _missing,
    "ones_like_leaf": _ones,
    "pow_": operator.pow,
    "right_shift": operator.rshift,
    "setitem": _set_item,
    "sub": operator.sub,
    "uadd": operator.pos,
    "zeros_like_leaf": _zeros,
}

_FUNCTIONS: dict[str, Any] = {name: Operator(name, function) for name, function in _OPERATORS.items()}
zeros_like = HyperMap(_FUNCTIONS["zeros_like_leaf"])
ones_like = HyperMap(_FUNCTIONS["ones_like_leaf"])
_ones_like_for_grad = HyperMap(Operator("ones_like_leaf_for_grad", _ones_for_grad))
hyper_add = HyperMap(_FUNCTIONS["add"])
globals().update(_FUNCTIONS)
__all__ = sorted([*_FUNCTIONS, "hyper_add", "ones_like", "zeros_like"])
