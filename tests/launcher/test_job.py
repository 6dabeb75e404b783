"""`msbridge run --nproc`: what is shown, how a failure ends all; signals, its own death, output that is not written."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from msbridge.launcher.environment import HOOK
from msbridge.launcher.ranks import rank_environment
from tests.processes import LIMIT_S

ROOT = Path(__file__).parents[2]
SPEAKING = "import os, time\nfor i in range(200): print(os.environ['RANK'] * 60)"
FAILING = """
import os, sys, time
rank = os.environ["RANK_ID"]
if rank == "2":
    def first():
        raise ValueError(f"the data of rank {rank} are bad")
    first()
time.sleep(3600)
"""
PATIENT = "import sys; from msbridge.launcher import job; from msbridge.cli.main import main; "
PATIENT += "job.ECHO_S = 3600; sys.exit(main())"  # what sends a signal twice may be slow
# A rank with a child of its own; with a signal's name it saves when it is sent that, which takes a while.
SAVING = """
import os, signal, subprocess, sys, time
rank, name, takes_s = os.environ["RANK"], sys.argv[1], float(sys.argv[2])
def save(number, frame):
    open(f"saving_{rank}", "w").close()
    time.sleep(takes_s)
    open(f"saved_{rank}", "w").close()
    child.kill()
    sys.exit(0)
if name:
    signal.signal(getattr(signal, name), save)
child = subprocess.Popen(["sleep", "3600"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
with open(f"pids_{rank}.new", "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename(f"pids_{rank}.new", f"pids_{rank}")
time.sleep(3600)
"""
LOUD = "import os; [print(i, 'x' * 200) for i in range(2000)]; open(os.environ['RANK'], 'w').close()"
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
needs_signals = pytest.mark.skipif(os.name == "nt", reason="signals and process groups")


def started(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "msbridge", "run", *arguments],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
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
    done = started("--nproc", "4", "--log-dir", str(tmp_path / "logs"), "-c", FAILING)
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
    first, last = (rank_environment(shared, rank, 4, 1234) for rank in (0, 3))
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
    assert HOOK.is_dir()


def take_signals() -> None:
    """Take the signals that a shell's background, or `nohup`, has its processes ignore."""
    for name in ("SIGINT", "SIGQUIT", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)


class Job:
    """A launcher in a folder of its own, with two ranks."""

    def __init__(
        self, folder: Path, *arguments: str, ready: str = "pids_{}", start=("-m", "msbridge"), **settings
    ) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, *start, "run", "--nproc", "2", *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
            **{"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True, "preexec_fn": take_signals}
            | settings,
        )
        self.await_files(ready)

    def await_files(self, pattern: str) -> None:
        until(lambda: all((self.folder / pattern.format(rank)).exists() for rank in range(2)))

    def end(self) -> tuple[int, str]:
        _, errors = self.process.communicate(timeout=LIMIT_S)
        until(lambda: not self.left())
        return self.process.returncode, errors

    def left(self) -> list[int]:
        """The processes of the ranks, and their children, that still run."""
        return [
            int(pid) for rank in range(2) for pid in (self.folder / f"pids_{rank}").read_text().split() if runs(pid)
        ]

    def saved(self) -> int:
        return len(list(self.folder.glob("saved_*")))


def until(holds) -> None:
    deadline = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < deadline, "it did not come in time"
        time.sleep(0.02)


def runs(pid: str) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


@pytest.mark.process
@needs_signals
@needs_proc
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"])
def test_a_signal_goes_to_the_ranks_which_end_of_it(name, tmp_path):
    job = Job(tmp_path, "-c", SAVING, "", "0")
    job.process.send_signal(getattr(signal, name))
    code, _ = job.end()
    assert code == 128 + getattr(signal, name)


@pytest.mark.process
@needs_signals
@needs_proc
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"])
def test_ranks_that_save_at_a_signal_have_time_for_it(name, tmp_path):
    job = Job(tmp_path, "-c", SAVING, name, "0.5")
    job.process.send_signal(getattr(signal, name))
    assert (job.end()[0], job.saved()) == (0, 2)


@pytest.mark.process
@needs_signals
@needs_proc
def test_a_second_signal_ends_ranks_that_are_saving(tmp_path):
    job = Job(tmp_path, "-c", SAVING, "SIGTERM", "3600")
    job.process.send_signal(signal.SIGTERM)
    job.await_files("saving_{}")
    job.process.send_signal(signal.SIGINT)
    code, errors = job.end()
    assert (code, job.saved()) == (128 + signal.SIGTERM, 0)
    assert errors.endswith("msbridge run: 2 ranks were killed, by a second signal.\n")


@pytest.mark.process
@needs_signals
@needs_proc
def test_one_signal_that_comes_twice_at_once_is_one(tmp_path):
    job = Job(tmp_path, "-c", SAVING, "SIGTERM", "0.5", start=("-c", PATIENT))
    for _ in range(2):
        job.process.send_signal(signal.SIGTERM)
    assert (job.end()[0], job.saved()) == (0, 2)


@pytest.mark.process
@needs_signals
@needs_proc
@pytest.mark.parametrize("name", ["SIGKILL", "SIGQUIT"])
def test_the_ranks_and_their_children_end_with_the_launcher(name, tmp_path):
    job = Job(tmp_path, "-c", SAVING, "SIGTERM", "3600", stderr=subprocess.DEVNULL)
    job.process.send_signal(getattr(signal, name))
    assert job.end()[0] == -getattr(signal, name)


@pytest.mark.process
@needs_signals
@needs_proc
def test_a_signal_that_was_ignored_stays_so(tmp_path):
    job = Job(tmp_path, "-c", SAVING, "", "0", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    job.process.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert len(job.left()) == 4
    job.process.terminate()
    assert job.end()[0] == 128 + signal.SIGTERM


@pytest.mark.process
@needs_signals
@needs_proc
def test_what_a_failed_job_has_started_ends_too(tmp_path):
    ending = "while rank == '1':\n    os.path.exists('pids_0') and sys.exit(3)\ntime.sleep(3600)\n"
    failing = SAVING.replace("time.sleep(3600)\n", ending)
    job = Job(tmp_path, "-c", failing, "SIGTERM", "0.5")
    code, errors = job.end()
    assert (code, job.saved()) == (3, 1)
    assert "rank 1 of 2 ended first, with exit code 3; the 1 still running were stopped." in errors


@pytest.mark.process
@needs_signals
def test_output_that_nobody_reads_is_dropped_with_one_word(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    job = Job(tmp_path, "-c", LOUD, ready="{}", stdout=writer)
    os.close(writer)
    _, errors = job.process.communicate(timeout=LIMIT_S)
    assert (job.process.returncode, errors.count("\n")) == (0, 1)
    assert errors.startswith("msbridge run: stdout: Broken pipe.")


@pytest.mark.process
@needs_signals
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("place", ["stdout", "both", "logs"])
def test_a_full_disk_does_not_stop_the_ranks(place, tmp_path):
    options = []
    if place == "logs":
        options = ["--log-dir", "."]
        for rank in range(2):
            (tmp_path / f"rank_{rank}.log").symlink_to("/dev/full")
    with Path("/dev/full").open("wb", buffering=0) as full:
        outputs = {"stdout": {"stdout": full}, "both": {"stdout": full, "stderr": full}, "logs": {}}[place]
        job = Job(tmp_path, *options, "-c", LOUD, ready="{}", **outputs)
        _, errors = job.process.communicate(timeout=LIMIT_S)
    assert job.process.returncode == 0
    if place != "both":
        assert "No space left on device" in errors
        assert errors.count("\n") == {"stdout": 1, "logs": 2}[place]


@pytest.mark.process
@needs_signals
@pytest.mark.parametrize("closed", ["1", "1 2", "0 1 2"])
def test_closed_streams_do_not_stop_the_ranks(closed, tmp_path):
    words = " ".join(f"{number}>&-" for number in closed.split())
    command = f'"{sys.executable}" -m msbridge run --nproc 2 -c "{LOUD}" {words}'
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert (done.returncode, sorted(path.name for path in tmp_path.iterdir())) == (0, ["0", "1"])


@pytest.mark.process
@needs_signals
def test_characters_that_the_screen_lacks_are_escaped(tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "msbridge",
            "run",
            "--nproc",
            "1",
            "-c",
            "import sys; sys.stdout.buffer.write('é\\n'.encode())",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"[rank 0] \\xe9\n")


@pytest.mark.process
@needs_signals
def test_a_folder_of_logs_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").touch()
    job = subprocess.run(
        [sys.executable, "-m", "msbridge", "run", "--nproc", "2", "--log-dir", "file/logs", "-c", "pass"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (job.returncode, job.stderr) == (2, "msbridge run: file/logs: Not a directory.\n")
