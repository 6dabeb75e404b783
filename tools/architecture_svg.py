"""Draw the house: its floors, its rooms with their sizes, and which room imports which.

    python tools/architecture_svg.py      # writes docs/architecture.svg

A room is a box; under its name is what is in it. An arrow goes down from a room to one that it imports, the thicker
the more of its files do, dashed where one does. Almost every room imports those of `BELOW_ALL`: their boxes say which.
"""

import math
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html import escape
from itertools import cycle
from pathlib import Path

import house

PICTURE = house.ROOT / "docs" / "architecture.svg"
BELOW_ALL = ("core", "mappings")
MIN_FOLDERS, MAX_FOLDERS = 3, 12  # of a room that are named: with fewer its files are, too
LETTER = 6.2  # width of a letter on average
WIDTH, LEFT, RIGHT = 960, 130, 770  # of the picture; the edges of the boxes
HEIGHT, STEP, TOP = 46, 62, 14
# Strong enough on white and on black.
INKS = ("#d1495b", "#2e86ab", "#d98324", "#5b8e3e", "#8f5fb8", "#1f9e89", "#b5739d", "#7a7f87")
STYLE = (
    "text{font-family:'Segoe UI',Helvetica,Arial,sans-serif;font-size:12px;fill:#46525e}"
    ".name{font-size:15px;font-weight:bold;fill:#15202b}.size{text-anchor:end}.note{fill:#7f8a95}"
    "rect{fill:#eef2f6;stroke:#8794a3}path{fill:none}"
)


@cache
def imports() -> dict[tuple[str, str], int]:
    """Return in how many files a room imports another."""
    found = Counter(
        (room, other)
        for room, files in house.files_by_room().items()
        for path in files
        for other in house.imported_rooms(path) - {room}
    )
    return dict(sorted(found.items()))


def arrows() -> dict[tuple[str, str], int]:
    """Return the imports that are drawn."""
    return {pair: count for pair, count in imports().items() if pair[1] not in BELOW_ALL}


@cache
def places() -> dict[str, tuple[int, int, int]]:
    """Return the left edge, the right edge and the top of every room's box; the highest floor is on top."""
    rooms = house.files_by_room()
    found = {}
    for row, floor in enumerate(reversed(house.FLOORS)):
        here = sorted(floor & rooms.keys())
        width = (RIGHT - LEFT - 20 * (len(here) - 1)) // len(here)
        for number, room in enumerate(here):
            left = LEFT + number * (width + 20)
            found[room] = (left, left + width, TOP + row * STEP)
    return found


def contents(room: str, width: int) -> str:
    """Return what is in a room, as far as it fits: its folders, and its files where it has few of them."""
    home = house.ROOT / room if (house.ROOT / room).is_dir() else house.ROOT / "msbridge" / room
    names = sorted(path.parent.name for path in home.glob("*/__init__.py"))
    if len(names) > MAX_FOLDERS:
        return f"{len(names)} topics"
    if len(names) < MIN_FOLDERS:
        names = sorted([*names, *(path.stem for path in home.glob("[a-z]*.py"))])
    shown = [name for number, name in enumerate(names) if len(" · ".join(names[: number + 1])) * LETTER < width]
    return " · ".join(shown + ["…"] * (len(shown) < len(names)))


def box(room: str, files: list[Path], place: tuple[int, int, int], floor: int) -> Iterator[str]:
    """Yield the elements of a room's box."""
    left, right, top = place
    lines = round(sum(map(house.line_count, files)), -2)
    users = sorted(one for one, other in imports() if other == room)
    below = f"imported by {', '.join(users)}" if room in BELOW_ALL else contents(room, right - left - 40)
    yield f'<g id="{room}" data-floor="{floor}">'
    yield f'<rect x="{left}" y="{top}" width="{right - left}" height="{HEIGHT}" rx="6"/>'
    yield f'<text class="name" x="{left + 12}" y="{top + 19}">{room}</text>'
    yield f'<text class="size" x="{right - 12}" y="{top + 18}">{len(files)} files, {lines:,} lines</text>'
    yield f'<text x="{left + 12}" y="{top + 37}">{escape(below)}</text>'
    yield "</g>"


def ports(room: str, is_left: bool, pairs: list[tuple[str, str]], tops: dict[str, int]) -> dict[tuple[str, str], float]:
    """Return at what height each arrow meets a box: in an order in which arcs inside each other do not cross."""

    def order(pair: tuple[str, str]) -> tuple[bool, int]:
        span = tops[pair[1]] - tops[pair[0]]
        return (True, -span) if pair[0] == room else (False, span)

    mine = sorted((pair for pair in pairs if room in pair and _is_left(pair) == is_left), key=order)
    return {pair: tops[room] + HEIGHT * (number + 1) / (len(mine) + 1) for number, pair in enumerate(mine)}


def _is_left(pair: tuple[str, str]) -> bool:
    """Whether an arrow runs on the left: to the first of two rooms on one floor."""
    return places()[pair[1]][0] == LEFT and places()[pair[1]][1] < RIGHT


def arcs() -> Iterator[str]:
    """Yield the arrows and their heads."""
    where, drawn = places(), arrows()
    tops = {room: top for room, (_, _, top) in where.items()}
    inks = dict(zip(sorted({room for room, _ in drawn}, key=tops.__getitem__), cycle(INKS), strict=False))
    heights = {room: {side: ports(room, side, list(drawn), tops) for side in (True, False)} for room in where}
    for pair, count in drawn.items():
        one, other = pair
        is_left = _is_left(pair)
        side, sign = (0, -1) if is_left else (1, 1)
        start, end = where[one][side], where[other][side] + sign * 7
        first, last = heights[one][is_left][pair], heights[other][is_left][pair]
        reach = max(start * sign, end * sign) + 24 + 13 * (tops[other] - tops[one]) / STEP
        x, ink = sign * reach, inks[one]
        line = f'stroke-width="{1 + math.log2(count) / 1.6:.1f}"' + ' stroke-dasharray="5 4"' * (count == 1)
        yield (
            f'<path data-from="{one}" data-to="{other}" stroke="{ink}" {line} '
            f'd="M{start} {first:.1f} C{x:.0f} {first:.1f} {x:.0f} {last:.1f} {end} {last:.1f}"/>'
            f'<polygon fill="{ink}" points="{end - 7 * sign},{last:.1f} {end + sign},{last - 4:.1f} '
            f'{end + sign},{last + 4:.1f}"/>'
        )


def draw() -> str:
    """Return the picture as SVG."""
    where, rooms = places(), house.files_by_room()
    levels = {room: level for level, floor in enumerate(house.FLOORS) for room in floor}
    height = TOP + STEP * len(house.FLOORS) + 26
    note = "Arrows: what a room imports, thick where many of its files do, dashed where one does."
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
        "<title>The rooms of msbridge, floor by floor: imports go down only</title>",
        f"<style>{STYLE}</style>",
        *arcs(),
        *(part for room, files in rooms.items() for part in box(room, files, where[room], levels[room])),
        f'<text class="note" x="{LEFT}" y="{height - 14}">{note}</text>',
        "</svg>\n",
    ])  # fmt: skip


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
