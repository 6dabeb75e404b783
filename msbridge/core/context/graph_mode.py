"""What of a script MindSpore would run as a graph."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from msbridge.core.context import context
from msbridge.core.context.grad_state import state

__all__ = ["as_graph", "is_graph", "within_graph"]


@contextmanager
def as_graph() -> Iterator[None]:
    """Run the block as a part of a graph."""
    outer, state.is_graph = state.is_graph, True
    try:
        yield
    finally:
        state.is_graph = outer


def is_graph() -> bool:
    """Whether MindSpore would run a Cell or gradient function that is called now as a graph."""
    return state.is_graph or context.get_context("mode") == context.GRAPH_MODE


def within_graph() -> bool:
    """Whether the caller is a part of what MindSpore would run as a graph: marked by `jit`, or a `construct`."""
    if state.is_graph or torch.compiler.is_compiling():
        return True
    if context.get_context("mode") != context.GRAPH_MODE:
        return False
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "construct":
        frame = frame.f_back  # type: ignore[assignment]
    return frame is not None
