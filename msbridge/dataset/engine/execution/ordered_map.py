"""OrderedParallelMap: the items of a stream computed by several threads at once, and returned in their order.

    stream ──next()──► thread A ─compute─┐
             one at    thread B ─compute─┼─►  queue: [3 done] [4 …] [5 done]  ──► consumer takes 3, then waits for 4
             a time    thread C ─compute─┘           in the order of the stream

Why not `ThreadPoolExecutor.map`: that one takes its whole input at once, has no bound for results that wait, and
starts all of its threads. Here the stream may be endless, and its items may be large.

- A thread takes the next item (`_take`) under `_is_taking`: user generators may not be entered by two threads. It
  puts the item into the queue before it computes it, so the queue has the stream's order whoever is done first.
- The bound is `room`, asked for each item: it counts items that are being computed and those that wait. It is never
  less than `MIN_PENDING`, else the consumer would wait for each.
- Threads are added one at a time by those that took an item, while there is room: a stream of three items gets no
  eight threads.
- An error of `compute` stays with its item and is raised at the item's turn; one of the stream ends the stream there.
- Two conditions share one lock: the consumer is woken only when the first of the queue is done, threads when there is
  room. `close` (from a finalizer, in any thread) takes no lock; waits therefore look up every `LOOK_S` seconds.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from msbridge.core.runtime.background_threads import LOOK_S, Worker
from msbridge.core.runtime.bounded_channel import ChannelClosed

MIN_PENDING = 2  # items under way, however large: one is computed while the one before is taken


class _Item:
    """One item's way: taken from the stream, computed, waiting for its turn."""

    __slots__ = ("error", "is_done", "value")

    def __init__(self) -> None:
        self.value: Any = None
        self.error: BaseException | None = None
        self.is_done = False


class OrderedParallelMap(Worker):
    """An iterator over `compute(item)` for the items of a stream.

    Each thread takes the next item, one thread at a time, and computes it beside the others. So the stream runs in any
    of the threads, but never in two at once. Threads are started one by one, as long as there are items to take.

    Args:
        items: the stream; closed by the last thread.
        compute: what to do with an item. Its errors are raised where the item's turn comes.
        threads: how many threads there may be; asked again before each start.
        room: how many items may be under way or wait for their turn; asked again for each.
    """

    def __init__(
        self,
        items: Iterator[Any],
        compute: Callable[[Any], Any],
        threads: Callable[[], int],
        room: Callable[[], int],
    ) -> None:
        super().__init__()
        lock = threading.Lock()
        self.changed = threading.Condition(lock)  # for the consumer
        self._takes = threading.Condition(lock)  # for the threads
        self._items, self._compute = items, compute
        self._limit, self._room = threads, room
        self._queue: deque[_Item] = deque()
        self._running = 0
        self._is_taking = False
        self._has_ended = False
        self.was_ready = False  # the latest result, when it was asked for
        self._add_thread()

    @property
    def running(self) -> int:
        """The number of threads."""
        return self._running

    def _add_thread(self) -> None:
        self._running += 1
        self.start("msbridge-dataset")

    def work(self) -> None:
        try:
            while (item := self._take()) is not None:
                if item.is_done:  # the stream itself failed
                    return
                try:
                    item.value = self._compute(item.value)
                except BaseException as error:  # of user code, SystemExit included: the consumer raises it
                    item.error = error
                with self.changed:
                    item.is_done = True
                    if self._queue and self._queue[0] is item:
                        self.changed.notify_all()
                del item
        finally:
            self._leave()

    def _take(self) -> _Item | None:
        """Take the next item off the stream, and stand in line with it; None at the end."""
        with self.changed:
            while not self.is_closed and not self._has_ended and (self._is_taking or self._is_full()):
                self._takes.wait(LOOK_S)
            if self.is_closed or self._has_ended:
                return None
            self._is_taking = True
        item, is_over = _Item(), False
        try:
            item.value = next(self._items)
        except StopIteration:
            is_over = True
        except BaseException as error:
            item.error, item.is_done = error, True
        with self.changed:
            self._is_taking = False
            self._has_ended = is_over or item.is_done
            if not is_over:
                self._queue.append(item)
            if self._has_ended:
                self.changed.notify_all()
                self._takes.notify_all()
            else:
                self._takes.notify()
                if self._running < self._limit() and not self._is_full() and not self.is_closed:
                    self._add_thread()
        return None if is_over else item

    def _is_full(self) -> bool:
        return len(self._queue) >= max(self._room(), MIN_PENDING)

    def _leave(self) -> None:
        with self.changed:
            self._running -= 1
            is_last = not self._running
        if is_last and hasattr(self._items, "close"):
            self._items.close()

    def drop(self) -> None:
        self._queue.clear()
        if not self.is_inherited:
            self._takes.notify_all()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        with self.changed:
            self.was_ready = bool(self._queue) and self._queue[0].is_done
            while not (self._queue and self._queue[0].is_done) and (self._queue or not self._has_ended):
                if self.is_closed:
                    raise ChannelClosed
                self.changed.wait(LOOK_S)
            if self.is_closed:
                raise ChannelClosed
            if not self._queue:
                raise StopIteration
            item = self._queue.popleft()
            self._takes.notify()
        if item.error is not None:
            raise item.error
        return item.value
