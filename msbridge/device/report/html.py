"""The report as one HTML file that needs nothing else, for light and dark screens, wide and narrow ones."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment
from markupsafe import Markup

from msbridge.core.html.stylesheet import style
from msbridge.device.report import sentences
from msbridge.device.report.facts import Memory, Room, Span
from msbridge.device.report.plain import facts, verdict
from msbridge.device.report.plot import described, plot
from msbridge.device.report.timeline import joined

if TYPE_CHECKING:
    from msbridge.device.report.outcome import Report

TEMPLATE = Path(__file__).with_name("report.html")
MAX_ROWS = 24  # of the table beside the timeline
MAX_READS = 40
MAX_OPERATORS = 200
MAX_SHAPES = 20


def render(report: "Report") -> str:
    """Return the report's HTML."""
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    seen = report.seen
    memory = seen.memory
    return template.render(
        report=report,
        seen=seen,
        verdict=verdict(report),
        facts=list(facts(report)),
        words=sentences,
        style=Markup(style()),
        plot=Markup(plot(seen.spans)),
        table=_table(seen.spans),
        described=described,
        parts=_parts(memory, seen.room) if memory else [],
        largest=seen.room.largest_batch(memory) if memory else None,
        reads=seen.reads[:MAX_READS],
        narrowed=[one for one in seen.operators if one.mindspore][:MAX_OPERATORS],
        others=[one for one in seen.operators if not one.mindspore][:MAX_OPERATORS],
        shapes=sorted(seen.shapes, key=lambda one: -one.steps)[:MAX_SHAPES],
        when=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
    )


def _table(spans: Sequence[Span]) -> list[Span]:
    return joined(spans, -(-len(spans) // MAX_ROWS)) if spans else []


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
    return [
        {
            "title": title,
            "limit": limit,
            "need": sum(size for _, size in parts),
            "share": sum(size for _, size in parts) / limit,
            "parts": [
                (name, size, min(100.0, 100 * size / max(limit, sum(size for _, size in parts))))
                for name, size in parts
            ],
        }
        for title, limit, parts in rows
    ]
