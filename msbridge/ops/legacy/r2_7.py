"""Casts as they were: a Parameter that has the dtype already was given back itself."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from msbridge.core.context.grad_state import state
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor

_NAMES = ("astype", "bfloat16", "bool", "byte", "double", "float", "half", "int", "long", "short", "to", "type")


def _itself(name: str) -> Callable[..., Any]:
    """Return a Parameter's cast of that name, as it was.

    Follows: mindspore.Parameter.to (2.7).
    """
    today: Callable[..., Any] = getattr(Tensor, name)

    @wraps(today)
    def cast(self: Parameter, *args: Any, **kwargs: Any) -> Any:
        result = today(self, *args, **kwargs)
        if not isinstance(result, Tensor) or result._data is not self._data:
            return result
        state.effects += 1  # of a graph, whose result is a Tensor of its own
        return self

    return cast


OVERRIDES = {f"Parameter.{name}": _itself(name) for name in _NAMES}
