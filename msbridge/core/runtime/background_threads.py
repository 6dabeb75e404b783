"""Threads that work ahead for somebody: how they end, and what a forked process does that has not got them."""

import atexit
import os
import threading
import time
import weakref
from abc import ABC, abstractmethod

__all__ = ["END_S", "LOOK_S", "Worker"]

END_S = 1.0  # how long the process, when it exits, waits for all threads together: user code in them may be stuck
MAX_WAIT_S = 0.1  # how long `close` waits for the lock of the queue, which is otherwise held for microseconds
LOOK_S = 1.0  # how often a thread that rests looks by itself whether it was closed


class Worker(ABC):
    """The end of a queue that daemon threads fill, one or several; `close` ends them.

    A thread does not refer to the objects that users hold, so that these are collected when they are dropped, and close
    the worker then. Collection may happen at any point of any thread, while it holds any lock: so `close` does not wait
    for that of the queue.

    Attributes:
        changed: guards the queue, and notifies both ends of changes.
        is_closed: the threads shall end; what they still make is dropped.
        is_inherited: this is a forked process, the threads belong to the one above.
    """

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.is_closed = False
        self.is_inherited = False
        self._threads: list[threading.Thread] = []

    @abstractmethod
    def work(self) -> None:
        """Fill the queue until it is closed or there is no more; runs in the thread."""

    @abstractmethod
    def drop(self) -> None:
        """Drop what waits in the queue, which nobody will take."""

    def start(self, name: str) -> None:
        """Start a thread."""
        thread = threading.Thread(target=self.work, name=name, daemon=True)
        with _adding:
            _workers.add(self)
        self._threads.append(thread)
        thread.start()

    def close(self) -> None:
        """Request the threads to end, and wake both ends; may be called again."""
        self.is_closed = True
        if self.changed.acquire(timeout=MAX_WAIT_S):  # else whoever has the lock is at work, and looks soon
            try:
                self.drop()
                self.changed.notify_all()
            finally:
                self.changed.release()

    def join(self, timeout_s: float) -> None:
        """Wait for the threads to end, but for the present one."""
        deadline = time.monotonic() + timeout_s
        for thread in list(self._threads):
            if thread is not threading.current_thread() and not self.is_inherited:
                thread.join(max(deadline - time.monotonic(), 0.0))

    def is_alive(self) -> bool:
        """Whether a thread is running."""
        return not self.is_inherited and any(thread.is_alive() for thread in self._threads)


_workers: "weakref.WeakSet[Worker]" = weakref.WeakSet()
_adding = threading.Lock()


@atexit.register
def _end_all() -> None:
    """Close all, and only then wait for all, for one while."""
    with _adding:
        workers = list(_workers)
    for worker in workers:
        worker.close()
    deadline = time.monotonic() + END_S
    for worker in workers:
        worker.join(deadline - time.monotonic())


def _after_fork() -> None:
    """Mark what the threads of the process above fill; one of them may hold any lock, which nobody here releases."""
    global _adding
    _adding = threading.Lock()
    for worker in list(_workers):
        worker.is_inherited = True
        worker.changed = threading.Condition()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
