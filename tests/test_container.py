"""The container file: hadolint has nothing against it, and what it copies is there."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILE = ROOT / "Dockerfile"


@pytest.mark.process
def test_hadolint_accepts_the_container_file() -> None:
    program = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    assert program, "hadolint is not installed: make test does it"
    done = subprocess.run([program, FILE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_copied_is_there() -> None:
    words = [word for line in re.findall(r"^COPY (.*)$", FILE.read_text(), re.MULTILINE) for word in line.split()[:-1]]
    assert [word for word in words if not (ROOT / word).exists()] == []
    assert {"converters", "mappings", "msbridge"} <= set(words)
