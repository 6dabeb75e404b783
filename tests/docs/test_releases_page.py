"""docs/releases.md says what the tables say, and every expression returns what the table says under each release."""

import pytest
import releases_page

import msbridge
from msbridge.core.releases import release
from msbridge.core.releases.rows import Row
from tests.oracle.divergences import outcome


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_the_page_is_that_of_the_tables() -> None:
    assert releases_page.PAGE.read_text(encoding="utf-8") == releases_page.page()


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_every_argument_that_changed_has_a_row_and_is_taken() -> None:
    rows = list(releases_page.changed_arguments())
    words: dict[str, set[str]] = {}
    for name, steps, taken in rows:
        assert taken != "absent", name
        found = {
            one.lstrip("+-").partition("=")[0] for step in steps for one in step.partition(": ")[2].strip("`").split()
        }
        words.setdefault(name.rpartition(".")[2], set()).update(found)
    recorded = [releases_page.recorded(each) for each in ("1.0.0", "2.0.0", "2.10.0")]
    for before, after in ((0, 1), (1, 2), (0, 2)):
        for name in recorded[before].keys() & recorded[after].keys():
            changed = changed_words(recorded[before][name], recorded[after][name])
            assert changed <= words.get(name.rpartition(".")[2], set()), name


def changed_words(before: list[list[str]] | None, after: list[list[str]] | None) -> set[str]:
    """Return the arguments that are gone, new, or have another default; none of a signature that takes anything."""
    if not before or not after or any(name == "*args" for name, _ in (*before, *after)):
        return set()
    return {name for name, _ in {tuple(each) for each in before} ^ {tuple(each) for each in after}}


@pytest.mark.usefixtures("mindspore_is_msbridge")
@pytest.mark.parametrize("row", releases_page.results(), ids=lambda row: row.expression)
def test_an_expression_gives_the_form_of_the_release(row: Row) -> None:
    assert outcome(row.expression) == row.now
    msbridge.set_release(release.before(row.since))
    assert outcome(row.expression) == row.was
    msbridge.set_release(None)
    assert outcome(row.expression) == row.now
