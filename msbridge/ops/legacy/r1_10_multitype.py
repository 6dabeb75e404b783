"""Python's operators as functions of 1.10: whole numbers are divided without a rest, numbers combined as bools."""

import operator
from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.comparison import functions
from msbridge.ops.framework.composite import multitype


def _divide(x: Any, y: Any) -> Any:
    """Divide; the quotient of whole numbers of Python is cut off."""
    return int(x / y) if isinstance(x, int) and isinstance(y, int) else x / y


def _both(x: Any, y: Any) -> Any:
    return functions.logical_and(x, y) if isinstance(x, Tensor) and isinstance(y, Tensor) else bool(x and y)


def _either(x: Any, y: Any) -> Any:
    return functions.logical_or(x, y) if isinstance(x, Tensor) and isinstance(y, Tensor) else bool(x or y)


def _zeros(x: Any) -> Any:
    return multitype._zeros(x) if isinstance(x, Tensor) else 0


_FORMS = {
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "div": _divide,
    "logical_and": _both,
    "logical_not": operator.not_,
    "logical_or": _either,
    "zeros_like_leaf": _zeros,
}
OVERRIDES = {
    f"ops.composite.multitype_ops.{name}": Part(multitype, name, multitype.Operator(name, form))
    for name, form in _FORMS.items()
}
