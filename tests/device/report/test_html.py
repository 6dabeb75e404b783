"""The page is well formed, escapes what scripts call their things, needs nothing from outside, and stays small."""

from html.parser import HTMLParser

import pytest

from msbridge.device.report.facts import Seen, Span
from msbridge.device.report.html import render
from msbridge.device.report.outcome import Report
from tests.device.report.reported import HOSTILE, hostile

VOID = {"meta", "link", "br", "img", "input", "rect", "line"}


class Page(HTMLParser):
    """Checks that what is opened is closed, and keeps the tags, the texts and the attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_everything_is_closed_and_escaped() -> None:
    page = Page(render(hostile()))
    assert page.open == []
    assert "script" not in page.tags
    assert "b" in page.tags  # the page's own
    assert any(HOSTILE in text for text in page.texts)
    assert not [value for name, value in page.attributes if name.startswith("on")]


def test_nothing_is_loaded_from_outside() -> None:
    page = Page(render(hostile()))
    assert not {name for name, _ in page.attributes} & {"src", "href", "srcset"}
    assert "url(" not in render(hostile())
    assert "@import" not in render(hostile())


def test_the_picture_has_a_name_and_a_table() -> None:
    page = Page(render(hostile()))
    assert ("role", "img") in page.attributes
    assert "svg" in page.tags
    assert "table" in page.tags


def test_an_empty_report_is_a_page_too() -> None:
    page = Page(render(Report(Seen("CPU", "cpu", "graph"), ())))
    assert page.open == []
    assert any("No step was seen" in text for text in page.texts)


@pytest.mark.parametrize("count", [1, 359, 361, 5000])
def test_a_long_run_gives_a_small_page(count: int) -> None:
    spans = tuple(Span(number, number + 0.9, 1, 10, 0.1, 0.1, 1, 3) for number in range(count))
    text = render(Report(Seen("Ascend", "cpu", "graph", seconds=count, steps=count * 10, spans=spans), ()))
    assert len(text) < 500_000
    assert Page(text).open == []
