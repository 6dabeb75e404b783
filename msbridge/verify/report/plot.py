"""The plot of a report: the greatest difference of each layer over the layers, on a logarithmic axis, as SVG."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msbridge.core.html.svg import element, picture
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
    top = max([1, *(min(TOP, math.ceil(max(_decade(row.free), _row_decade(row)))) for _, row in numbered)])
    paper = _Paper(len(rows), top)
    points = " ".join(f"{paper.x(at)},{paper.y(_decade(row.free))}" for at, row in numbered if row.free is not None)
    first = next(((number, row) for number, row in numbered if row.status in FAULTS), None)
    parts = [
        *_axes(paper),
        element("polyline", class_="free", points=points),
        *(_dash(paper, number, limit) for number, row in numbered if (limit := _limit(row)) is not None),
        *(_dots(paper, number, row) for number, row in numbered),
        *(_name(paper, *first) if first else ()),
    ]
    return picture(WIDTH, HEIGHT, "greatest difference of each layer", parts)


@dataclass(frozen=True, slots=True)
class _Paper:
    """The coordinates of rows and decades."""

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
        yield element("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y)
        if (decade - FLOOR) % 2 == 0:
            yield element("text", label, class_="axis", x=LEFT - 7, y=y + 4, text_anchor="end")
    for number in range(0, paper.count, max(1, math.ceil(paper.count / MARKS))):
        yield element("text", number + 1, class_="axis", x=paper.x(number), y=HEIGHT - 6, text_anchor="middle")


def _dash(paper: _Paper, number: int, limit: float) -> str:
    half, x, y = max(1.5, paper.step / 2.4), paper.x(number), paper.y(limit)
    return element("line", class_="limit", x1=x - half, x2=x + half, y1=y, y2=y)


def _dots(paper: _Paper, number: int, row: Row) -> str:
    radius, x = min(2.6, max(1.2, paper.step / 3)), paper.x(number)
    kind, size = ("bad", radius + 2) if row.status in FAULTS else ("good", radius)
    said = f"{number + 1} {row.name}: {row.status}; free {_number(row.free)}, fed {_number(row.fed)}"
    free = element("circle", class_="free", cx=x, cy=paper.y(_decade(row.free)), r=radius * 0.8)
    fed = element("circle", class_=f"fed {kind}", cx=x, cy=paper.y(_row_decade(row)), r=size)
    return element("g", element("title", said), free if row.free is not None else "", fed, data_row=number)


def _name(paper: _Paper, number: int, row: Row) -> Iterator[str]:
    """Mark the first fault with a line and its name."""
    x, said = paper.x(number), short(row.name)
    anchor = "start" if x + LETTER * len(said) < WIDTH else "end"
    yield element("line", class_="first", x1=x, x2=x, y1=UPPER - 4, y2=paper.y(FLOOR))
    yield element("text", said, class_="first", x=x, y=15, text_anchor=anchor)


def _row_decade(row: Row) -> float:
    """Return the decade of a row's dot: the difference of the layer by itself, or of what came in."""
    return max(_decade(row.fed), _decade(row.arriving) if row.status == "input differs" else FLOOR)


def _decade(difference: Difference | None) -> float:
    if difference is None or difference.is_equal:
        return FLOOR
    if not difference.is_comparable or not math.isfinite(difference.max_abs):
        return TOP
    return min(TOP, max(FLOOR, math.log10(difference.max_abs))) if difference.max_abs else FLOOR


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
