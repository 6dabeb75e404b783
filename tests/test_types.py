"""mypy accepts the packages; as a test, it runs beside the others."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.process
@pytest.mark.long
def test_types_agree() -> None:
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
