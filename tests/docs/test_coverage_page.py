"""The coverage page, from names that are here and names that are not."""

import pytest
from coverage_page import PAGE, Name, Release, page, resolves, written

RELEASES = {
    "2.10.0": Release(
        {"mindspore.hub": ("mindspore.hub.load",), "mindspore.ops": ("mindspore.ops.Add", "mindspore.ops.foo")},
        {"mindspore.Tensor": ("mindspore.Tensor.shape",)},
    ),
    "2.0.0": Release({"mindspore.ops": ("mindspore.ops.Add", "mindspore.ops.ReLU"), "mindspore.nn": ()}),
}
USED = [Name("mindspore.hub.load", 1, 2), Name("mindspore.ops.Add", 5, 4), Name("mindspore.ops.foo", 1, 0)]


@pytest.fixture
def text(dropin: object) -> str:
    return page(RELEASES, USED)


def test_names_are_counted_by_room_and_class(text: str) -> None:
    assert "| `mindspore.hub` | 1 | 0 | 0.0 % |\n| `mindspore.ops` | 2 | 1 | 50.0 % |" in text
    assert "| `mindspore.Tensor` | 1 | 1 | 100.0 % |\n| **all** | 4 | 2 | 50.0 % |" in text


def test_of_an_older_release_only_what_is_gone_is_counted(text: str) -> None:
    older = text.partition("2.0.0 that 2.10.0 no longer has")[2]
    assert "| `mindspore.ops` | 1 | 1 | 100.0 % |\n| **all** | 1 | 1 | 100.0 % |" in older


def test_what_scripts_use_is_weighed_by_use(text: str) -> None:
    assert "1 of 3 names, which are 69.23 % of 13 uses, resolve." in text
    assert "| `mindspore.ops.foo` | 1 | 0 | not built yet |" in text


def test_what_is_absent_is_listed_with_the_reason(text: str) -> None:
    reasons = text.partition("## What is absent, and why")[2]
    assert "**Not built yet.**\n\n- `mindspore.ops`: `foo`\n" in reasons
    assert "**The model hub was closed; use mindspore.load_checkpoint on a downloaded file.**" in reasons


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_a_dotted_name_resolves_through_modules_and_classes() -> None:
    assert resolves("mindspore.common.parameter.Parameter.set_data")
    assert not resolves("mindspore.common.parameter.Parameter.nothing")
    assert not resolves("mindspore.nothing.at_all")


@pytest.mark.long
@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == written(), "run `python tools/coverage_page.py`"
