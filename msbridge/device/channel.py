"""The data channel: batches on their way to the device.

To an accelerator they go through a bounded queue that a thread of its own fills. On the CPU there is no way to go: the
dataset's own thread runs ahead already, and a second one only takes turns with it (a step of a small network took 400
µs with, 300 µs without).
"""

import threading
import weakref
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

import torch

from msbridge.core.tensor import Tensor, as_torch, wrap
from msbridge.device.ledger import ledger

CAPACITY = 16  # batches under way; the dataset has its own buffers before that
_JOIN_S = 10.0


class Channel(ABC):
    """A source of batches as tuples of Tensors on the device."""

    @abstractmethod
    def take(self) -> tuple[Tensor, ...]:
        """Return the next batch, waiting for it if need be.

        Raises:
            StopIteration: the source has ended.
            Exception: what the source raised.
        """

    @abstractmethod
    def close(self) -> None:
        """End the source; may be called again."""

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        return self

    def __next__(self) -> tuple[Tensor, ...]:
        return self.take()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_channel(source: Iterable[Sequence[Any]], device: torch.device) -> Channel:
    """Open the way of the batches of `source` to a device."""
    return DirectChannel(source) if device.type == "cpu" else DataChannel(source, device)


class DirectChannel(Channel):
    """Reads the batches of `source` when they are asked for, on the CPU.

    Args:
        source: yields batches: sequences of ndarrays or Tensors.
    """

    def __init__(self, source: Iterable[Sequence[Any]]) -> None:
        self._source = iter(source)

    def take(self) -> tuple[Tensor, ...]:
        return tuple(wrap(_host(value)) for value in next(self._source))

    def close(self) -> None:
        close = getattr(self._source, "close", None)
        if close is not None:
            close()


class DataChannel(Channel):
    """Brings the batches of `source` to the device, ahead of the consumer.

    On CUDA the batches pass through pinned memory and a stream of their own, so that copies overlap with computing.
    An error in `source` is raised where the consumer takes the batch that could not be made, with its own traceback.
    The thread ends when the source does, when the channel is closed, or when nobody holds the channel any more.

    Args:
        source: yields batches: sequences of ndarrays or Tensors.
        device: where the batches go.
        capacity: how many batches may wait.
    """

    def __init__(self, source: Iterable[Sequence[Any]], device: torch.device, capacity: int = CAPACITY) -> None:
        self._buffer = _Buffer(capacity)
        carry = _cuda_carrier(device) if device.type == "cuda" else _carrier(device)
        self._thread = threading.Thread(
            target=_fill, args=(self._buffer, iter(source), carry), name="msbridge-channel", daemon=True
        )
        self._close = weakref.finalize(self, _stop, self._buffer, self._thread)
        self._thread.start()

    def take(self) -> tuple[Tensor, ...]:
        batch, ready = self._buffer.take()
        if ready is not None:
            stream = torch.cuda.current_stream(batch[0].device)
            stream.wait_event(ready)
            for data in batch:
                data.record_stream(stream)
        return tuple(map(wrap, batch))

    @property
    def is_closed(self) -> bool:
        """Whether the thread has been told to end."""
        return not self._close.alive

    def close(self) -> None:
        self._close()


class _Buffer:
    """A bounded queue that can be closed from either end."""

    def __init__(self, capacity: int) -> None:
        self._items: deque[Any] = deque()
        self._capacity = capacity
        self._changed = threading.Condition()
        self._is_closed = False
        self._end: BaseException | None = None

    def put(self, item: Any) -> bool:
        """Append `item` when there is room; False when the consumer has closed the buffer."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or len(self._items) < self._capacity)
            if self._is_closed:
                return False
            self._items.append(item)
            self._changed.notify_all()
            return True

    def finish(self, end: BaseException) -> None:
        """Mark the end of the batches, and the error to raise there."""
        with self._changed:
            self._end = end
            self._changed.notify_all()

    def take(self) -> Any:
        """Remove and return the oldest item, or raise what `finish` was told."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._items or self._end is not None)
            if self._is_closed:
                raise RuntimeError("The data channel is closed.")
            if not self._items:
                raise self._end or StopIteration
            item = self._items.popleft()
            self._changed.notify_all()
            return item

    def close(self) -> None:
        """Drop what waits and wake both ends."""
        with self._changed:
            self._is_closed = True
            self._items.clear()
            self._changed.notify_all()


def _fill(buffer: _Buffer, source: Iterator[Sequence[Any]], carry: Any) -> None:
    """Run in the thread; holds no reference to the channel, so that an abandoned channel can be collected."""
    try:
        for batch in source:
            if not buffer.put(carry(batch)):
                return
        buffer.finish(StopIteration())
    except BaseException as error:
        buffer.finish(error)
    finally:
        if hasattr(source, "close"):
            source.close()


def _stop(buffer: _Buffer, thread: threading.Thread) -> None:
    buffer.close()
    if thread is not threading.current_thread():
        thread.join(_JOIN_S)


def _host(value: Any) -> torch.Tensor:
    data = as_torch(value, None, torch.device("cpu"))
    ledger.bytes_to_device += data.nbytes
    return data.cpu()


def _carrier(device: torch.device) -> Any:
    def carry(batch: Sequence[Any]) -> tuple[list[torch.Tensor], None]:
        return [_host(value).to(device) for value in batch], None

    return carry


def _cuda_carrier(device: torch.device) -> Any:
    stream = torch.cuda.Stream(device)

    def carry(batch: Sequence[Any]) -> tuple[list[torch.Tensor], torch.cuda.Event]:
        hosts = [_host(value) for value in batch]
        with torch.cuda.stream(stream):
            copies = [data.pin_memory().to(device, non_blocking=True) for data in hosts]
            ready = torch.cuda.Event()
            ready.record(stream)
        return copies, ready

    return carry
