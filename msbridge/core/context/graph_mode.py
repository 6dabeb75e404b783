"""Graph mode: the parts of a script that MindSpore would run as a graph."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from msbridge.core.context import context
from msbridge.core.context.grad_state import state

__all__ = ["as_graph", "is_graph", "is_graph_mode", "within_graph"]


class _Mode:
    """Whether the context's mode is graph mode, settled when the context or the release changes, not in calls."""

    is_graph = False


def _settle_mode() -> None:
    _Mode.is_graph = context.get_context("mode") == context.GRAPH_MODE


_settle_mode()
context.on_change(_settle_mode)


def is_graph_mode() -> bool:
    """Whether the context's mode is graph mode."""
    return _Mode.is_graph


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
    return state.is_graph or _Mode.is_graph


def within_graph() -> bool:
    """Whether the caller is a part of what MindSpore would run as a graph: marked by `jit`, or a `construct`."""
    if state.is_graph or torch.compiler.is_compiling():
        return True
    if not _Mode.is_graph:
        return False
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "construct":
        frame = frame.f_back  # type: ignore[assignment]
    return frame is not None
