"""The GPU benchmark, rehearsed on the CPU."""

import os
from pathlib import Path

import pytest

from benchmarks.gpu import HEAD, write
from benchmarks.gpu_checks import OPERATORS, Check
from benchmarks.table import at_least
from tests.processes import python

ROOT = Path(__file__).parents[2]


@pytest.mark.process
def test_the_whole_of_it_runs_on_the_cpu(tmp_path):
    path = tmp_path / "RESULTS.md"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = python("-m", "benchmarks.gpu", "--cpu", "--results", str(path), cwd=ROOT, env=environment)
    assert "FAIL" not in done.stdout, done.stdout
    assert "checks hold; 0 targets missed" in done.stdout
    assert "## CPU, a rehearsal; torch" in path.read_text(encoding="utf-8")


def test_sixty_operators_and_more_are_checked():
    assert len(OPERATORS) >= 60


def test_a_run_stands_before_earlier_ones(tmp_path):
    path = tmp_path / "RESULTS.md"
    row = at_least("a step", 30.0, "torch", 10.0, 3.0, "steps/s")
    write(path, "one card", [Check("values", "0.0", True)], [row])
    write(path, "other card", [Check("values", "differs by 1", False)], [row])
    text = path.read_text(encoding="utf-8")
    assert text.startswith(HEAD)
    assert text.index("## other card") < text.index("## one card")
    assert "- values: differs by 1" in text
    assert "| a step | 30 steps/s | torch 10 steps/s | 3.00 | ≥ 3 × | met |" in text
