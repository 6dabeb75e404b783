"""Operators on numbers.

Follows: mindspore.ops.operations._scalar_ops (2.10, and 2.0 for `ScalarFloordiv`).
"""

import math
import operator
from collections.abc import Callable
from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.framework.python_values.family import on_values

Number = int | float | bool


def _refuse_zero(function: Callable[[Any, Any], Any], says: str) -> Callable[[Any, Any], Any]:
    def divide(x: Any, y: Any) -> Any:
        if isinstance(y, int | float) and y == 0:
            raise ValueError(says)
        return function(x, y)

    divide.__name__ = function.__name__
    return divide


def _as_tensor(function: Callable[[Any, Any], Any]) -> Callable[[int, int], Tensor]:
    def compute(x: int, y: int) -> Tensor:
        return Tensor(function(x, y))

    compute.__name__ = function.__name__
    return compute


_DIVISION = "The divisor must not be zero."
_ROWS: dict[str, Callable[..., Any]] = {
    "ScalarAdd": operator.add,
    "ScalarBool": bool,
    "ScalarDiv": _refuse_zero(operator.truediv, _DIVISION),
    "ScalarEq": operator.eq,
    "ScalarFloorDiv": _refuse_zero(operator.floordiv, _DIVISION),
    "ScalarFloordiv": _refuse_zero(operator.floordiv, _DIVISION),
    "ScalarGe": operator.ge,
    "ScalarGt": operator.gt,
    "ScalarLe": operator.le,
    "ScalarLog": math.log,
    "ScalarLt": operator.lt,
    "ScalarMax": max,
    "ScalarMin": min,
    "ScalarMod": _refuse_zero(operator.mod, "The divisor of a remainder must not be zero."),
    "ScalarMul": operator.mul,
    "ScalarPow": operator.pow,
    "ScalarSub": operator.sub,
    "ScalarUadd": lambda x: x,
    "ScalarUsub": operator.neg,
    "bit_and": _as_tensor(operator.and_),
    "bit_or": _as_tensor(operator.or_),
    "bool_not": operator.not_,
    "scalar_eq": operator.eq,
    "scalar_ge": operator.ge,
    "scalar_gt": operator.gt,
    "scalar_le": operator.le,
    "scalar_lt": operator.lt,
}

_PRIMITIVES = on_values(_ROWS, "mindspore.ops.operations._scalar_ops")
globals().update(_PRIMITIVES)
__all__ = sorted(_PRIMITIVES)
