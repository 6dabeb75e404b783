"""`msbridge run --nproc`: what is shown, and how a failure of one process ends all."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from msbridge.cli import run, several

ROOT = Path(__file__).parents[2]
SPEAKING = "import os, time\nfor i in range(200): print(os.environ['RANK'] * 60)"
FAILING = """
import os, sys, time
rank = os.environ["RANK_ID"]
if rank == "2":
    def first():
        raise ValueError(f"the data of rank {rank} are bad")
    first()
time.sleep(60)
"""


def started(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "msbridge", "run", *arguments],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.process
def test_lines_stay_whole():
    done = started("--nproc", "3", "-c", SPEAKING)
    lines = done.stdout.splitlines()
    assert (done.returncode, len(lines)) == (0, 600)
    assert set(lines) == {f"[rank {rank}] {str(rank) * 60}" for rank in range(3)}


@pytest.mark.process
def test_the_first_failure_ends_all_and_is_named_at_the_end(tmp_path):
    begun = time.monotonic()
    done = started("--nproc", "4", "--log-dir", str(tmp_path / "logs"), "-c", FAILING)
    assert time.monotonic() - begun < 30
    assert done.returncode == 1
    *_, error, last = done.stderr.splitlines()
    assert error == "ValueError: the data of rank 2 are bad"
    assert "rank 2 of 4 ended first, with exit code 1; the 3 still running were stopped." in last
    assert str(tmp_path / "logs" / "rank_2.log") in last
    assert "in first" in done.stderr
    assert "Traceback" in (tmp_path / "logs" / "rank_2.log").read_text()


@pytest.mark.process
def test_a_signal_is_named():
    done = started("--nproc", "2", "-c", "import os; os.environ['RANK'] == '1' and os.kill(os.getpid(), 9)")
    assert done.returncode == 137
    assert "rank 1 of 2 ended first, with signal SIGKILL" in done.stderr


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--nproc", "0", "a.py"), "number of processes"),
        (("--log-dir", "logs", "a.py"), "--nproc"),
        (("--nproc", "2", "-"), "stdin"),
    ],
)
def test_options_that_do_not_fit(arguments, says):
    done = started(*arguments)
    assert done.returncode == 2
    assert says in done.stderr


def test_a_process_finds_its_place_in_the_environment():
    shared = {"MSBRIDGE_LEDGER": "1", "OMP_NUM_THREADS": "3"}
    first, last = (several._own(shared, rank, 4, 1234) for rank in (0, 3))
    assert ("MSBRIDGE_LEDGER" in first, "MSBRIDGE_LEDGER" in last) == (True, False)
    assert [last[name] for name in ("RANK", "RANK_ID", "LOCAL_RANK", "DEVICE_ID")] == ["3"] * 4
    assert [last[name] for name in ("WORLD_SIZE", "RANK_SIZE", "LOCAL_WORLD_SIZE", "DEVICE_NUM")] == ["4"] * 4
    assert (last["MASTER_PORT"], last["OMP_NUM_THREADS"]) == ("1234", "3")


@pytest.mark.process
def test_a_shell_script_starts_this_python(tmp_path):
    script = tmp_path / "run.sh"
    script.write_text(
        "for i in 0 1; do RANK_ID=$i python -c 'import os, mindspore, sys; print(sys.executable)'; done\n"
    )
    done = started(str(script))
    assert done.stdout.split() == [sys.executable] * 2, done.stderr
    assert run.hook().is_dir()
