"""Names of layers in traces: while a profiler records, each call of a Cell is a range with its place in the network."""

import functools
import threading
from collections.abc import Callable
from typing import Any

import torch

from msbridge.core.runtime.call_wrappers import CELL_CALLS, Layer

__all__ = ["begin", "end"]

_lock = threading.Lock()
_recording = 0


class _Place(threading.local):
    """The stack of calls under way in this thread, outermost first: the object, and its name in the trace."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, str]] = []


_place = _Place()


def begin() -> None:
    """Name calls from now on, until `end` has been called as often."""
    global _recording
    with _lock:
        _recording += 1
        if _recording == 1:
            CELL_CALLS.wrap(Layer.PROFILED, _name_call)


def end() -> None:
    """Name calls no more, once nobody else wants it."""
    global _recording
    with _lock:
        _recording -= 1
        if _recording == 0:
            CELL_CALLS.unwrap(Layer.PROFILED)


def _name_call(call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def named_call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if torch.compiler.is_compiling():
            return call(self, *args, **kwargs)
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
