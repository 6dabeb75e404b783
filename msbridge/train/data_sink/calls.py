"""The calls that a sink needs, as an iterator: what `DatasetHelper.iter` is where there is a sink."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from msbridge.core.types import dtype
from msbridge.train.data_sink.feed import Feed, Fetching
from msbridge.train.data_sink.plan import SinkPlan
from msbridge.train.loop.resuming import Start

__all__ = ["Calls", "SendInfo"]


class Calls:
    """Yields an empty tuple for each call of an epoch: the batches are on the device, so a call has no inputs.

    Args:
        dataset: the dataset.
        plan: how often the network is called.
        traversals: how often the dataset is traversed, at most; -1 is any number.

    Attributes:
        feed: brings the batches to the device.
        sink_size: steps of a call.
        sink_count: calls of an epoch.
        connected: returns the network that these are the calls of, None before there is one; a weak reference.
    """

    def __init__(self, dataset: Any, plan: SinkPlan, traversals: int) -> None:
        self.dataset = dataset
        self.plan = plan
        self.feed = Feed(dataset, traversals)
        self.sink_size = plan.sink_size
        self.sink_count = plan.calls
        self.connected: Callable[[], Any] = _nothing
        self._done = 0
        self._done_before = 0

    def __iter__(self) -> "Calls":
        self._done, self._done_before = self._done_before, 0
        return self

    def __next__(self) -> tuple[()]:
        if self._done >= self.sink_count:
            raise StopIteration
        self._done += 1
        return ()

    @property
    def next_steps(self) -> int:
        """The number of steps of the next call of the network."""
        return self.plan.steps_from(self.feed.position)

    def begin_at(self, start: Start) -> None:
        """Set where in the data the first batch is; the first epoch then has the calls that are left."""
        self.feed.begin_at(start)
        self._done_before = self.plan.call_at(start.step)

    def get_sink_size(self) -> int:
        """Return the steps of a sink."""
        return self.sink_size

    def types_shapes(self) -> tuple[list[Any], list[Any]]:
        """Return the dtypes and the shapes of a batch."""
        return [dtype.from_numpy(kind) for kind in self.dataset.output_types()], self.dataset.output_shapes()

    def get_data_info(self) -> tuple[list[Any], list[Any]]:
        """Return numpy's dtypes and the shapes of a batch."""
        return self.dataset.output_types(), self.dataset.output_shapes()

    def get_mbuf_queue_size(self) -> int:
        """Return the number of batches that are on the device already."""
        return self.feed.waiting

    def get_send_info(self) -> list[Fetching]:
        """Return the durations of the traversals of the dataset so far."""
        return list(self.feed.fetchings)

    def stop_send(self) -> None:
        """Send nothing more to the device."""
        self.feed.close()

    def release(self) -> None:
        """Send nothing more to the device, and end the thread that does."""
        self.feed.close()

    def continue_send(self) -> None:
        """Continue sending: this is so without a word."""


def _nothing() -> None:
    """Return None."""


class SendInfo:
    """The time that the dataset took for its batches, by epochs of training.

    Args:
        fetchings: of all traversals.
        params: what callbacks see of the run.
    """

    def __init__(self, fetchings: list[Fetching], params: Mapping[str, Any]) -> None:
        dataset = params.get("train_dataset") or params.get("valid_dataset")
        if dataset is None:
            raise RuntimeError("Could not find a proper dataset to estimate dataset size.")
        self._sink_size, self._dataset_size = params["batch_num"], dataset.get_dataset_size()
        self.info_ = {one.traversal: _milliseconds(one) for one in fetchings or [Fetching(1)]}

    def epoch(self, epoch: int) -> dict[str, float]:
        """Return the times of the traversal in which an epoch ended.

        Returns:
            A dict: the number of batches ("fetch_data_num"), milliseconds for each after the first
            ("fetch_data_time"), and seconds for the first ("first_data_time").

        Raises:
            KeyError: there was no such traversal yet.
        """
        return self.info_[math.ceil(epoch * self._sink_size / self._dataset_size)]


def _milliseconds(fetching: Fetching) -> dict[str, float]:
    each = fetching.total_s
    if fetching.batches > 1:
        each = (fetching.total_s - fetching.first_s) / (fetching.batches - 1) * 1000
    return {"fetch_data_num": fetching.batches, "fetch_data_time": each, "first_data_time": fetching.first_s}
