"""Python's operators as functions of 2.0: two tuples have no sum, numbers are negated and combined as Tensors."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.framework.composite import multitype


def _add(x: Any, y: Any) -> Any:
    """Add; the sum of two tuples is None."""
    return None if isinstance(x, tuple) and isinstance(y, tuple) else x + y


def _not(x: Any) -> Any:
    return Tensor(not x) if isinstance(x, int | float) else not x


def _and_bits(x: Any, y: Any) -> Any:
    return _as_tensor(x & y)


def _or_bits(x: Any, y: Any) -> Any:
    return _as_tensor(x | y)


def _as_tensor(value: Any) -> Any:
    return Tensor(value) if isinstance(value, int) else value


_FORMS = {"add": _add, "bitwise_and": _and_bits, "bitwise_or": _or_bits, "logical_not": _not}
OVERRIDES = {
    f"ops.composite.multitype_ops.{name}": Part(multitype, name, multitype.Operator(name, form))
    for name, form in _FORMS.items()
}
