"""The coverage page."""

import pytest

from msbridge.dropin.coverage import Name, page, resolves

NAMES = [Name("mindspore.hub.load", 1, 2), Name("mindspore.ops.Add", 5, 4), Name("mindspore.ops.foo", 1, 0)]


@pytest.fixture
def text() -> str:
    return page(NAMES, {"mindspore.ops.Add": True, "mindspore.ops.foo": False, "mindspore.hub.load": False})


def test_the_summary_counts_by_room(text: str) -> None:
    assert "| **all** | 3 | 1 | 69.2 % |" in text
    assert "| `mindspore.ops` | 2 | 1 | 90.0 % |" in text


def test_the_most_used_room_comes_first(text: str) -> None:
    assert text.index("`mindspore.ops`") < text.index("`mindspore.hub`")


def test_what_is_here_is_listed(text: str) -> None:
    assert "Here: `Add`." in text


def test_what_is_absent_is_listed_with_the_reason(text: str) -> None:
    assert "| `mindspore.ops.foo` | 1 | 0 | not built yet |" in text
    assert "| `mindspore.hub.load` | 1 | 2 | the model hub was closed; use mindspore.load_checkpoint" in text


@pytest.mark.usefixtures("dropin")
def test_a_dotted_name_resolves_through_modules_and_classes() -> None:
    assert resolves("mindspore.common.parameter.Parameter.set_data")
    assert not resolves("mindspore.common.parameter.Parameter.nothing")
    assert not resolves("mindspore.nothing.at_all")
