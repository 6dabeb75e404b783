"""What is done around the calls of a class's objects, for a time.

Outside such a time nothing is asked and nothing is called: the class's own `__call__` stands there again.
"""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["COMPILED", "DIVIDED", "NAMED", "RETURNED", "surroundable", "surrounded", "unsurrounded"]

Call = Callable[..., Any]
Class = TypeVar("Class", bound=type)

COMPILED, RETURNED, NAMED, DIVIDED = range(4)  # what can stand around a call, the innermost first

_lock = threading.Lock()
_own: dict[type, Call] = {}
_around: dict[type, dict[int, Callable[[Call], Call]]] = {}


def surroundable(cls: Class) -> Class:
    """Let things be put around the calls of a class's objects."""
    _own[cls] = cls.__call__
    _around[cls] = {}
    return cls


def surrounded(place: int, around: Callable[[Call], Call]) -> None:
    """Put something around the calls, in place of what stood there.

    Args:
        place: `COMPILED`, `RETURNED`, `NAMED` or `DIVIDED`.
        around: gives the new call of the one inside.
    """
    with _lock:
        for cls, layers in _around.items():
            layers[place] = around
            _put(cls)


def unsurrounded(place: int) -> None:
    """Take away what stands around the calls at a place."""
    with _lock:
        for cls, layers in _around.items():
            layers.pop(place, None)
            _put(cls)


def _put(cls: type) -> None:
    call = _own[cls]
    for _, around in sorted(_around[cls].items()):
        call = around(call)
    setattr(cls, "__call__", call)  # noqa: B010  mypy refuses to assign to a method
