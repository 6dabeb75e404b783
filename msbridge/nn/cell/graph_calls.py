"""Calls of Cells in graph mode, where MindSpore runs the outermost Cell and all below it as one graph."""

from collections.abc import Callable, Iterable
from functools import partial
from types import FunctionType
from typing import Any
from weakref import WeakSet, WeakValueDictionary

from msbridge.core.checks.stack_frames import is_ours
from msbridge.core.context import context
from msbridge.core.context.grad_state import state
from msbridge.core.jit.graph_runs import run_graph
from msbridge.core.jit.graph_semantics import as_read
from msbridge.core.runtime.call_wrappers import CELL_CALLS, Layer

__all__ = ["follow_mode"]


def _as_graphs(call: Callable[..., Any]) -> Callable[..., Any]:
    def call_in_graph(self: Any, *args: Any, **kwargs: Any) -> Any:
        if state.is_graph or state.depth:
            if type(self) not in _read:
                _compile_construct(type(self))
            return call(self, *args, **kwargs)
        if _outermost.get(id(self)) is not self:
            _outermost[id(self)] = self
            for kind in {type(cell) for cell in _cells_of(self, {})} - set(_read):  # before a compiler traces
                _compile_construct(kind)
        return run_graph(partial(call, self), args, kwargs)

    return call_in_graph


def _cells_of(cell: Any, seen: dict[int, Any]) -> Iterable[Any]:
    """Return a Cell and all Cells below it, each once, by identity: a script's class may have no hash."""
    if cell is not None and id(cell) not in seen:
        seen[id(cell)] = cell
        for child in cell._cells.values():
            _cells_of(child, seen)
    return seen.values()


def _compile_construct(cls: type) -> None:
    """Make the `construct` of a user's class mean in graphs what the compiler reads; elsewhere it means what it did."""
    _read.add(cls)
    for owner in cls.__mro__:
        construct = owner.__dict__.get("construct")
        if construct is not None:
            if isinstance(construct, FunctionType) and not is_ours(construct.__code__.co_filename):
                owner.construct = as_read(construct)  # type: ignore[attr-defined]
            return


_read: WeakSet[type] = WeakSet()
# Cells whose classes, and those of all Cells below, have been read, by identity.
_outermost: WeakValueDictionary[int, Any] = WeakValueDictionary()


def follow_mode() -> None:
    """Run the outermost Cells as graphs while the context says so."""
    if context.get_context("mode") == context.GRAPH_MODE:
        CELL_CALLS.wrap(Layer.GRAPH, _as_graphs)
    else:
        CELL_CALLS.unwrap(Layer.GRAPH)
