"""The report as one HTML file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msbridge.core.html.page import render_page
from msbridge.device.report import sentences
from msbridge.device.report.facts import Memory, Room, Span
from msbridge.device.report.plain import facts, verdict
from msbridge.device.report.plot import describe_span, plot
from msbridge.device.report.timeline import merge_spans

if TYPE_CHECKING:
    from msbridge.device.report.outcome import Report

TEMPLATE = Path(__file__).with_name("report.html")
MAX_ROWS = 24  # of the table beside the timeline
MAX_READS = 40
MAX_OPERATORS = 200
MAX_SHAPES = 20


def render(report: "Report") -> str:
    """Return the report's HTML."""
    seen = report.seen
    memory = seen.memory
    return render_page(
        TEMPLATE,
        report=report,
        seen=seen,
        verdict=verdict(report),
        facts=list(facts(report)),
        words=sentences,
        plot=plot(seen.spans),
        table=_table(seen.spans),
        described=describe_span,
        parts=_parts(memory, seen.room) if memory else [],
        largest=seen.room.largest_batch(memory) if memory else None,
        reads=seen.reads[:MAX_READS],
        narrowed=[one for one in seen.operators if one.mindspore][:MAX_OPERATORS],
        others=[one for one in seen.operators if not one.mindspore][:MAX_OPERATORS],
        shapes=sorted(seen.shapes, key=lambda one: -one.steps)[:MAX_SHAPES],
    )


def _table(spans: Sequence[Span]) -> list[Span]:
    return merge_spans(spans, -(-len(spans) // MAX_ROWS)) if spans else []


def _parts(memory: Memory, room: Room) -> list[dict[str, Any]]:
    """Return the bars of the memory's picture: what each part of the device holds, in shares of it."""
    rows: list[tuple[str, int, list[tuple[str, int]]]] = [
        ("stays on the device", room.resident, [("parameters", memory.parameters), ("optimizer", memory.optimizer)]),
        (
            "while a step runs",
            room.passing,
            [("feature maps", memory.feature_maps), ("gradients", memory.gradients), ("inputs", memory.inputs)],
        ),
    ]
    if room.total is not None:
        rows.append(("max_device_memory", room.total, [("all", memory.resident + memory.passing)]))
    return [_part(*row) for row in rows]


def _part(title: str, limit: int, parts: Sequence[tuple[str, int]]) -> dict[str, Any]:
    need = sum(size for _, size in parts)
    kinds = [(f"m{number}", name, size) for number, (name, size) in enumerate(one for one in parts if one[1])]
    widths = [(kind, min(100.0, 100 * size / max(limit, need))) for kind, _, size in kinds]
    return {"title": title, "limit": limit, "need": need, "share": need / limit, "kinds": kinds, "widths": widths}
