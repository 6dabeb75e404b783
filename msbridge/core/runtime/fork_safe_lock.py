"""Locks for what only one thread may do at a time."""

import os
import threading
import weakref
from typing import Any

__all__ = ["Turn"]


class Turn:
    """A lock that its thread may take again. Copies have locks of their own; in a forked process it is free."""

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self._lock = threading.RLock()
        with _adding:
            _turns.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[Any, ...]:
        return Turn, ()

    def after_fork(self) -> None:
        """Free it where another thread had it, which this process lacks."""
        if not self._lock.acquire(blocking=False):
            self._lock = threading.RLock()
        else:
            self._lock.release()


_adding = threading.Lock()
_turns: "weakref.WeakSet[Turn]" = weakref.WeakSet()


def _after_fork() -> None:
    global _adding
    _adding = threading.Lock()
    for turn in list(_turns):
        turn.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
