"""What msbridge does on a device, on the stand-in: each area is a run of pytest in a process of its own.

The tests of an area run on a real card as well, where there is one; without a device they are skipped.
"""

import re
import subprocess
import sys

import pytest

from tests.standin.processes import LIMIT_S, ROOT, environment

PARTS = 4  # of the recorded cases: they take longest, and two processes share them
ORACLE = "tests/oracle/test_on_device.py"
AREAS = {  # pytest's words, the part, and the stand-in's face
    **{f"oracle {part} of {PARTS}": (ORACLE, f"{part - 1}/{PARTS}", "cuda") for part in range(1, PARTS + 1)},
    **{f"oracle on an NPU {part} of {PARTS}": (ORACLE, f"{part - 1}/{PARTS}", "npu") for part in range(1, PARTS + 1)},
    "graphs and the data channel": ("-m needs tests/device/capture tests/device/test_channel.py", "0/1", "cuda"),
    "on a device": ("tests/on_device tests/oracle/test_fake_tensors.py", "0/1", "cuda"),
    "processes": ("-m process tests/distributed", "0/1", "cuda"),
    "processes with NPUs": (
        "-m process tests/distributed/test_two_processes.py tests/distributed/test_overlapped_all_reduce.py",
        "0/1",
        "npu",
    ),
}


@pytest.mark.long
@pytest.mark.process
@pytest.mark.parametrize("area", AREAS)
def test_area_passes_on_two_devices(area: str) -> None:
    paths, part, face = AREAS[area]
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
        env=environment(face, MSBRIDGE_TEST_PART=part),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert done.returncode == 0, done.stdout[-12000:] + done.stderr[-2000:]
    assert re.search(r"\d+ passed", done.stdout), done.stdout
