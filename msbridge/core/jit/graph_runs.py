"""Runs of graphs: what is around a function while MindSpore would run it compiled."""

from collections.abc import Callable
from typing import Any

from msbridge.core.context.grad_state import state
from msbridge.core.jit.graph_results import graph_result
from msbridge.core.jit.mistakes import explain
from msbridge.core.jit.return_values import whole
from msbridge.core.tensor.recorded_writes import apply_recorded_writes

__all__ = ["run_graph"]


def run_graph(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run what MindSpore would compile: an outermost graph, or a part of the one that runs."""
    if state.is_graph:
        return whole(function(*args, **kwargs))
    effects, state.is_graph, state.inputs = state.effects, True, (args, kwargs)
    try:
        return graph_result(whole(function(*args, **kwargs)), (*args, *kwargs.values()), effects)
    except (KeyError, ZeroDivisionError) as error:
        raise explain(error) from error
    finally:
        state.is_graph, state.inputs = False, ()
        apply_recorded_writes()
