"""Runs of graphs: what is around a function while MindSpore would run it compiled."""

from collections.abc import Callable
from typing import Any

import numpy as np

from msbridge.core.context.grad_state import state
from msbridge.core.jit.graph_results import graph_result
from msbridge.core.jit.mistakes import explain
from msbridge.core.jit.return_values import whole
from msbridge.core.tensor.recorded_writes import apply_recorded_writes

__all__ = ["run_graph"]

_WHOLE = (np.bool_, np.int8, np.int16, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)
_NUMPY_NUMBERS = frozenset({*_WHOLE, np.float16, np.float32, np.float64})
"""Scalars of numpy that are Python's numbers in a graph, where it is given them; an int32 is none of them (2.10)."""


def run_graph(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run what MindSpore would compile: an outermost graph, or a part of the one that runs."""
    if state.is_graph:
        return whole(function(*args, **kwargs))
    if not _NUMPY_NUMBERS.isdisjoint(map(type, (*args, *kwargs.values()))):
        args = tuple(map(_as_number, args))
        kwargs = {name: _as_number(value) for name, value in kwargs.items()}
    effects, state.is_graph, state.inputs = state.effects, True, (args, kwargs)
    try:
        return graph_result(whole(function(*args, **kwargs)), (*args, *kwargs.values()), effects)
    except (KeyError, ZeroDivisionError) as error:
        raise explain(error) from error
    finally:
        state.is_graph, state.inputs = False, ()
        apply_recorded_writes()


def _as_number(value: Any) -> Any:
    return value.item() if type(value) in _NUMPY_NUMBERS else value
