"""Reports are given when something was collected; collecting ends with the block."""

from collections.abc import Iterator

import pytest

from msbridge.core.runtime import observers
from msbridge.device import collect, report
from msbridge.device.report import requests
from tests.device.report.reported import batch


@pytest.fixture(autouse=True)
def nothing_collected() -> Iterator[None]:
    forget()  # what an example of a docstring has collected before
    yield
    forget()


def forget() -> None:
    while requests._latest:
        requests._latest.pop().stop()


def test_a_report_of_nothing_says_how_to_collect() -> None:
    with pytest.raises(RuntimeError, match="collect"):
        report()


def test_a_block_is_reported_and_collecting_ends_with_it(step) -> None:
    with collect():
        step(batch())
    step(batch())
    assert observers.active == ()
    assert report().seen.steps == 1


def test_collecting_again_gives_up_what_was_collected(step) -> None:
    collect()
    step(batch())
    collect()
    assert len(observers.active) == 1
    assert report().seen.steps == 0
