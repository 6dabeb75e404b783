"""A report as values, as files, and as text."""

import json
from pathlib import Path

import pytest

from msbridge.device.report.facts import Seen
from msbridge.device.report.outcome import Report
from tests.device.report.reported import hostile


def test_everything_is_there_as_plain_values() -> None:
    report = hostile()
    values = json.loads(json.dumps(report.as_dict()))
    assert (values["steps"], values["waits"], values["unplanned"]) == (100, 51, 50)
    assert values["memory"]["layers"][0]["bytes"] == 2**20
    assert {"kind", "severity", "place", "values", "sentence", "fix"} == {*values["findings"][0]}
    assert values["largest_batch"] == report.seen.room.largest_batch(report.seen.memory)


@pytest.mark.parametrize("name", ["out.html", "out.json"])
def test_the_suffix_says_what_is_written(name: str, tmp_path: Path) -> None:
    hostile().save(tmp_path / name)
    text = (tmp_path / name).read_text()
    assert text.startswith("<!DOCTYPE html>" if name == "out.html" else "{")
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.html or \.json, got '.*out.pdf'"):
        hostile().save(tmp_path / "out.pdf")


def test_the_summary_counts_and_has_a_fix_for_each_problem() -> None:
    lines = str(hostile()).splitlines()
    assert lines[0].startswith("Device report: ")
    assert sum(line.lstrip().startswith("problem:") for line in lines) == len(hostile().problems)
    assert sum(line.lstrip().startswith("fix:") for line in lines) >= len(hostile().problems)


def test_no_step_is_said() -> None:
    assert str(Report(Seen("CPU", "cpu", "graph"), ())).startswith("Device report: no step was seen")
