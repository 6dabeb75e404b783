"""Sink plans: how often a network is called, and how many steps each call runs, settled before anything runs."""

import math
from dataclasses import dataclass
from typing import Any, Literal

from msbridge.core.checks.arguments import integer
from msbridge.core.context import context

__all__ = [
    "AUTO",
    "AUTO_STEPS",
    "SinkPlan",
    "SinkSize",
    "check_sink_size",
    "plan_evaluation",
    "plan_function",
    "plan_sinks",
]

AUTO = "auto"
# The end of a sink costs the host no more than a step or two: a hundredth of the time or so is lost to it. A limit in
# steps and not in seconds: what callbacks see, and the names of checkpoints with it, is the same in each run.
AUTO_STEPS = 100

SinkSize = int | Literal["auto"]


@dataclass(frozen=True, slots=True)
class SinkPlan:
    """The calls of a network that is connected with a dataset.

    A position is a number of steps since the beginning of the first epoch. An epoch begins with a new call.

    Attributes:
        dataset_size: batches of one traversal of the data.
        sink_size: steps of a sink, as MindSpore counts them.
        call_steps: steps of one call; the last call of an epoch may have fewer.
        epoch_steps: steps of an epoch.
        waits: the host waits for the end of a call: it is a sink.
    """

    dataset_size: int
    sink_size: int
    call_steps: int
    epoch_steps: int
    waits: bool

    @property
    def calls(self) -> int:
        """Calls of an epoch."""
        return math.ceil(self.epoch_steps / self.call_steps)

    def steps_from(self, position: int) -> int:
        """Return the steps of the call that begins at a position."""
        return min(self.call_steps, self.epoch_steps - position % self.epoch_steps)

    def call_at(self, position: int) -> int:
        """Return the number of the call, within its epoch, that begins at a position; the first is 0."""
        return position % self.epoch_steps // self.call_steps

    def begin_of_call(self, position: int) -> int:
        """Return the position at which the call begins that a position is in."""
        return position - position % self.epoch_steps % self.call_steps

    def traversals(self, epochs: int) -> int:
        """Return the number of traversals of the data in so many epochs, the last one perhaps not to its end."""
        return math.ceil(epochs * self.epoch_steps / self.dataset_size)


def plan_sinks(dataset: Any, sink_size: SinkSize) -> SinkPlan:
    """Return the plan for a dataset in the context's mode.

    Args:
        dataset: its `__loop_size__`, if a script has set it, is the steps of a call: an epoch is then a traversal.
        sink_size: steps of an epoch, all in one call; -1 is the whole dataset. "auto" is the whole dataset, too, in
            calls of at most `AUTO_STEPS` that are as alike as can be.

    Raises:
        ValueError: the dataset is empty, or `__loop_size__` does not divide it.
    """
    size = dataset.get_dataset_size()
    if size == 0:
        raise ValueError("There is no valid data in dataset, please check dataset file firstly.")
    loop_size = getattr(dataset, "__loop_size__", None)
    if loop_size is not None and loop_size <= size and size % loop_size:
        raise ValueError(
            f"Dataset size {size} and '__loop_size__' {loop_size} are not matched: the size must be divisible by it."
        )
    epoch_steps = size if sink_size == -1 or sink_size == AUTO else int(sink_size)
    if context.get_context("mode") != context.GRAPH_MODE:
        return SinkPlan(size, loop_size or epoch_steps, 1, epoch_steps, waits=False)
    if loop_size is not None:
        return SinkPlan(size, loop_size, loop_size, math.ceil(size / loop_size) * loop_size, waits=True)
    call_steps = _even(size) if sink_size == AUTO else epoch_steps
    return SinkPlan(size, call_steps, call_steps, epoch_steps, waits=True)


def plan_function(dataset: Any, sink_size: SinkSize) -> SinkPlan:
    """Return the plan of a function that is called on a dataset: the same in both modes.

    Args:
        dataset: the dataset.
        sink_size: steps of a call, or "auto".
    """
    size = dataset.get_dataset_size()
    if sink_size == AUTO:
        return SinkPlan(size, _even(size), _even(size), size, waits=True)
    return SinkPlan(size, int(sink_size), int(sink_size), int(sink_size), waits=True)


def plan_evaluation(dataset: Any) -> SinkPlan:
    """Return the plan of an evaluation: a call for each batch, for metrics want the result of each."""
    size = dataset.get_dataset_size()
    return SinkPlan(size, 1, 1, size, waits=False)


def _even(size: int) -> int:
    """Return the steps of a call where a traversal is divided into as few calls as may be, nearly alike."""
    return math.ceil(size / math.ceil(size / AUTO_STEPS))


def check_sink_size(sink_size: Any, sentence: str) -> SinkSize:
    """Return a `sink_size` that may be: "auto", -1, or a positive int.

    Args:
        sink_size: the user's argument.
        sentence: says what may be, with a gap for the value.

    Raises:
        TypeError: it is neither an int nor "auto".
        ValueError: it is neither -1 nor positive.
    """
    if sink_size == AUTO:
        return "auto"
    if integer(sink_size, "sink_size", None) < -1 or sink_size == 0:
        raise ValueError(sentence.format(sink_size))
    return int(sink_size)
