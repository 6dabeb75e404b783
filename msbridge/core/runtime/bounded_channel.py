"""Bounded channel: a queue that a thread fills ahead of its consumer.

    thread: source ──put──► [oldest … newest] ──take──► consumer
              ▲                                            │
              └── rests when it is full, until half of it is free again

Who may wait for whom, and what ends each wait:

- Both ends wait under one condition, look at what they wait for before they sleep and whenever they wake, and change it
  only under the same lock: no wake-up is lost. (Without a lock around each put and take nothing was faster.)
- The thread rests until half of the channel is free, or a single item is left: woken for each item, it would take
  turns with the consumer.
- Waking costs as much as a small item, so quick items are announced `group` at a time; the consumer looks up by itself
  every `MAX_OVERLOOK_S`, and so finds the last few.
- The end, or the error of the source, is met behind the items before it, and again by each further `take`; the error
  has the source's own traceback.
- `close` may come from a finalizer, at any point of any thread: it does not insist on the lock (`Worker`), so sleepers
  look up by themselves. The thread refers to the channel and not to its owner, which can be dropped and closes it then.
- After a fork the child has the queue and not the thread, `is_inherited`: its owner opens another, or raises.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from msbridge.core.runtime.background_threads import LOOK_S, Worker

__all__ = ["BoundedChannel", "ChannelClosed"]

MIN_ITEMS = 2  # of any size: one is made while the other is used
MAX_OVERLOOK_S = 2e-3  # how long a consumer may overlook items that nobody announced
QUICK_S = 1e-3  # who makes items faster than that announces them in groups


class ChannelClosed(RuntimeError):
    """A queue was closed while somebody waited for an item of it, or before. What makes items may raise it, too."""


class BoundedChannel(Worker):
    """A bounded queue of the items of a source, for one consumer.

    Args:
        source: returns the iterator over the items; called in the thread, and closed there.
        capacity: how many items may wait.
        max_bytes: of the items that wait, from the third on.
        size_of: returns an item's size in bytes.
        exit_error: returns the error that represents a SystemExit or its like, which would end the consumer.
        name: of the thread.
        group: how many quick items are announced at once.

    Attributes:
        waited_s: how long the consumer waited for the latest item; 0 where it was there.
        rests: the thread waits for room.
    """

    def __init__(
        self,
        source: Callable[[], Iterator[Any]],
        capacity: int,
        max_bytes: int,
        size_of: Callable[[Any], int],
        exit_error: Callable[[BaseException], Exception],
        name: str,
        group: int = 1,
    ) -> None:
        super().__init__()
        self.waited_s = 0.0
        self.rests = False
        self._source, self._size_of, self._exit_error = source, size_of, exit_error
        self._capacity, self._max_bytes, self._group = max(capacity, MIN_ITEMS), max_bytes, group
        self._items: deque[tuple[Any, int]] = deque()
        self._bytes = 0
        self._end: Exception | None = None
        self._last_put = time.monotonic()
        self.start(name)

    @property
    def waiting(self) -> int:
        """The number of items."""
        return len(self._items)

    @property
    def fill(self) -> float:
        """The share of the capacity that is filled."""
        return len(self._items) / self._capacity

    def work(self) -> None:
        end: Exception = StopIteration()
        try:
            items = self._source()
            try:
                for item in items:
                    if not self._put(item, self._size_of(item)):
                        return
            finally:
                if hasattr(items, "close"):
                    items.close()
        except Exception as error:
            end = error
        except BaseException as error:
            end = self._exit_error(error)
        finally:
            with self.changed:
                self._end = end
                self.changed.notify_all()

    def _put(self, item: Any, size: int) -> bool:
        """Append an item, and rest where that fills the channel; False when the channel is closed."""
        with self.changed:
            self._items.append((item, size))
            self._bytes += size
            last, self._last_put = self._last_put, time.monotonic()
            if len(self._items) % self._group == 0 or self._last_put - last > QUICK_S:
                self.changed.notify_all()
            if self._fills(self._capacity, self._max_bytes):
                self.rests = True
                self.changed.notify_all()
                while self.rests and not self.is_closed:
                    self.changed.wait(LOOK_S)
                self._last_put = time.monotonic()
            return not self.is_closed

    def _fills(self, capacity: float, max_bytes: float) -> bool:
        """Whether what waits fills a channel of that size."""
        count = len(self._items)
        return count >= MIN_ITEMS and (count >= capacity or self._bytes >= max_bytes)

    def drop(self) -> None:
        self._items.clear()

    def take(self) -> Any:
        """Remove and return the oldest item.

        Raises:
            StopIteration: the source has ended.
            Exception: what the source raised, after all items before it.
            ChannelClosed: the channel is closed.
            RuntimeError: it belongs to the process that this one was forked from.
        """
        self.waited_s = 0.0
        if self.is_inherited:
            raise RuntimeError("A data channel belongs to the process that opened it: open another in a forked one.")
        with self.changed:
            if not self._items:
                self._await_item()
            if self.is_closed:
                raise ChannelClosed("The data channel is closed.")
            if self._items:
                item, size = self._items.popleft()
                self._bytes -= size
                if self.rests and not self._fills(self._capacity / 2 + 0.5, self._max_bytes / 2):
                    self.rests = False
                    self.changed.notify_all()
                return item
        assert self._end is not None
        raise self._end

    def _await_item(self) -> None:
        began = time.perf_counter()
        while not self._items and self._end is None and not self.is_closed:
            if not self.changed.wait(MAX_OVERLOOK_S) and not self.is_alive() and not self._items and self._end is None:
                raise RuntimeError("The thread of a data channel has ended without a result.")
        self.waited_s = time.perf_counter() - began
