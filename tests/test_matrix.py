"""What `tools/matrix.py` reads of pytest, and writes on docs/matrix.md."""

import os
from pathlib import Path

import matrix
import pytest

JUNIT = """<testsuites><testsuite time="12.4" tests="4" skipped="1">
<testcase classname="tests.a" name="one"/><testcase classname="tests.a" name="two"><failure/></testcase>
<testcase classname="tests.b" name="three"><skipped/></testcase>
<testcase classname="tests.b" name="four"/><testcase classname="tests.b" name="four"><error/></testcase>
</testsuite></testsuites>"""
TOLD = ("3.12.1", "2.13.0+cpu", "make quick", "abc", "2026-11-28")
PAGE = "Above\n<!-- matrix -->\nold\n<!-- end of matrix -->\n"


def test_results_are_counted(tmp_path: Path) -> None:
    (tmp_path / "junit.xml").write_text(JUNIT)
    counted = matrix.counts(tmp_path / "junit.xml")
    assert counted == {"passed": 2, "failures": ("tests.a::two", "tests.b::four"), "skipped": 1, "seconds": 12}


def test_the_page_names_what_failed_and_what_did_not_run() -> None:
    results = [
        matrix.Result(*TOLD, passed=1234, failures=("tests.a::two",), skipped=1, seconds=12),
        matrix.Result(*TOLD, stopped="no such torch"),
    ]
    page = matrix.fill(PAGE, results)
    assert "| 3.12.1 | 2.13.0+cpu | 1,234 | 1 | 1 | 12 | `make quick` | abc | 2026-11-28 |" in page
    assert "| 0 | no such torch | 0 | 0 |" in page
    assert "- `tests.a::two`\n" in page
    assert "old" not in page
    assert matrix.fill(page, results) == page


@pytest.mark.process
def test_interpreters_are_found_by_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version, folder in (("3.12.1", "a"), ("3.12.9", "b"), ("3.10.2", "c"), ("", "d")):
        minor = version.rpartition(".")[0] or "3.13"
        path = tmp_path / "versions" / folder / "bin" / f"python{minor}"
        path.parent.mkdir(parents=True)
        path.write_text(f"#!/bin/sh\necho {version}\n")
        path.chmod(0o755)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setattr(os, "get_exec_path", list)
    assert matrix.installed_pythons() == {"3.12": tmp_path / "versions" / "b" / "bin" / "python3.12"}


def test_results_of_another_commit_or_command_are_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(matrix, "_git", lambda *words: "abc")
    results = {"3.12-2.13.0": matrix.Result(*TOLD, failures=("tests.a::two",))}
    matrix.save(results)
    assert matrix.of_now(matrix.load(), "make quick") == results
    assert matrix.of_now(matrix.load(), "make test") == {}
