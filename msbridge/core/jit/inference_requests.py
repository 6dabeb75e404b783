"""Requests to prepare inference, which jit_level "O1" makes on a CPU, and which of them a call is.

The level of a function of `jit` holds while it runs; that of the context does in functions of `jit` without one, and in
graph mode for all calls. Then an outermost Cell in inference runs by a plan (`nn.inference`), of which the Cells below
are parts:

    jit(jit_level="O1")  ── asking ──►  Cell.__call__ ── inside ──►  plan, or construct ──►  Cell.__call__, as ever
    set_context(mode=GRAPH_MODE, jit_level="O1")  ──►  Cell.__call__
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from msbridge.core.context import context
from msbridge.core.context.graph_mode import is_graph_mode

__all__ = ["LEVEL", "are_made", "asking", "call_by_plan", "inside", "is_outermost", "on_first_request", "withdraw"]

LEVEL = "O1"


class _Thread(threading.local):
    is_asked = False  # a function of this level runs
    is_inside = False  # a Cell runs that is prepared, with those below it


class _Requests:
    """The requests of functions, and what follows them: rooms above this one.

    Attributes:
        are_made: whether a function has asked.
        follow: is called when the first one does.
        call: calls a Cell's `construct` by a plan.
    """

    are_made = False
    follow: Callable[[], None] = staticmethod(lambda: None)
    call: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]


_thread = _Thread()


def on_first_request(follow: Callable[[], None], call: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]) -> None:
    """Set what is called when a function asks first, and what calls a Cell by a plan."""
    _Requests.follow, _Requests.call = staticmethod(follow), staticmethod(call)


def are_made() -> bool:
    """Whether calls of Cells may be asked to run by plans."""
    return _Requests.are_made or _of_context()


def is_outermost() -> bool:
    """Whether a Cell that is called now in inference is to run by a plan."""
    return (_thread.is_asked or _of_context()) and not _thread.is_inside


def _of_context() -> bool:
    return is_graph_mode() and context.jit_level() == LEVEL


@contextmanager
def asking() -> Iterator[None]:
    """Request plans for the outermost Cells that the block calls."""
    if not _Requests.are_made:
        _Requests.are_made = True
        _Requests.follow()
    before, _thread.is_asked = _thread.is_asked, True
    try:
        yield
    finally:
        _thread.is_asked = before


def withdraw() -> None:
    """Forget that functions have asked: calls of Cells are plain again until one does."""
    if _Requests.are_made:
        _Requests.are_made = False
        _Requests.follow()


@contextmanager
def inside() -> Iterator[None]:
    """Run the block as a Cell that is prepared, with those below it."""
    _thread.is_inside = True
    try:
        yield
    finally:
        _thread.is_inside = False


def call_by_plan(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the `construct` of a Cell by a plan; it is a function of this level itself."""
    with inside():
        return _Requests.call(cell, args, kwargs)
