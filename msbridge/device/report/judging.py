"""Judging: what of that which was seen a real device would punish. A row of `RULES` for each kind of finding."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from msbridge.device.report.facts import Finding, Operator, Seen, Shapes

__all__ = ["findings"]

HALF_PEAK = 65504.0  # of float16
MIN_STEPS_BETWEEN_READS = 20  # steps between two waits from which a read is no burden
STARVED = 0.1  # share of the time
NEARLY_FULL = 0.8
VANISHED = 0.05  # share of values that float16 loses
WAITING = 0.2  # share of the time
MIN_STEPS = 8  # steps of which nothing about their number is to be said


def findings(seen: Seen) -> tuple[Finding, ...]:
    """Return the findings, problems first."""
    found = [finding for rule in RULES for finding in rule(seen)]
    return tuple(sorted(found, key=lambda finding: finding.severity != "problem"))


def _reads(seen: Seen) -> Iterator[Finding]:
    for read in seen.reads:
        if not read.waits:
            continue
        every = seen.steps / read.waits
        values = {
            "waits": read.waits,
            "steps": seen.steps,
            "every": every,
            "reader": read.reader,
        }
        if not read.reader:
            kind = "read inside a step" if read.inside * 2 > read.count else "unplanned read"
            severe = read.inside or every < MIN_STEPS_BETWEEN_READS
            yield Finding(kind, "problem" if severe else "note", read.place, values)
        elif every < MIN_STEPS_BETWEEN_READS and seen.steps >= MIN_STEPS and read.waits > seen.sinks:
            yield Finding("frequent read", "note", read.place, values)


def _sinks(seen: Seen) -> Iterator[Finding]:
    if seen.steps - seen.sunk_steps >= MIN_STEPS and not seen.sinks and seen.target != "CPU":
        yield Finding("no sinks", "note", values={"steps": seen.steps, "mode": seen.mode, "target": seen.target})


def _memory(seen: Seen) -> Iterator[Finding]:
    memory, room = seen.memory, seen.room
    if memory is None:
        return
    layer = memory.layers[0] if memory.layers else None
    about_maps: dict[str, Any] = {"layer": layer, "batch": memory.batch, "largest": room.largest_batch(memory)}
    about_state: dict[str, Any] = {"layer": None, "batch": 0, "largest": None}
    parts = [
        ("parameters and optimizer", memory.resident, room.resident, about_state),
        ("feature maps, gradients and inputs", memory.passing, room.passing, about_maps),
    ]
    if room.total is not None:
        parts = [("everything", memory.resident + memory.passing, room.total, about_maps)]
    for part, need, limit, about in parts:
        values = {**about, "part": part, "need": need, "limit": limit}
        if need > limit:
            yield Finding("does not fit", "problem", values=values)
        elif need > limit * NEARLY_FULL:
            yield Finding("nearly full", "note", values=values)


def _communication(seen: Seen) -> Iterator[Finding]:
    need, limit = seen.under_way, seen.room.communication
    if need > limit * NEARLY_FULL:
        values = {"need": need, "limit": limit}
        if need > limit:
            yield Finding("messages do not fit", "problem", values=values)
        else:
            yield Finding("messages nearly fill", "note", values=values)
    if seen.steps >= MIN_STEPS and seen.communicating_s > WAITING * seen.seconds:
        behind, sent = (sum(getattr(one, part) for one in seen.communications) for part in ("behind", "bytes"))
        waits = {"seconds": seen.communicating_s, "share": seen.communicating_s / seen.seconds}
        yield Finding("waits for processes", "note", values={**waits, "behind": behind / max(sent, 1)})


def _shapes(seen: Seen) -> Iterator[Finding]:
    for network, group in groupby(sorted(seen.shapes, key=lambda one: one.network), lambda one: one.network):
        shapes = sorted(group, key=lambda one: -one.steps)
        if len(shapes) == 1:
            continue
        tail = _is_tail(shapes)
        values = {
            "network": network,
            "shapes": [one.shapes for one in shapes[:3]],
            "count": len(shapes),
            "steps": sum(one.steps for one in shapes),
        }
        yield Finding("last batch" if tail else "dynamic shapes", "note" if tail else "problem", values=values)


def _is_tail(shapes: Sequence[Shapes]) -> bool:
    """Whether there are two shapes, of which the rarer is smaller in the first axis only: the last batch of a pass."""
    if len(shapes) != 2:
        return False
    often, rarely = shapes[0].shapes, shapes[1].shapes
    pairs = list(zip(often, rarely, strict=False))
    same_rest = all(left[1:] == right[1:] for left, right in pairs)
    return len(often) == len(rarely) and same_rest and all(left[:1] >= right[:1] for left, right in pairs)


def _data(seen: Seen) -> Iterator[Finding]:
    if seen.starved > STARVED and seen.steps >= MIN_STEPS:
        yield Finding("starved", "problem", values={"share": seen.starved, "data_s": seen.data_s})


def _half(seen: Seen) -> Iterator[Finding]:
    narrowed = [one for one in seen.operators if one.mindspore and "float32" in one.dtypes]
    if not narrowed:
        return
    for operator in narrowed:
        if operator.peak is not None and not operator.peak <= HALF_PEAK:
            yield Finding("overflow in float16", "problem", values=_of(operator))
        elif operator.vanished > VANISHED:
            yield Finding("vanishes in float16", "note", values={**_of(operator), "share": operator.vanished})
    if not seen.precision:
        names = sorted({one.mindspore for one in narrowed})
        yield Finding("float16", "note", values={"names": names, "calls": sum(one.calls for one in narrowed)})


def _of(one: Operator) -> dict[str, object]:
    return {"operator": one.mindspore, "at": one.place, "peak": one.peak}


RULES: tuple[Callable[[Seen], Iterator[Finding]], ...] = (
    *(_reads, _memory, _communication, _shapes, _data, _half, _sinks),
)
