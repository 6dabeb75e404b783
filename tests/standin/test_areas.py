"""What msbridge does on a device, on the stand-in: each area is a run of pytest in a process of its own.

The tests of an area run on a real card as well, where there is one; without a device they are skipped.
"""

import re
import subprocess
import sys

import pytest

from tests.standin.processes import LIMIT_S, ROOT, environment

PARTS = 4  # of the recorded cases: they take longest, and two processes share them
AREAS = {
    **{f"oracle {part} of {PARTS}": ("tests/oracle/test_on_device.py", f"{part - 1}/{PARTS}") for part in range(1, 5)},
    "graphs and the data channel": ("-m needs tests/device/capture tests/device/test_channel.py", ""),
    "on a device": ("tests/on_device", ""),
    "processes": ("-m process tests/distributed", ""),
}


@pytest.mark.long
@pytest.mark.process
@pytest.mark.parametrize("area", AREAS)
def test_area_passes_on_two_devices(area: str) -> None:
    paths, part = AREAS[area]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
        "--tb=short",
        *paths.split(),
    ]
    done = subprocess.run(
        command,
        env=environment(MSBRIDGE_TEST_PART=part or "0/1"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert done.returncode == 0, done.stdout[-12000:] + done.stderr[-2000:]
    assert re.search(r"\d+ passed", done.stdout), done.stdout
