"""Curves of how a cost grows: what is measured, the exponent of the growth, and the picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Curve", "Line", "draw"]

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 420, 250, 64, 14, 30, 42
COLUMNS = 2
COLOURS = ("var(--blue)", "var(--orange)", "var(--green)")
STYLE = (
    "<style>:root{--paper:#fff;--ink:#222;--note:#555;--grid:#e4e4e4;--blue:#2563c9;--orange:#b96a0c;--green:#22804a}"
    "@media (prefers-color-scheme: dark){:root{--paper:#1b2228;--ink:#f1f5f9;--note:#c3ccd5;--grid:#3a444d;"
    "--blue:#7aa7f0;--orange:#f0a850;--green:#6fcf97}}</style>"
)


@dataclass(frozen=True, slots=True)
class Line:
    """What one way costs.

    Attributes:
        name: of the way.
        points: sizes and costs, by size.
    """

    name: str
    points: Sequence[tuple[float, float]]

    @property
    def exponent(self) -> float:
        """The exponent of the growth over the upper part of the sizes, from the root of the largest ratio on."""
        (first, _), (last, end) = self.points[0], self.points[-1]
        middle = math.sqrt(first * last)
        size, cost = next(point for point in self.points if point[0] >= middle)
        return math.log(end / cost) / math.log(last / size)


@dataclass(frozen=True, slots=True)
class Curve:
    """How one cost grows.

    Attributes:
        name: what is measured.
        size: what grows, with its unit.
        cost: what is counted, with its unit.
        lines: the ways.
        reason: why the growth is what it is.
    """

    name: str
    size: str
    cost: str
    lines: Sequence[Line]
    reason: str

    def rows(self) -> list[str]:
        """Return a row of a Markdown table for each way."""
        rows = []
        for line in self.lines:
            (first, low), (last, high) = line.points[0], line.points[-1]
            rows.append(
                f"| {self.name}: {line.name} | {_number(first)} … {_number(last)} {self.size} | "
                f"{_number(low)} … {_number(high)} {self.cost} | {line.exponent:.2f} | {self.reason} |"
            )
        return rows


def draw(curves: Sequence[Curve]) -> str:
    """Return the picture: a panel for each curve, both axes by powers, and beside each end the linear growth."""
    rows = -(-len(curves) // COLUMNS)
    width, height = COLUMNS * WIDTH, rows * HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="11">',
        f'{STYLE}<rect width="100%" height="100%" fill="var(--paper)"/>',
    ]
    for place, curve in enumerate(curves):
        x, y = place % COLUMNS * WIDTH, place // COLUMNS * HEIGHT
        parts += [f'<g transform="translate({x} {y})">', *_panel(curve), "</g>"]
    return "\n".join([*parts, "</svg>\n"])


def _panel(curve: Curve) -> list[str]:
    sizes = [size for line in curve.lines for size, _ in line.points]
    costs = [cost for line in curve.lines for _, cost in line.points]
    across, up = _Axis(min(sizes), max(sizes), LEFT, WIDTH - RIGHT), _Axis(min(costs), max(costs), HEIGHT - BOTTOM, TOP)
    parts = [f'<text x="{LEFT}" y="16" font-size="13" fill="var(--ink)">{curve.name}</text>']
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end" fill="var(--note)">{curve.size}</text>')
    for tick in up.ticks():
        parts.append(f'<path d="M{LEFT} {up.at(tick):.1f}H{WIDTH - RIGHT}" stroke="var(--grid)"/>')
        label = f"{_number(tick)} {curve.cost}"
        parts.append(
            f'<text x="{LEFT - 6}" y="{up.at(tick) + 4:.1f}" text-anchor="end" fill="var(--note)">{label}</text>'
        )
    parts += [
        f'<text x="{across.at(tick):.1f}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle" fill="var(--note)">'
        f"{_number(tick)}</text>"
        for tick in across.ticks()
    ]
    for place, line in enumerate(curve.lines):
        colour = COLOURS[place]
        parts.append(_linear(line, across, up, colour))
        points = " ".join(f"{across.at(size):.1f},{up.at(cost):.1f}" for size, cost in line.points)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(
            f'<text x="{LEFT + 10}" y="{TOP + 12 + 14 * place}" fill="{colour}">{line.name}, '
            f"exponent {line.exponent:.2f}</text>"
        )
    return parts


def _linear(line: Line, across: "_Axis", up: "_Axis", colour: str) -> str:
    """Return the linear growth that ends where the line ends, as far down as the panel goes."""
    size, cost = line.points[-1]
    factor = max(line.points[0][0] / size, up.low / cost)
    start = f"M{across.at(size):.1f} {up.at(cost):.1f}L{across.at(size * factor):.1f} {up.at(cost * factor):.1f}"
    return f'<path d="{start}" stroke="{colour}" stroke-dasharray="3 4" stroke-opacity="0.6"/>'


class _Axis:
    """An axis by powers: where a value is."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high = low / 1.15, high * 1.15
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        """Return the place of a value."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self._start + share * (self._end - self._start)

    def ticks(self) -> list[float]:
        """Return powers of ten, or of two where these would be fewer than three."""
        for base in (10.0, 2.0):
            powers = range(math.ceil(math.log(self.low, base)), math.floor(math.log(self.high, base)) + 1)
            found = [base**power for power in powers]
            if len(found) > 2:
                break
        step = -(-len(found) // 6)
        return found[::step]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
