"""The data channel: batches on their way to the device.

To an accelerator they go through a bounded queue that a thread of its own fills. On the CPU there is no way to go: the
dataset's own thread runs ahead already, and a second one only takes turns with it (a step of a small network took 400
µs with, 300 µs without).
"""

import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Self

import numpy as np
import torch

from msbridge.core.runtime import observers
from msbridge.core.runtime.accelerators import with_streams
from msbridge.core.runtime.bounded_channel import BoundedChannel
from msbridge.core.runtime.device_to_host import link
from msbridge.core.tensor.construction import share
from msbridge.core.tensor.tensor import Tensor, as_torch, wrap

CAPACITY = 16  # batches under way; the dataset has its own buffers before that
_MAX_BYTES = 2**29  # of these, from the third on: 16 batches of 256 images of 224 pixels would be 2.3 GiB
Carried = tuple[list[torch.Tensor], Any]  # a batch on the device, and the event of its copy
Carry = Callable[[Sequence[Any]], Carried]

_JOIN_S = 0.3  # for copies to the device; code of the user in the thread may take any time


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

    @property
    def waiting(self) -> int:
        """The number of batches that are there already."""
        return 0

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
        return tuple([_as_tensor(value) for value in next(self._source)])

    def close(self) -> None:
        close = getattr(self._source, "close", None)
        if close is not None:
            close()


class DataChannel(Channel):
    """Brings the batches of `source` to the device, ahead of the consumer.

    On CUDA the batches pass through pinned memory and a stream of their own, so that copies overlap with computing. The
    buffers rotate by torch's caching allocators: memory of a batch, on either side, is used again when the events say
    that its copy, or the step that reads it, has ended.
    An error in `source` is raised where the consumer takes the batch that could not be made, with its own traceback.
    The thread ends when the source does, when the channel is closed, or when nobody holds the channel any more.

    Args:
        source: yields batches: sequences of ndarrays or Tensors.
        device: where the batches go.
        capacity: how many batches may wait, at most; fewer, but two, where they are large.
    """

    def __init__(self, source: Iterable[Sequence[Any]], device: torch.device, capacity: int = CAPACITY) -> None:
        self._streams = with_streams(device)
        carry = _carrier(device) if self._streams is None else _stream_carrier(device, self._streams)
        batches = _carry_all(iter(source), carry)
        self._channel = BoundedChannel(lambda: batches, capacity, _MAX_BYTES, _size_of, _exit_error, "msbridge-channel")
        self._close = weakref.finalize(self, _end, self._channel)
        self._close.atexit = False  # workers are closed there, and waited for together

    def take(self) -> tuple[Tensor, ...]:
        try:
            batch, ready = self._channel.take()
        finally:
            if self._channel.waited_s:
                for observer in observers.active:
                    observer.wait_for_data(self._channel.waited_s)
        if ready is not None:
            stream = self._streams.current_stream(batch[0].device)
            stream.wait_event(ready)
            for data in batch:
                data.record_stream(stream)
        return tuple(map(wrap, batch))

    @property
    def waiting(self) -> int:
        return self._channel.waiting

    @property
    def is_closed(self) -> bool:
        """Whether the thread has been asked to end."""
        return not self._close.alive

    def close(self) -> None:
        self._close()


def _end(channel: BoundedChannel) -> None:
    channel.close()
    channel.join(_JOIN_S)


def _exit_error(error: BaseException) -> Exception:
    failure = RuntimeError(f"The source of a data channel raised {type(error).__name__}: {error}")
    failure.__cause__ = error
    return failure


def _carry_all(source: Iterator[Sequence[Any]], carry: Carry) -> Iterator[Carried]:
    try:
        yield from map(carry, source)
    finally:
        if hasattr(source, "close"):
            source.close()


def _size_of(item: Carried) -> int:
    return sum(data.nbytes for data in item[0])


def _host(value: Any) -> torch.Tensor:
    data = as_torch(value, None, torch.device("cpu"))
    link.bytes_sent += data.nbytes
    return data.cpu()


def _as_tensor(value: Any) -> Tensor:
    return value if type(value) is Tensor else wrap(_host(value))  # who made the Tensor has counted it


def send(datas: Sequence[torch.Tensor], device: torch.device) -> list[torch.Tensor]:
    """Return tensors of the host on a device, through pinned memory: the host does not wait."""
    if with_streams(device) is None:
        return [data.to(device) for data in datas]
    return [data.pin_memory().to(device, non_blocking=True) for data in datas]


def _carrier(device: torch.device) -> Carry:
    def carry(batch: Sequence[Any]) -> Carried:
        return [_host(value).to(device) for value in batch], None

    return carry


def _stream_carrier(device: torch.device, streams: Any) -> Carry:
    stream = streams.Stream(device)

    def carry(batch: Sequence[Any]) -> Carried:
        hosts = [_borrow(value) for value in batch]
        with streams.stream(stream):
            copies = send(hosts, device)
            ready = streams.Event()
            ready.record(stream)
        return copies, ready

    return carry


_SHARED = frozenset(map(np.dtype, ("?", "u1", "i1", "i2", "i4", "i8", "f2", "f4", "f8")))


def _borrow(value: Any) -> torch.Tensor:
    """Return a value on the host that is copied at once, and so may share memory with an ndarray."""
    if type(value) is np.ndarray and value.dtype in _SHARED and value.flags.writeable:
        link.bytes_sent += value.nbytes
        return share(value)
    return _host(value)
