"""Every kind of finding has a sentence; amounts and shapes in words."""

import pytest

from msbridge.device.report.facts import Place
from msbridge.device.report.judging import findings
from msbridge.device.report.sentences import FIXES, SEEN, amount, at, fix_of, sentence, shape, share, times
from tests.device.report.reported import hostile


def test_every_fix_belongs_to_a_finding() -> None:
    assert set(FIXES) <= set(SEEN)


def test_sentences_can_be_made_of_all_that_is_found() -> None:
    for finding in findings(hostile().seen):
        assert sentence(finding).endswith(".")
        assert fix_of(finding)


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (5 * 2**30, "5 GiB"), (300 * 2**20, "300 MiB")]
)
def test_amounts(size: int, text: str) -> None:
    assert amount(size) == text


def test_words() -> None:
    assert (share(0.001), share(0.5), share(0)) == ("< 1 %", "50 %", "0 %")
    assert (times(1), times(1200)) == ("once", "1,200 times")
    assert (shape((2, 3)), shape(())) == ("2×3", "scalar")
    assert (at(Place()), at(Place("/elsewhere/train.py", 3))) == ("", "/elsewhere/train.py:3")
