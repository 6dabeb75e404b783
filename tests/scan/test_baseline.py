"""Baselines: a scan fails on new findings only."""

from collections import Counter
from pathlib import Path

import pytest

from msbridge.scan.baseline import BaselineError, new_findings, read_baseline, write_baseline
from msbridge.scan.findings import Finding, Level, Rule

RULE = Rule("yield", Level.REFUSED, "a generator", "it is not read", "return a list")


def finding(line: int, excerpt: str, path: str = "net.py") -> Finding:
    return Finding(RULE, path, line, 1, excerpt)


def test_a_finding_is_known_on_another_line(tmp_path: Path) -> None:
    write_baseline(str(tmp_path / "b.json"), [finding(3, "yield x")])
    known = read_baseline(str(tmp_path / "b.json"))
    assert new_findings([finding(9, "yield x"), finding(10, "yield y")], known) == [finding(10, "yield y")]


def test_of_findings_alike_one_more_is_new(tmp_path: Path) -> None:
    write_baseline(str(tmp_path / "b.json"), [finding(3, "yield x"), finding(5, "yield x")])
    known = read_baseline(str(tmp_path / "b.json"))
    assert new_findings([finding(line, "yield x") for line in (3, 5, 7)], known) == [finding(7, "yield x")]
    assert sum(known.values()) == 2  # what was read stays


def test_the_same_line_of_another_file_is_new() -> None:
    known = Counter({("net.py", "yield", "yield x"): 1})
    assert new_findings([finding(3, "yield x", "other.py")], known) == [finding(3, "yield x", "other.py")]


@pytest.mark.parametrize("text", ["", "{}x", "[1]", '[{"path": "a"}]', "null", '{"a": 1}'])
def test_a_file_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(text)
    with pytest.raises(BaselineError, match="is no baseline"):
        read_baseline(str(path))
