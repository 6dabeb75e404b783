"""The timeline as a picture: an SVG that takes its colours from the page around it."""

from collections.abc import Iterator, Sequence

from msbridge.core.html.svg import element, picture
from msbridge.device.report.facts import Span
from msbridge.device.report.timeline import merge_spans

__all__ = ["plot"]

WIDTH, LEFT, RIGHT = 1000, 84, 12
BARS, HEIGHT_OF_BARS = 16, 62  # where the lane of steps begins, and its height
MARKS, HEIGHT_OF_MARKS = 96, 34  # that of the waits
AXIS = 146
HEIGHT = 166
MAX_SPANS = 360  # spans, at most
MAX_TICKS = 8
STEPS_OF_AXIS = (1, 2, 5)


def plot(spans: Sequence[Span]) -> str:
    """Draw sinks and steps as bars, waits for data as a part of them, and waits of the host as marks; "" for none."""
    if not spans:
        return ""
    spans = merge_spans(spans, -(-len(spans) // MAX_SPANS))
    begin, end = spans[0].begin_s, max(spans[-1].end_s, spans[0].begin_s + 1e-6)
    scale = (WIDTH - LEFT - RIGHT) / (end - begin)
    most = max((span.planned + span.unplanned for span in spans), default=0)
    parts = [
        *_axis(end - begin, scale),
        _lane("steps", BARS + HEIGHT_OF_BARS / 2),
        _lane("host waits", MARKS + HEIGHT_OF_MARKS / 2),
        *(_bar(span, LEFT + (span.begin_s - begin) * scale, scale) for span in spans),
        *(_marks(span, LEFT + (span.end_s - begin) * scale, most) for span in spans),
    ]
    return picture(WIDTH, HEIGHT, "timeline of steps and waits; a table follows", parts)


def describe_span(span: Span) -> str:
    """Describe the events of a span in words."""
    sinks = f" in {span.sinks} sink{'' if span.sinks == 1 else 's'}" if span.sinks else ""
    waits = f"; {span.data_s:.3f} s of it for data" if span.data_s else ""
    counts = ", ".join(
        f"{count} {kind}" for count, kind in ((span.planned, "planned"), (span.unplanned, "unplanned")) if count
    )
    host = f"; host waits: {counts}" if counts else ""
    plural = "" if span.steps == 1 else "s"
    return f"{span.steps} step{plural}{sinks}, {span.end_s - span.begin_s:.3f} s{waits}{host}"


def _lane(name: str, y: float) -> str:
    return element("text", name, class_="axis", x=LEFT - 8, y=int(y + 4), text_anchor="end")


def _bar(span: Span, x: float, scale: float) -> str:
    width = max(1.2, (span.end_s - span.begin_s) * scale)
    waiting = min(width, span.data_s * scale)
    kind = "sink" if span.sinks else "single"
    gap = 0.6 if width > 3 else 0
    bar = _rect(kind, x, BARS, width - gap, HEIGHT_OF_BARS)
    data = _rect("data", x, BARS + HEIGHT_OF_BARS / 2, waiting, HEIGHT_OF_BARS / 2) if waiting > 0.05 else ""
    return element("g", element("title", describe_span(span)), bar, data)


def _marks(span: Span, x: float, most: int) -> str:
    """Draw the waits of a span as one mark for each kind; its height shows how many."""
    if not span.planned + span.unplanned:
        return ""
    parts = []
    for number, (kind, count) in enumerate((("planned", span.planned), ("unplanned", span.unplanned))):
        if count:
            height = HEIGHT_OF_MARKS * (0.35 + 0.65 * count / most)
            parts.append(_rect(kind, x - 1 + 1.6 * number, MARKS + HEIGHT_OF_MARKS - height, 1.6, height))
    return element("g", element("title", describe_span(span)), *parts)


def _rect(kind: str, x: float, y: float, width: float, height: float) -> str:
    return element("rect", class_=kind, x=x, y=float(y), width=max(width, 0.4), height=float(height))


def _axis(seconds: float, scale: float) -> Iterator[str]:
    step = _tick(seconds)
    yield element("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=AXIS - 12, y2=AXIS - 12)
    for number in range(int(seconds / step) + 1):
        x = LEFT + number * step * scale
        yield element("line", class_="grid", x1=x, x2=x, y1=BARS - 6, y2=AXIS - 8)
        yield element("text", f"{number * step:g} s", class_="axis", x=x, y=AXIS + 6, text_anchor="middle")


def _tick(seconds: float) -> float:
    """Return the distance of the marks of the axis: 1, 2 or 5 times a power of ten."""
    power = -6
    while True:
        for factor in STEPS_OF_AXIS:
            if factor * 10.0**power * MAX_TICKS >= seconds:
                return factor * 10.0**power
        power += 1
