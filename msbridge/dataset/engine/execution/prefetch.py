"""Prefetch: the rows of an iterator, computed by a thread ahead of who takes them, or on the spot for debuggers.

    iterator ──take──► PrefetchedRows ──► BoundedChannel ◄──put── thread "msbridge-dataset": node ◄── node ◄── source

Why one thread for the whole pipeline: handing a row to another thread costs about 50 µs, more than most operators need
for one. The nodes therefore call each other within this thread, and only a stage whose items are slow takes further
threads (`executor.py`).

How far ahead: as many rows as `config.set_prefetch_size` says, and no more bytes than `MAX_BYTES`, because rows may be
batches of images. Rows that are ready at once are announced `GROUP` at a time.

Who holds what: the thread refers to the channel and to the nodes, never to the iterator. So an iterator that is dropped
is collected, its finalizer closes the channel, and the thread ends at its next row.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msbridge.core.runtime import observers
from msbridge.core.runtime.background_threads import END_S
from msbridge.core.runtime.bounded_channel import BoundedChannel, ChannelClosed
from msbridge.dataset.engine.execution.pipeline_report import Meter
from msbridge.dataset.engine.user_values import user_error

MAX_BYTES = 256 * 2**20  # read ahead at most, for any number of rows: large batches must not fill the memory
GROUP = 4  # rows computed quickly are announced in groups: waking the consumer costs as much as a small batch


class DirectRows:
    """Rows that are computed when they are asked for, in the thread that asks: for debuggers.

    Args:
        rows: the iterator over the rows.
    """

    is_inherited = False

    def __init__(self, rows: Iterator[Any]) -> None:
        self._rows = rows

    def take(self) -> Any:
        """Return the next row.

        Raises:
            StopIteration: there are no more rows.
        """
        return next(self._rows)

    def close(self) -> None:
        """Leave the rows where they are."""


class PrefetchedRows:
    """Rows that a thread computes ahead.

    Args:
        rows: returns the iterator over the rows; called in the thread.
        capacity: how many rows may wait.
        size_of: returns a row's size in bytes.
        meter: counts the rows that are taken, but for empty ones.
    """

    def __init__(
        self, rows: Callable[[], Iterator[Any]], capacity: int, size_of: Callable[[Any], int], meter: Meter
    ) -> None:
        self.channel = BoundedChannel(rows, capacity, MAX_BYTES, size_of, _exit_error, "msbridge-dataset", GROUP)
        self.close = self.channel.close
        self._meter = meter

    @property
    def is_inherited(self) -> bool:
        """Whether this is a forked process, which lacks the thread."""
        return self.channel.is_inherited

    def take(self) -> Any:
        """Return the next row.

        Raises:
            StopIteration: there are no more rows, or nobody shall have them.
            Exception: what failed in the thread, after all rows before it.
        """
        channel = self.channel
        try:
            row = channel.take()
        except ChannelClosed:
            raise StopIteration from None
        if row:
            self._meter.take(channel.waited_s, channel.fill)
            for observer in observers.active:
                observer.wait_for_data(channel.waited_s)
        return row


def in_pipeline_thread(items: Callable[[], Iterator[int]]) -> Iterator[int]:
    """Yield numbers that a thread computes: the user's Ctrl-C reaches the caller, what user code raises is its error.

    Args:
        items: returns the iterator over the numbers; called in the thread.

    Raises:
        Exception: what failed in the thread; RuntimeError for a SystemExit and its like.
    """
    channel = BoundedChannel(items, GROUP, MAX_BYTES, lambda _: 0, _exit_error, "msbridge-dataset", GROUP)
    try:
        while True:
            try:
                item = channel.take()
            except StopIteration as end:
                end.__traceback__ = None  # the channel keeps it: no circle may keep the nodes
                channel.join(END_S)  # the thread has nothing left to do but to let go of them
                return
            yield item
    finally:
        channel.close()


def _exit_error(error: BaseException) -> Exception:
    return user_error(error, "the thread of a pipeline")
