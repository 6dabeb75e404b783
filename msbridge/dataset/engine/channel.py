"""Channel: a bounded queue of rows from the producer thread to the iterator."""

import atexit
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

LIMIT_BYTES = 256 * 2**20  # read ahead at most, whatever the number of rows: large batches must not fill the memory
LEAST = 2
GROUP = 4  # rows computed quickly are announced in groups: waking the consumer costs as much as a small batch
QUICK_S = 1e-3
PATIENCE_S = 2e-3  # how long a consumer may overlook rows that nobody announced

_END = object()


class Channel:
    """A bounded queue. The producer thread refers to this object only, so dropping the iterator ends the thread.

    Args:
        rows: returns the iterator over the rows; called in the thread.
        capacity: how many rows may wait.
        size_of: returns a row's size in bytes.
    """

    def __init__(self, rows: Callable[[], Iterator[Any]], capacity: int, size_of: Callable[[Any], int]) -> None:
        self._capacity = max(capacity, LEAST)
        self._size_of = size_of
        self._waiting: deque[tuple[Any, int]] = deque()
        self._bytes = 0
        self._changed = threading.Condition(threading.Lock())
        self._closed = False
        self._filling = True  # False while the thread rests, until half of the room is free again
        self._error: BaseException | None = None
        self._process = os.getpid()
        self._since = time.monotonic()
        self._thread = threading.Thread(target=self._fill, args=(rows,), name="msbridge-dataset", daemon=True)
        _OPEN.add(self)
        self._thread.start()

    def _fill(self, rows: Callable[[], Iterator[Any]]) -> None:
        source = None
        try:
            source = rows()
            for row in source:
                if not self._put(row, self._size_of(row)):
                    return
        except BaseException as error:
            self._error = error
        finally:
            if source is not None and hasattr(source, "close"):
                source.close()
            with self._changed:
                self._waiting.append((_END, 0))
                self._changed.notify_all()

    def _put(self, row: Any, size: int) -> bool:
        with self._changed:
            self._waiting.append((row, size))
            self._bytes += size
            before, self._since = self._since, time.monotonic()
            if len(self._waiting) % GROUP == 0 or self._since - before > QUICK_S:
                self._changed.notify_all()
            if self._full():
                self._filling = False
                self._changed.notify_all()
                while not self._filling and not self._closed:
                    self._changed.wait()
                self._since = time.monotonic()
            return not self._closed

    def _full(self) -> bool:
        count = len(self._waiting)
        return count >= self._capacity or (count >= LEAST and self._bytes >= LIMIT_BYTES)

    def get(self) -> Any:
        """Return the next row.

        Raises:
            StopIteration: there are no more rows.
            BaseException: what failed in the thread, after all rows before it.
        """
        with self._changed:
            while not self._waiting:
                if os.getpid() != self._process:
                    raise RuntimeError("A dataset iterator cannot be used in a forked process; create it there.")
                self._changed.wait(PATIENCE_S)
            row, size = self._waiting[0]
            if row is not _END:
                self._waiting.popleft()
                self._bytes -= size
                if not self._filling and len(self._waiting) * 2 <= self._capacity and self._bytes * 2 <= LIMIT_BYTES:
                    self._filling = True
                    self._changed.notify_all()
                return row
        if self._error is not None:
            raise self._error
        raise StopIteration

    def close(self, timeout_s: float = 0.0) -> None:
        """Stop the thread, and wait for it at most `timeout_s`."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._waiting.append((_END, 0))
            self._changed.notify_all()
        if timeout_s and self._process == os.getpid():
            self._thread.join(timeout_s)


_OPEN: "weakref.WeakSet[Channel]" = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for channel in list(_OPEN):
        channel.close(timeout_s=5.0)
