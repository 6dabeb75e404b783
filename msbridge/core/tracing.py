"""Names of layers in traces: while a profiler records, each call of a Cell is a range with its place in the network.

Outside such a time nothing is asked and nothing is called: the class's own `__call__` is replaced for as long.
"""

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import torch

__all__ = ["begin", "end", "named_in_traces"]

Class = TypeVar("Class", bound=type)
_lock = threading.Lock()
_own: dict[type, Callable[..., Any]] = {}
_recording = 0


class _Place(threading.local):
    """Which calls are under way in this thread, outermost first: the object, and its name in the trace."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, str]] = []


_place = _Place()


def named_in_traces(cls: Class) -> Class:
    """Show the calls of a class's objects in traces; an object has its children by name in `_cells`."""
    _own[cls] = cls.__call__
    return cls


def begin() -> None:
    """Name calls from now on, until `end` has been called as often."""
    global _recording
    with _lock:
        _recording += 1
        if _recording == 1:
            for cls, call in _own.items():
                setattr(cls, "__call__", _named(call))  # noqa: B010  mypy refuses to assign to a method


def end() -> None:
    """Name calls no more, once nobody else wants it."""
    global _recording
    with _lock:
        _recording -= 1
        if _recording == 0:
            for cls, call in _own.items():
                setattr(cls, "__call__", call)  # noqa: B010


def _named(call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def named_call(self: Any, *args: Any, **kwargs: Any) -> Any:
        calls = _place.calls
        parent, path = calls[-1] if calls else (None, "Default")
        own = next((name for name, child in getattr(parent, "_cells", {}).items() if child is self), "network")
        path = f"{path}/{own}-{type(self).__name__}"
        calls.append((self, path))
        try:
            with torch.autograd.profiler.record_function(path):
                return call(self, *args, **kwargs)
        finally:
            calls.pop()

    return named_call
