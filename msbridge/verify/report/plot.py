"""The plot of a report: the greatest difference of each layer over the layers, on a logarithmic axis, as SVG."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msbridge.verify.judge.status import FAULTS, Row
from msbridge.verify.measure.difference import PEAK_RATIO, Difference
from msbridge.verify.report.numbers import amount, short
from msbridge.verify.report.sentences import problem

FLOOR = -10  # decades: what is smaller, or zero, is drawn here
TOP = 4  # what is greater, or not finite, is drawn here
WIDTH, HEIGHT, LEFT, RIGHT, UPPER, LOWER = 1280, 270, 52, 10, 24, 24
LETTER = 7.5  # how wide one is in the name above the first fault
MARKS = 8  # numbers below the axis


def plot(rows: Sequence[Row]) -> str:
    """Draw free runs as a line, fed runs as dots, and what rounding may explain as dashes; "" where all is equal."""
    numbered = [(number, row) for number, row in enumerate(rows) if row.by]
    if all(row.status == "equal" for _, row in numbered):
        return ""
    top = max([1, *(min(TOP, math.ceil(max(_decade(row.free), _fed(row)))) for _, row in numbered)])
    paper = _Paper(len(rows), top)
    points = " ".join(f"{paper.x(at)},{paper.y(_decade(row.free))}" for at, row in numbered if row.free is not None)
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="greatest difference of each layer">',
        *_axes(paper),
        f'<polyline class="free" points="{points}"/>',
        *(_dash(paper, number, limit) for number, row in numbered if (limit := _limit(row)) is not None),
        *(_dots(paper, number, row) for number, row in numbered),
    ]
    first = next(((number, row) for number, row in numbered if row.status in FAULTS), None)
    return "".join([*parts, _sign(paper, *first) if first else "", "</svg>"])


@dataclass(frozen=True, slots=True)
class _Paper:
    """Where numbers of rows and decades are drawn."""

    count: int
    top: int

    @property
    def step(self) -> float:
        return (WIDTH - LEFT - RIGHT) / self.count

    def x(self, number: float) -> float:
        return round(LEFT + (number + 0.5) * self.step, 1)

    def y(self, decade: float) -> float:
        return round(UPPER + (self.top - decade) / (self.top - FLOOR) * (HEIGHT - LOWER - UPPER), 1)


def _axes(paper: _Paper) -> Iterator[str]:
    for decade in range(FLOOR, paper.top + 1):
        y = paper.y(decade)
        label = "0" if decade == FLOOR else f"≥1e{decade}" if decade == TOP else f"1e{decade}"
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>'
        if (decade - FLOOR) % 2 == 0:
            yield f'<text class="axis" x="{LEFT - 7}" y="{y + 4}" text-anchor="end">{label}</text>'
    for number in range(0, paper.count, max(1, math.ceil(paper.count / MARKS))):
        yield f'<text class="axis" x="{paper.x(number)}" y="{HEIGHT - 6}" text-anchor="middle">{number + 1}</text>'


def _dash(paper: _Paper, number: int, limit: float) -> str:
    half, y = max(1.5, paper.step / 2.4), paper.y(limit)
    x = paper.x(number)
    return f'<line class="limit" x1="{x - half:.1f}" x2="{x + half:.1f}" y1="{y}" y2="{y}"/>'


def _dots(paper: _Paper, number: int, row: Row) -> str:
    radius, x = min(2.6, max(1.2, paper.step / 3)), paper.x(number)
    kind, size = ("bad", radius + 2) if row.status in FAULTS else ("good", radius)
    said = f"{number + 1} {row.name}: {row.status}; free {_number(row.free)}, fed {_number(row.fed)}"
    free = f'<circle class="free" cx="{x}" cy="{paper.y(_decade(row.free))}" r="{radius * 0.8:.1f}"/>'
    fed = f'<circle class="fed {kind}" cx="{x}" cy="{paper.y(_fed(row))}" r="{size:.1f}"/>'
    return f'<g data-row="{number}"><title>{_escape(said)}</title>{free if row.free is not None else ""}{fed}</g>'


def _sign(paper: _Paper, number: int, row: Row) -> str:
    """Mark the first fault with a line and its name."""
    x, said = paper.x(number), short(row.name)
    anchor = "start" if x + LETTER * len(said) < WIDTH else "end"
    line = f'<line class="first" x1="{x}" x2="{x}" y1="{UPPER - 4}" y2="{paper.y(FLOOR)}"/>'
    return f'{line}<text class="first" x="{x}" y="15" text-anchor="{anchor}">{_escape(said)}</text>'


def _fed(row: Row) -> float:
    """Return the decade of a row's dot: the difference of the layer by itself, or of what came in."""
    return max(_decade(row.fed), _decade(row.arriving) if row.status == "input differs" else FLOOR)


def _decade(one: Difference | None) -> float:
    if one is None or one.is_equal:
        return FLOOR
    if not one.is_comparable or not math.isfinite(one.max_abs):
        return TOP
    return min(TOP, max(FLOOR, math.log10(one.max_abs))) if one.max_abs else FLOOR


def _limit(row: Row) -> float | None:
    """Return the decade up to which rounding explains a difference, where there is one to explain."""
    for one in (row.fed, row.free):
        if one is not None and one.max_abs and 0 < one.peak_ratio < math.inf:
            return min(TOP, max(FLOOR, math.log10(one.max_abs / one.peak_ratio * PEAK_RATIO)))
    return None


def _number(one: Difference | None) -> str:
    if one is None:
        return "-"
    return problem(one) or amount(0 if one.is_equal else one.max_abs)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
