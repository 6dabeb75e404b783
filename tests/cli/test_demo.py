"""`make demo`: its script is followed as the release that it needs, unstated, and its own checks pass."""

from pathlib import Path

import pytest

from tests.processes import python


@pytest.mark.needs(package="sklearn")
@pytest.mark.process
@pytest.mark.long  # 2,000 steps
def test_the_demo_trains_converts_and_compares(tmp_path: Path) -> None:
    done = python("examples/lenet/demo.py", "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "following MindSpore 1.10" in done.stdout
