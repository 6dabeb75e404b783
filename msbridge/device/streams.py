"""Streams and events: queues of work on a device, and marks in them.

CUDA and NPU have several streams. MPS and the CPU have one: there every stream is that one, and an event is a point in
time.
"""

import time
from typing import Any

from msbridge.core.checks.arguments import instance
from msbridge.core.context.context import get_current_device, torch_device
from msbridge.core.runtime.accelerators import driver, with_streams
from msbridge.device.sink import wait

__all__ = [
    "Event",
    "Stream",
    "StreamCtx",
    "communication_stream",
    "current_stream",
    "default_stream",
    "set_cur_stream",
    "synchronize",
]


class Stream:
    """A queue of work on the context's device, beside the default one.

    Args:
        priority: the lower, the sooner its work is done; for CUDA -1 or 0.
        kwargs: `stream`, another Stream or torch's own, makes a second handle of that one.

    Raises:
        TypeError: `priority` is not an int.

    Follows: mindspore.runtime.Stream, mindspore.hal.Stream (2.10).
    """

    def __init__(self, priority: int = 0, **kwargs: Any) -> None:
        instance(priority, "priority", "Stream", int)
        self.device_name, self.device_id = get_current_device()
        other = kwargs.get("stream")
        self._torch_stream: Any = other._torch_stream if isinstance(other, Stream) else other
        module = with_streams(torch_device())
        if self._torch_stream is None and module is not None:
            self._torch_stream = module.Stream(device=torch_device(), priority=priority)

    @property
    def id(self) -> int:
        """Number of the stream; 0 is the default one."""
        return int(getattr(self._torch_stream, "stream_id", 0))

    def stream_id(self) -> int:
        """Return the number of the stream; 0 is the default one."""
        return self.id

    def record_event(self, event: "Event | None" = None) -> "Event":
        """Mark what has been given to this stream so far.

        Args:
            event: the mark; a new one where it is None.

        Raises:
            TypeError: `event` is not an Event.
        """
        if event is not None:
            instance(event, "event", "record_event", Event)
        mark = Event() if event is None else event
        mark.record(self)
        return mark

    def wait_event(self, event: "Event") -> None:
        """Let what is given to this stream from now on wait for a mark.

        Raises:
            TypeError: `event` is not an Event.
        """
        instance(event, "event", "wait_event", Event)
        event.wait(self)

    def wait_stream(self, stream: "Stream") -> None:
        """Let what is given to this stream from now on wait for what another one has now.

        Raises:
            TypeError: `stream` is not a Stream.
        """
        instance(stream, "stream", "wait_stream", Stream)
        self.wait_event(stream.record_event())

    def synchronize(self) -> None:
        """Let the host wait until the work of this stream is done."""
        if self._torch_stream is None:
            synchronize()
        else:
            self._torch_stream.synchronize()

    def query(self) -> bool:
        """Whether the work of this stream is done."""
        return self._torch_stream is None or bool(self._torch_stream.query())

    def __eq__(self, other: object) -> bool:
        instance(other, "other", "__eq__", Stream)
        return bool(self._torch_stream == other._torch_stream)  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self._torch_stream)

    def __repr__(self) -> str:
        return f"Stream(device_name={self.device_name}, device_id:{self.device_id}, stream id:{self.id})"


class Event:
    """A mark in a stream: what was given to the stream before it is done when the mark is reached.

    Args:
        enable_timing: whether `elapsed_time` will be asked for.
        blocking: whether a host that waits for it sleeps.

    Raises:
        TypeError: an argument is not a bool.

    Follows: mindspore.runtime.Event, mindspore.hal.Event (2.10).
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False) -> None:
        self._is_timed: bool = instance(enable_timing, "enable_timing", "Event", bool)
        self._is_blocking: bool = instance(blocking, "blocking", "Event", bool)
        self._torch_event: Any = None
        self._recorded_s: float | None = None

    def record(self, stream: Stream | None = None) -> None:
        """Put the mark into a stream, the current one where `stream` is None.

        Raises:
            TypeError: `stream` is not a Stream.
        """
        _optional(stream, "stream", "record")
        self._recorded_s = time.perf_counter()
        device = torch_device()
        module = driver(device.type)
        if module is None:
            return
        if self._torch_event is None:
            flags = {"enable_timing": self._is_timed}
            self._torch_event = module.Event(
                **flags if device.type == "mps" else {**flags, "blocking": self._is_blocking}
            )
        self._torch_event.record(*_torch_streams(stream))

    def wait(self, stream: Stream | None = None) -> None:
        """Let what is given to a stream from now on wait for the mark; the current one where `stream` is None.

        Raises:
            TypeError: `stream` is not a Stream.
        """
        _optional(stream, "stream", "wait")
        if self._torch_event is not None:
            self._torch_event.wait(*_torch_streams(stream))

    def synchronize(self) -> None:
        """Let the host wait until the mark is reached."""
        if self._torch_event is not None:
            self._torch_event.synchronize()

    def query(self) -> bool:
        """Whether the mark is reached, or was never put into a stream."""
        return self._torch_event is None or bool(self._torch_event.query())

    def elapsed_time(self, end_event: "Event") -> float:
        """Return the milliseconds from this mark to a later one.

        Raises:
            TypeError: `end_event` is not an Event.
            RuntimeError: one of them was not put into a stream.
        """
        instance(end_event, "end_event", "elapsed_time", Event)
        if self._recorded_s is None or end_event._recorded_s is None:
            which = "this event" if self._recorded_s is None else "end_event"
            raise RuntimeError(f"For 'elapsed_time', {which} must be recorded first; call its record().")
        if self._torch_event is None or end_event._torch_event is None:
            return (end_event._recorded_s - self._recorded_s) * 1e3
        return float(self._torch_event.elapsed_time(end_event._torch_event))

    def __repr__(self) -> str:
        flags = f"enable_timing={self._is_timed:d}, blocking:{self._is_blocking:d}"
        return f"Event({flags}, is_created:{self._recorded_s is not None:d}, event:{self._torch_event or 0})"


class StreamCtx:
    """A block whose operators go to a stream; None means the current one.

    Args:
        ctx_stream: a Stream, or None.

    Raises:
        TypeError: `ctx_stream` is not a Stream.

    Follows: mindspore.runtime.StreamCtx, mindspore.hal.StreamCtx (2.10).
    """

    def __init__(self, ctx_stream: Stream | None) -> None:
        _optional(ctx_stream, "ctx_stream", "StreamCtx")
        self._stream = ctx_stream

    def __enter__(self) -> None:
        self._before = current_stream()
        set_cur_stream(self._stream)

    def __exit__(self, *error: object) -> None:
        set_cur_stream(self._before)


def current_stream() -> Stream:
    """Return the stream that operators go to now.

    Returns:
        A Stream.

    Follows: mindspore.runtime.current_stream, mindspore.hal.current_stream (2.10).
    """
    module = with_streams(torch_device())
    return Stream(stream=None if module is None else module.current_stream(torch_device()))


def default_stream() -> Stream:
    """Return the stream that operators go to where nothing else is said.

    Returns:
        A Stream.

    Follows: mindspore.runtime.default_stream, mindspore.hal.default_stream (2.10).
    """
    module = with_streams(torch_device())
    return Stream(stream=None if module is None else module.default_stream(torch_device()))


def communication_stream() -> Stream:
    """Return the default stream: torch keeps the streams of collectives to itself, and waits for them where needed.

    Returns:
        A Stream.

    Follows: mindspore.runtime.communication_stream, mindspore.hal.communication_stream (2.10).
    """
    return default_stream()


def set_cur_stream(stream: Stream | None) -> None:
    """Let operators go to a stream from now on; None changes nothing.

    Args:
        stream: a Stream, or None.

    Raises:
        TypeError: `stream` is not a Stream.

    Follows: mindspore.runtime.set_cur_stream, mindspore.hal.set_cur_stream (2.10).
    """
    _optional(stream, "stream", "set_cur_stream")
    module = with_streams(torch_device())
    if stream is not None and module is not None:
        module.set_stream(stream._torch_stream)


def synchronize() -> None:
    """Let the host wait until the device has done what it was given.

    Follows: mindspore.runtime.synchronize, mindspore.hal.synchronize (2.10).
    """
    wait(torch_device())


def _torch_streams(stream: Stream | None) -> tuple[Any, ...]:
    return () if stream is None or stream._torch_stream is None else (stream._torch_stream,)


def _optional(value: Any, name: str, owner: str) -> None:
    if value is not None:
        instance(value, name, owner, Event if name == "event" else Stream)
