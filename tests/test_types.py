"""mypy accepts the packages; as a test, it runs beside the others."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.process
@pytest.mark.long
def test_types_agree() -> None:
    script = Path(__file__).parent.parent / "tools" / "check_types.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
