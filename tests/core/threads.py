"""Threads in tests."""

import threading
from collections.abc import Callable
from typing import Any


def in_thread(function: Callable[[], Any], timeout_s: float = 120.0) -> Any:
    """Call `function` in a thread of its own, wait for it, and return or raise what it does."""
    done: list[Any] = []

    def run() -> None:
        try:
            done.append((function(), None))
        except BaseException as error:
            done.append((None, error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(timeout_s)
    if not done:
        raise TimeoutError(f"The thread has not ended in {timeout_s} s.")
    result, error = done[0]
    if error is not None:
        raise error
    return result
