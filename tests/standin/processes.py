"""Python processes with the stand-in: two devices named "cuda:0" and "cuda:1", as those of all their children."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.standin import building

ROOT = Path(__file__).parents[2]
STARTUP = Path(__file__).with_name("startup")
LIMIT_S = 600


def environment(face: str = "cuda", **variables: str) -> dict[str, str]:
    """Return the environment of such a process; where the stand-in cannot be built, the test is skipped."""
    if lacking := building.missing():
        pytest.skip(f"the stand-in for a card needs {lacking}")
    path = os.pathsep.join([str(STARTUP), str(ROOT)])
    own = {"MSBRIDGE_STANDIN": str(building.library(face)), "MSBRIDGE_STANDIN_FACE": face}
    return dict(os.environ) | own | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1"} | variables


def run(*words: str, face: str = "cuda", **variables: str) -> str:
    """Run Python with the words of a command line, and return what it printed.

    Raises:
        subprocess.CalledProcessError: it failed; the exception has what it printed.
    """
    command = [sys.executable, *words]
    return subprocess.run(
        command,
        env=environment(face, **variables),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=LIMIT_S,
    ).stdout
