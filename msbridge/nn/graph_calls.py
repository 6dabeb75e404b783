"""Calls of Cells in graph mode, where MindSpore runs the outermost Cell and all below it as one graph."""

from collections.abc import Callable
from typing import Any

from msbridge.core import context
from msbridge.core.graph_results import returned
from msbridge.core.recording import state
from msbridge.core.surrounding import RETURNED, surrounded, unsurrounded

__all__ = ["follow_mode"]


def _as_graphs(call: Callable[..., Any]) -> Callable[..., Any]:
    def call_in_graph(self: Any, *args: Any, **kwargs: Any) -> Any:
        if state.is_graph or state.depth:
            return call(self, *args, **kwargs)
        effects, state.is_graph = state.effects, True
        try:
            result = call(self, *args, **kwargs)
        finally:
            state.is_graph = False
        return returned(result, (*args, *kwargs.values()), effects)

    return call_in_graph


def follow_mode() -> None:
    """Have the outermost Cells be graphs as long as the context says so."""
    if context.get_context("mode") == context.GRAPH_MODE:
        surrounded(RETURNED, _as_graphs)
    else:
        unsurrounded(RETURNED)
