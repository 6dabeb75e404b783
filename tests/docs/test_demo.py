"""`make demo`: its script is followed as the release that it needs, unstated, and its own checks pass."""

from pathlib import Path

import pytest

from tests.processes import ROOT, python


@pytest.mark.needs(package="sklearn")
@pytest.mark.process
@pytest.mark.long
def test_the_demo_trains_converts_and_agrees(tmp_path: Path) -> None:
    done = python("examples/lenet/demo.py", "--out", str(tmp_path), cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "following MindSpore 1.10" in done.stdout
    assert {"lenet.ckpt", "lenet_translated.py", "lenet_from_torch.ckpt", "report.html"} <= {
        each.name for each in tmp_path.iterdir()
    }
