"""The pages for developers name files and functions that exist, and the picture shows the rooms that there are."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import architecture_svg
import house

ROOT = house.ROOT
PAGES = [ROOT / "docs" / "architecture.md", ROOT / "docs" / "vocabulary.md", ROOT / "CONTRIBUTING.md"]
TOP = "msbridge|converters|mappings|tests|tools|docs|benchmarks|examples"
PATH = re.compile(rf"`((?:{TOP})/[\w./-]*?)(?:::(\w+))?`")
DRAWN = ElementTree.parse(architecture_svg.PICTURE).getroot()
SVG = "{http://www.w3.org/2000/svg}"


def named(page: Path) -> list[tuple[str, str]]:
    return sorted(set(PATH.findall(page.read_text(encoding="utf-8"))))


@pytest.mark.parametrize(("path", "name"), sorted({place for page in PAGES for place in named(page)}))
def test_what_a_page_names_is_there(path: str, name: str) -> None:
    assert (ROOT / path).exists()
    assert not name or re.search(rf"(def|class) {name}\b", (ROOT / path).read_text(encoding="utf-8"))


def test_the_picture_shows_every_room_on_its_floor() -> None:
    shown = {group.get("id"): int(group.get("data-floor")) for group in DRAWN.iter(f"{SVG}g")}
    rooms = house.files_by_room()
    there = {room: level for level, floor in enumerate(house.FLOORS) for room in floor & rooms.keys()}
    assert shown == there, "run `python tools/architecture_svg.py`"


@pytest.mark.sources
def test_the_picture_shows_which_room_imports_which() -> None:
    arrows = {(arc.get("data-from"), arc.get("data-to")) for arc in DRAWN.iter(f"{SVG}path")}
    assert arrows == architecture_svg.arrows().keys(), "run `python tools/architecture_svg.py`"
