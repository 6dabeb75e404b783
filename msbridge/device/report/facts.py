"""Facts of a report, as immutable values: what was seen, and what was found in it. No text is made here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Severity = Literal["problem", "note"]


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the script."""

    file: str = ""  # its path; "" where no line of the script was on the stack
    line: int = 0  # counted from 1
    text: str = ""  # what is there, without blanks around it


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in which steps ran: a sink, a step outside a sink, or several of these that lie together."""

    begin_s: float  # when it began, since the collection began
    end_s: float  # when it ended
    sinks: int = 0  # how many sinks ended in it
    steps: int = 0  # how many steps
    data_s: float = 0.0  # how long they waited for data
    device_s: float = 0.0  # how long the host waited for the device at the ends of sinks
    planned: int = 0  # how often the host waited at the end of a sink, or for a value that msbridge itself read
    unplanned: int = 0  # how often it waited for a value that the script read


@dataclass(frozen=True, slots=True)
class Read:
    """A place at which values were read from the device."""

    place: Place  # the line of the script
    reader: str  # the class or function of msbridge that read, such as "LossMonitor"; "" for the script itself
    count: int  # how often
    waits: int  # how often steps were under way, so that the host waited
    inside: int  # how often it was in the middle of a step
    bytes: int  # how many bytes were brought
    first_step: int  # how many steps had run before the first time


@dataclass(frozen=True, slots=True)
class Layer:
    """The memory that autograd kept of one layer."""

    path: str  # its attributes from the network on; "" for what no Cell computed
    kind: str  # its class
    bytes: int  # of all tensors that it made and the backward pass needs


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of the largest of the measured steps, in bytes."""

    parameters: int  # of the weights, frozen ones too
    optimizer: int  # state of the optimizers
    gradients: int  # one for each weight that is trained
    inputs: int  # the batch
    feature_maps: int  # what the forward pass keeps for the backward pass
    growing: int  # those of the feature maps and inputs that grow with the batch
    batch: int  # the size of the batch; 0 where the inputs have no first axis in common
    layers: tuple[Layer, ...]  # the layers that keep the most, the largest first

    @property
    def resident(self) -> int:
        """The memory that stays on the device between steps."""
        return self.parameters + self.optimizer

    @property
    def passing(self) -> int:
        """The memory that is needed while a step runs."""
        return self.gradients + self.inputs + self.feature_maps


@dataclass(frozen=True, slots=True)
class Room:
    """The device's memory for the parts of `Memory`, in bytes; `total` is what max_device_memory allows, or None."""

    resident: int
    passing: int
    communication: int
    total: int | None = None

    def largest_batch(self, memory: Memory) -> int | None:
        """Return the largest batch that fits, if what grows with the batch continues so; None where nothing grows."""
        if not memory.batch or not memory.growing:
            return None
        room = self.passing if self.total is None else min(self.passing, self.total - memory.resident)
        each = memory.growing / memory.batch
        return max(0, int((room - (memory.passing - memory.growing)) / each))


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator in the steps that were looked at.

    Attributes:
        name: torch's.
        mindspore: MindSpore's, for those that an Ascend narrows; else "".
        place: the Cell that called it, or "the backward pass"; only for those that an Ascend narrows.
        dtypes: of its inputs, each once.
        calls: how often it ran.
        peak: the greatest absolute value in what went in and came out, for those that an Ascend narrows; else None.
        vanished: the share of values that float16 rounds to zero.
    """

    name: str
    mindspore: str
    place: str
    dtypes: tuple[str, ...]
    calls: int
    peak: float | None = None
    vanished: float = 0.0


@dataclass(frozen=True, slots=True)
class Shapes:
    """Shapes of the inputs of one gradient function."""

    network: int  # a number for the gradient function; those that train the same weights share it
    shapes: tuple[tuple[int, ...], ...]  # of its Tensors
    steps: int  # how often it was called with these
    first_step: int  # how many steps had run before the first time


@dataclass(frozen=True, slots=True)
class Communication:
    """Operations of one kind between processes."""

    kind: str  # such as "AllReduce"
    calls: int  # how many there were
    bytes: int  # what this process sent
    largest: int  # of one of them
    behind: int  # the bytes that were under way while the backward pass computed
    seconds: float  # how long the host waited for them


@dataclass(frozen=True, slots=True)
class Seen:
    """All that was collected.

    Attributes:
        target: the device that the script asked for.
        device: where it runs.
        mode: "graph" or "PyNative".
        seconds: how long was looked at, from the first step or wait for data to the end of the last one.
        steps: how many ran.
        sinks: how many ended.
        sunk_steps: how many steps ran in sinks.
        updates: how often an optimizer updated its parameters.
        first_wait_s: how long the first batch took: the pipeline starts with it.
        data_s: how long the other batches were waited for.
        device_s: how long the host waited for the device at the ends of sinks.
        bytes_to_device: bytes of batches.
        bytes_from_device: bytes that were read.
        capture: whether steps were replayed as a graph, in words; "" without a sink.
        spans: what ran when; neighbours are put together where there are very many.
        reads: where values were read.
        memory: what the largest measured step needs; None where no gradient was computed.
        room: what the device has.
        precision: the precision mode that was set last; "" for none.
        operators: those of the measured steps.
        measured: how many steps were measured.
        shapes: of the inputs.
        communications: operations between processes, by kind, without those of torch's DTensor.
        under_way: the most bytes of operations that were under way at a time.
    """

    target: str
    device: str
    mode: str
    seconds: float = 0.0
    steps: int = 0
    sinks: int = 0
    sunk_steps: int = 0
    updates: int = 0
    first_wait_s: float = 0.0
    data_s: float = 0.0
    device_s: float = 0.0
    bytes_to_device: int = 0
    bytes_from_device: int = 0
    capture: str = ""
    spans: tuple[Span, ...] = ()
    reads: tuple[Read, ...] = ()
    memory: Memory | None = None
    room: Room = Room(5 * 2**30, 26 * 2**30, 2**30)
    precision: str = ""
    operators: tuple[Operator, ...] = ()
    measured: int = 0
    shapes: tuple[Shapes, ...] = ()
    communications: tuple[Communication, ...] = ()
    under_way: int = 0

    @property
    def communicating_s(self) -> float:
        """The time that the host waited for other processes."""
        return sum(one.seconds for one in self.communications)

    @property
    def waits(self) -> int:
        """The number of times that the host waited for the device."""
        return sum(span.planned + span.unplanned for span in self.spans)

    @property
    def unplanned(self) -> int:
        """The number of waits for a value that the script read."""
        return sum(span.unplanned for span in self.spans)

    @property
    def starved(self) -> float:
        """The share of the time that steps waited for data; the first batch is left out."""
        return self.data_s / max(self.seconds - self.first_wait_s, 1e-9)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a real device would punish, or that is worth knowing before one is used."""

    kind: str  # which one; `sentences` has what it says and what to do
    severity: Severity  # "problem" or "note"
    place: Place = Place()  # the line of the script that it is about; an empty one for none
    values: Mapping[str, Any] = field(default_factory=dict)  # what goes into the sentences, by name
