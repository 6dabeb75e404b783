"""Collecting: an observer that notes what the device is given to do, and measures a few of the steps."""

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Self

import torch

from msbridge.core.context import context
from msbridge.core.runtime import observers
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.torch_private import dispatch_modes
from msbridge.device.ledger import ledger
from msbridge.device.limits import room
from msbridge.device.report.facts import Communication, Memory, Operator, Read, Seen, Shapes
from msbridge.device.report.measuring import Footprint, Operators, Resident
from msbridge.device.report.places import place_at, reader_and_line
from msbridge.device.report.timeline import Timeline
from msbridge.device.rounding import Rounding

__all__ = ["Collector"]

MAX_MEASURED_STEPS = 4  # steps, at most: the first ones, and the first ones of other shapes
MAX_SHAPES = 256  # different ones

_Key = tuple[int, tuple[tuple[int, ...], ...]]


class Collector(observers.Observer):
    """Notes steps, sinks, waits, reads and shapes from its making until `stop`.

    Threads that neither train nor have made the collector are not looked at: they prepare data.
    """

    def __init__(self) -> None:
        self._began_s = time.perf_counter()
        self._threads = {threading.get_ident(), threading.main_thread().ident}
        self._timeline = Timeline()
        self._where = _where()
        self._to_device = ledger.bytes_to_device
        self._from_device = ledger.bytes_from_device
        self._steps = self._sinks = self._sunk_steps = self._updates = 0
        self._steps_before_sink = 0
        self._in_sink = self._in_step = self._in_gradients = False
        self._first_wait_s: float | None = None
        self._data_s = self._device_s = 0.0
        self._capture = ""
        self._reads: dict[tuple[str, str, int], list[int]] = {}
        self._shapes: dict[_Key, list[int]] = {}
        self._networks: dict[tuple[int, ...], int] = {}
        self._footprint: Footprint | None = None
        self._operators: list[tuple[Operator, ...]] = []
        self._running: Operators | None = None
        self._memories: list[Memory] = []
        self._resident = Resident()
        self._communications: dict[str, Communication] = {}
        self._under_way = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Look no more; what was seen stays."""
        observers.remove(self)

    def summarize(self) -> Seen:
        """Return the observations until now; reads values from the device."""
        spans = self._timeline.spans(self._now())
        memory = max(self._memories, key=lambda one: one.passing, default=None)
        return Seen(
            *self._where,
            seconds=spans[-1].end_s - spans[0].begin_s if spans else 0.0,
            steps=self._steps,
            sinks=self._sinks,
            sunk_steps=self._sunk_steps,
            updates=self._updates,
            first_wait_s=self._first_wait_s or 0.0,
            data_s=self._data_s,
            device_s=self._device_s,
            bytes_to_device=max(0, ledger.bytes_to_device - self._to_device),
            bytes_from_device=max(0, ledger.bytes_from_device - self._from_device),
            capture=self._capture,
            spans=spans,
            reads=tuple(
                Read(place_at(file, line), reader, *numbers)
                for (reader, file, line), numbers in sorted(self._reads.items(), key=lambda item: -item[1][1])
            ),
            memory=None if memory is None else self._resident.with_step(memory),
            room=room(),
            precision=context.get_context("ascend_config").get("precision_mode") or "",
            operators=_merge(self._operators),
            measured=len(self._operators),
            shapes=tuple(Shapes(*key, *numbers) for key, numbers in self._shapes.items()),
            communications=tuple(sorted(self._communications.values(), key=lambda one: -one.bytes)),
            under_way=self._under_way,
        )

    # The events of observers.

    def begin_sink(self) -> None:
        self._open()
        self._where = _where()
        self._in_sink = True
        self._steps_before_sink = self._steps

    def end_sink(self, capture: str) -> None:
        self._in_sink = False
        self._sinks += 1
        self._sunk_steps += self._steps - self._steps_before_sink
        self._capture = capture
        self._timeline.add("sinks", 1)
        self._timeline.add("planned", 1)
        self._timeline.close(self._now())

    def begin_step(self) -> None:
        self._open()
        self._in_step = True
        self._in_this_step: set[int] = set()

    def end_step(self) -> None:
        self._in_step = False
        self._count_step()

    def begin_gradients(self, inputs: Sequence[Any], weights: Sequence[Any]) -> None:
        self._threads.add(threading.get_ident())
        self._open()
        self._in_gradients = True
        if self._note_shapes(inputs, weights) and len(self._operators) < MAX_MEASURED_STEPS and not _is_taped():
            self._footprint = Footprint(inputs, weights)
            self._running = Operators()
            self._footprint.begin()
            self._running.__enter__()  # type: ignore[no-untyped-call]

    def communicated(self, kind: str, size: int, seconds: float, behind: int) -> None:
        known = self._communications.get(kind, Communication(kind, 0, 0, 0, 0, 0.0))
        self._communications[kind] = Communication(
            *(kind, known.calls + 1, known.bytes + size, max(known.largest, size)),
            *(known.behind + (size if behind else 0), known.seconds + seconds),
        )
        self._under_way = max(self._under_way, behind, size)

    def end_gradients(self, gradients: Sequence[torch.Tensor] | None) -> None:
        self._in_gradients = False
        footprint, running = self._footprint, self._running
        self._footprint = self._running = None
        if footprint is not None and running is not None:
            running.__exit__(None, None, None)  # type: ignore[no-untyped-call]
            footprint.end(gradients)
            if gradients is not None:
                self._memories.append(footprint.memory())
                self._resident.add_parameters(footprint.parameters())
                self._operators.append(running.summarize())
        if gradients is not None and not self._in_step:
            self._count_step()

    def update(self, optimizer: Any) -> None:
        self._updates += 1
        self._resident.add_optimizer(optimizer)

    def read(self, data: torch.Tensor, is_waiting: bool) -> None:
        if threading.get_ident() not in self._threads:
            return
        is_inside = self._in_step or self._in_gradients
        waits = is_waiting or is_inside
        who = reader_and_line()
        numbers = self._reads.setdefault(who, [0, 0, 0, 0, self._steps])
        for at, amount in enumerate((1, waits, is_inside, data.nbytes)):
            numbers[at] += amount
        if waits:
            self._timeline.add("planned" if who[0] else "unplanned", 1)

    def wait_for_data(self, seconds: float) -> None:
        if threading.get_ident() not in self._threads:
            return
        if not self._timeline.is_open:
            self._timeline.open(self._now() - seconds)
        if self._first_wait_s is None:
            self._first_wait_s = seconds
        else:
            self._data_s += seconds
        self._timeline.add("data_s", seconds)

    def wait_for_device(self, seconds: float) -> None:
        self._device_s += seconds
        self._timeline.add("device_s", seconds)

    # How it is noted.

    def _now(self) -> float:
        return time.perf_counter() - self._began_s

    def _open(self) -> None:
        if not self._steps:
            self._where = _where()
        self._timeline.open(self._now())

    def _count_step(self) -> None:
        self._steps += 1
        self._timeline.add("steps", 1)
        if not self._in_sink:
            self._timeline.close(self._now())

    def _note_shapes(self, inputs: Sequence[Any], weights: Sequence[Any]) -> bool:
        """Count the shapes of a call; return whether they are new."""
        network = self._networks.setdefault(tuple(map(id, weights)), len(self._networks))
        if self._in_step:
            if network in self._in_this_step:  # a step that is recorded as a graph runs several times
                return False
            self._in_this_step.add(network)
        key = network, tuple(tuple(value._data.shape) for value in inputs if isinstance(value, Tensor))
        if (known := self._shapes.get(key)) is not None:
            known[0] += 1
        elif len(self._shapes) < MAX_SHAPES:
            self._shapes[key] = [1, self._steps]
        return known is None


def _is_taped() -> bool:
    """Whether operators are being noted to make a graph of them, in which what measuring computes is not to be."""
    return not all(isinstance(mode, Rounding) for mode in dispatch_modes())


def _where() -> tuple[str, str, str]:
    """Return the device that was asked for, the one that steps run on, and the mode."""
    mode = "graph" if context.get_context("mode") == context.GRAPH_MODE else "PyNative"
    return context.device_target(), str(context.torch_device()), mode


def _merge(measured: Sequence[Sequence[Operator]]) -> tuple[Operator, ...]:
    """Put the operators of several steps together."""
    merged: dict[tuple[str, str], Operator] = {}
    for measurement in (operator for operators in measured for operator in operators):
        known = merged.get((measurement.name, measurement.place))
        if known is None:
            merged[measurement.name, measurement.place] = measurement
            continue
        merged[measurement.name, measurement.place] = Operator(
            *(
                measurement.name,
                measurement.mindspore,
                measurement.place,
                tuple(sorted({*known.dtypes, *measurement.dtypes})),
            ),
            *(
                known.calls + measurement.calls,
                _greater(known.peak, measurement.peak),
                max(known.vanished, measurement.vanished),
            ),
        )
    return tuple(merged.values())


def _greater(left: float | None, right: float | None) -> float | None:
    with suppress(TypeError):
        return max(left, right)  # type: ignore[type-var]
    return right if left is None else left
