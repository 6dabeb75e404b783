"""Channel: a bounded queue of rows from the producer thread to the iterator."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from msbridge.core.runtime import observers
from msbridge.core.runtime.background_threads import LOOK_S, Worker
from msbridge.dataset.engine.ordered_map import PipelineClosed
from msbridge.dataset.engine.report import Meter
from msbridge.dataset.engine.user_values import pipeline_error, user_error

MAX_BYTES = 256 * 2**20  # read ahead at most, whatever the number of rows: large batches must not fill the memory
MIN_ITEMS = 2
GROUP = 4  # rows computed quickly are announced in groups: waking the consumer costs as much as a small batch
QUICK_S = 1e-3
MAX_WAIT_S = 2e-3  # how long a consumer may overlook rows that nobody announced

_END = object()


class Direct:
    """Rows that are computed when they are asked for, in the thread that asks: for debuggers.

    Args:
        rows: the iterator over the rows.
    """

    is_inherited = False

    def __init__(self, rows: Iterator[Any]) -> None:
        self._rows = rows

    def get(self) -> Any:
        """Return the next row.

        Raises:
            StopIteration: there are no more rows.
        """
        return next(self._rows)

    def close(self) -> None:
        """Leave the rows where they are."""


class Channel(Worker):
    """A bounded queue. The producer thread refers to this object only, so dropping the iterator ends the thread.

    Args:
        rows: returns the iterator over the rows; called in the thread.
        capacity: how many rows may wait.
        size_of: returns a row's size in bytes.
        meter: counts the rows that are taken, but for empty ones.
    """

    def __init__(
        self,
        rows: Callable[[], Iterator[Any]],
        capacity: int,
        size_of: Callable[[Any], int],
        meter: Meter | None = None,
    ) -> None:
        super().__init__()
        self._rows = rows
        self._capacity = max(capacity, MIN_ITEMS)
        self._size_of = size_of
        self._meter = meter or Meter()
        self._waiting: deque[tuple[Any, int]] = deque()
        self._bytes = 0
        self._filling = True  # False while the thread rests, until half of the room is free again
        self._error: Exception | None = None
        self._since = time.monotonic()
        self.start("msbridge-dataset")

    def work(self) -> None:
        source = None
        try:
            try:
                source = self._rows()
                for row in source:
                    if not self._put(row, self._size_of(row)):
                        return
            finally:
                if source is not None and hasattr(source, "close"):
                    source.close()
        except PipelineClosed:  # it was closed, nobody waits
            pass
        except Exception as error:
            self._error = error
        except BaseException as error:  # SystemExit and its like, raised by user code: they would end the consumer
            self._error = user_error(error, "the thread of a pipeline")
        finally:
            with self.changed:
                self._waiting.append((_END, 0))
                self.changed.notify_all()

    def _put(self, row: Any, size: int) -> bool:
        with self.changed:
            self._waiting.append((row, size))
            self._bytes += size
            before, self._since = self._since, time.monotonic()
            if len(self._waiting) % GROUP == 0 or self._since - before > QUICK_S:
                self.changed.notify_all()
            if self._full():
                self._filling = False
                self.changed.notify_all()
                while not self._filling and not self.is_closed:
                    self.changed.wait(LOOK_S)
                self._since = time.monotonic()
            return not self.is_closed

    def _full(self) -> bool:
        count = len(self._waiting)
        return count >= self._capacity or (count >= MIN_ITEMS and self._bytes >= MAX_BYTES)

    def drop(self) -> None:
        self._waiting.clear()

    def get(self) -> Any:
        """Return the next row.

        Raises:
            StopIteration: there are no more rows.
            Exception: what failed in the thread, after all rows before it.
        """
        with self.changed:
            begin = 0.0 if self._waiting else time.perf_counter()
            while not self._waiting and not self.is_closed:
                if not self.changed.wait(MAX_WAIT_S) and not self.is_alive() and not self._waiting:
                    raise pipeline_error("The thread of the pipeline has ended without a result.")
            if self.is_closed:
                raise StopIteration
            row, size = self._waiting[0]
            if row is not _END:
                self._waiting.popleft()
                self._bytes -= size
                if row:
                    waited_s = time.perf_counter() - begin if begin else 0.0
                    self._meter.take(waited_s, len(self._waiting) / self._capacity)
                    for observer in observers.active:
                        observer.wait_for_data(waited_s)
                if not self._filling and len(self._waiting) * 2 <= self._capacity and self._bytes * 2 <= MAX_BYTES:
                    self._filling = True
                    self.changed.notify_all()
                return row
        if self._error is not None:
            raise self._error
        raise StopIteration
