"""The way of a dataset into the device."""

import contextlib
import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

from msbridge.core.context import context
from msbridge.core.tensor.tensor import Tensor
from msbridge.device.channel import Channel, open_channel
from msbridge.train.loop.resuming import Start

__all__ = ["Feed", "Fetching", "begin", "is_fed"]

_fed: "WeakSet[Any]" = WeakSet()


@dataclass(slots=True)
class Fetching:
    """The time that a traversal of a dataset took."""

    traversal: int  # which one; the first is 1
    batches: int = 0  # batches so far
    first_s: float = 0.0  # seconds until the first batch
    total_s: float = 0.0  # seconds until the last batch, in which the dataset was waited for

    def add(self, seconds: float) -> None:
        """Count a batch."""
        if not self.batches:
            self.first_s = seconds
        self.batches += 1
        self.total_s += seconds


class Feed:
    """Batches on the device, one traversal of a dataset after another; opened with the first that is taken.

    Args:
        dataset: yields the batches.
        traversals: how often it is traversed, at most; -1 is any number.

    Attributes:
        position: how many batches were taken, those included that an earlier run had taken.
        fetchings: what each traversal took so far.
    """

    def __init__(self, dataset: Any, traversals: int) -> None:
        with contextlib.suppress(TypeError):  # a script's own dataset may be unhashable; it is then not remembered
            _fed.add(dataset)
        self.position = 0
        self.fetchings: list[Fetching] = []
        self._dataset = dataset
        self._traversals = traversals
        self._start: Start | None = None
        self._channel: Channel | None = None

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        return self

    def __next__(self) -> tuple[Tensor, ...]:
        if self._channel is None:
            device = context.torch_device()
            is_far = device.type != "cpu"
            batches = _traversals(self._dataset, self._traversals, self._start, is_far, self.fetchings)
            self._channel = open_channel(batches, device)
        batch = self._channel.take()
        self.position += 1
        return batch

    @property
    def waiting(self) -> int:
        """The number of batches that are on the device already."""
        return 0 if self._channel is None else self._channel.waiting

    def begin_at(self, start: Start) -> None:
        """Set where in the data the first batch is."""
        self._start = start
        self.position = start.step

    def close(self) -> None:
        """Send nothing more."""
        if self._channel is not None:
            self._channel.close()


def is_fed(dataset: Any) -> bool:
    """Whether a dataset was ever joined with a network or a function."""
    try:
        return dataset in _fed
    except TypeError:
        return False


def begin(iterator: Any, start: Start) -> None:
    """Let an iterator begin somewhere; one of a script's own making begins where it likes."""
    if hasattr(iterator, "begin_at"):
        iterator.begin_at(start.step, start.data_seed)


def _traversals(
    dataset: Any, count: int, start: Start | None, output_numpy: bool, fetchings: list[Fetching]
) -> Iterator[Sequence[Any]]:
    """Yield the batches of several traversals, one after another: a thread runs this, so it knows no Feed."""
    iterator = dataset.create_tuple_iterator(num_epochs=count, output_numpy=output_numpy)
    if start is not None:
        begin(iterator, start)
    first = iterator.position()["epoch"] if hasattr(iterator, "position") else 0
    clock = time.perf_counter
    try:
        for traversal in itertools.count(first) if count == -1 else range(first, count):
            fetching = Fetching(traversal + 1)
            fetchings.append(fetching)
            began = clock()
            for batch in iterator:
                fetching.add(clock() - began)
                yield batch
                began = clock()
            if not fetching.batches:
                return
    finally:
        if hasattr(iterator, "release"):
            iterator.release()
