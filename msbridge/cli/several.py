"""Several processes of one script on this machine: started together, their output line by line, ended together."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import IO

GRACE_S = 5.0  # how long a process may take to end when it is asked to
SHOWN = 30  # lines of the traceback that are shown again
ANSWER_S = 1.0  # likewise, to tell where it is
_FRAME = re.compile(r'\s+File "(?P<file>.*)", line (?P<line>\d+) in ')
_LIBRARIES = ("site-packages", f"{os.sep}lib{os.sep}python", f"{os.sep}msbridge{os.sep}", "<frozen ")
_FIRST_ALONE = ("MSBRIDGE_LEDGER", "MSBRIDGE_DATA_REPORT", "MSBRIDGE_DEVICE_REPORT")  # what one process writes


def run_several(command: Sequence[str], count: int, environment: Mapping[str, str], logs: Path | None = None) -> int:
    """Run a command in several processes, which find one another by their environment.

    Args:
        command: the program and its arguments.
        count: how many processes.
        environment: what all of them have.
        logs: a folder for the output of each; then rank 0 alone is shown.

    Returns:
        0, or the exit code of the first process that failed, whose traceback is shown again at the end.
    """
    with ExitStack() as files:
        if logs is not None:
            logs.mkdir(parents=True, exist_ok=True)
        ended: SimpleQueue[_Rank] = SimpleQueue()
        ranks: list[_Rank] = []
        stopping = signal.signal(signal.SIGTERM, _interrupt)
        try:
            port = _free_port()
            for number in range(count):
                log = None
                if logs is not None:
                    log = files.enter_context((logs / f"rank_{number}.log").open("w", encoding="utf-8"))
                ranks.append(_Rank(number, command, _own(environment, number, count, port), log, ended))
            first = next((rank for rank in (ended.get() for _ in ranks) if rank.code), None)
        except KeyboardInterrupt:  # Ctrl-C goes to the children, too
            _end(ranks)
            return 130
        finally:
            signal.signal(signal.SIGTERM, stopping)
        if first is None:
            return 0
        others = [rank for rank in ranks if rank.process.poll() is None]
        places = _places(others)
        _end(ranks)
        print(_sentence(first, count, len(others), logs) + places, file=sys.stderr, flush=True)
        return first.code if first.code > 0 else 128 - first.code


class _Rank:
    """One process; its lines are shown as they come, and its end is told to a queue."""

    _showing = threading.Lock()

    def __init__(
        self,
        number: int,
        command: Sequence[str],
        environment: Mapping[str, str],
        log: IO[str] | None,
        ended: "SimpleQueue[_Rank]",
    ) -> None:
        self.number, self.log, self.code = number, log, 0
        self.errors: list[str] = []
        self.stack: list[str] | None = None
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        outputs = ((self.process.stdout, sys.stdout), (self.process.stderr, sys.stderr))
        readers = [threading.Thread(target=self._read, args=pair, daemon=True) for pair in outputs]
        for reader in readers:
            reader.start()
        threading.Thread(target=self._wait, args=(readers, ended), daemon=True).start()

    def _read(self, lines: IO[str], shown: IO[str]) -> None:
        for line in lines:
            if shown is sys.stderr and self.stack is not None:
                self.stack.append(line)
                continue
            if shown is sys.stderr:
                self.errors.append(line)
                del self.errors[: -10 * SHOWN]
            with self._showing:
                if self.log is not None:
                    self.log.write(line)
                    self.log.flush()
                if self.log is None or self.number == 0:
                    shown.write(line if self.log is not None else f"[rank {self.number}] {line}")
                    shown.flush()

    def _wait(self, readers: list[threading.Thread], ended: "SimpleQueue[_Rank]") -> None:
        self.code = self.process.wait()
        for reader in readers:
            reader.join(GRACE_S)  # a grandchild may hold the pipe
        ended.put(self)

    def ask(self) -> bool:
        """Ask the process where it is, if it answers: with `faulthandler`, once it has joined the others."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
            caught = int(status.partition("SigCgt:")[2].split()[0], 16)
            if caught >> (signal.SIGUSR1 - 1) & 1:
                self.stack = []
                self.process.send_signal(signal.SIGUSR1)
        except (OSError, IndexError, AttributeError):  # it has ended, or this is no Linux
            return False
        return self.stack is not None

    def place(self) -> str:
        """Return the line of the script that the process has told, as "train.py, line 24"; "" where it has not."""
        found = [_FRAME.match(line) for line in self.stack or ()]
        frames = [(one["file"], one["line"]) for one in found if one]
        own = [frame for frame in frames if not any(part in frame[0] for part in _LIBRARIES)]
        return "{}, line {}".format(*own[0]) if own else ""

    def traceback(self) -> list[str]:
        """Return the last traceback that the process printed, or its last lines."""
        starts = [place for place, line in enumerate(self.errors) if "Traceback (most recent" in line]
        found = self.errors[starts[-1] :] if starts else self.errors
        return found if len(found) <= SHOWN else [found[0], "  …\n", *found[2 - SHOWN :]]


def _own(environment: Mapping[str, str], number: int, count: int, port: int) -> dict[str, str]:
    """Return the variables of one process: those of torchrun, and those that MindSpore's scripts read."""
    own = {name: value for name, value in environment.items() if number == 0 or name not in _FIRST_ALONE}
    own |= {"RANK": str(number), "WORLD_SIZE": str(count), "LOCAL_RANK": str(number), "LOCAL_WORLD_SIZE": str(count)}
    own |= {"RANK_ID": str(number), "RANK_SIZE": str(count), "DEVICE_ID": str(number), "DEVICE_NUM": str(count)}
    own |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "PYTHONUNBUFFERED": "1"}
    own.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // count)))
    return own


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _end(ranks: Sequence[_Rank]) -> None:
    for rank in ranks:
        if rank.process.poll() is None:
            rank.process.terminate()
    for rank in ranks:
        try:
            rank.process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            rank.process.kill()
            rank.process.wait()


def _places(ranks: Sequence[_Rank]) -> str:
    """Return a line that says where processes are in their scripts."""
    asked, deadline = [rank for rank in ranks if rank.ask()], time.monotonic() + ANSWER_S
    while not all(rank.place() for rank in asked) and time.monotonic() < deadline:
        time.sleep(0.02)
    at: dict[str, list[int]] = {}
    for rank in asked:
        at.setdefault(rank.place() or "no line that it could tell", []).append(rank.number)
    said = [
        f"rank{'s' if more else ''} {', '.join(map(str, (one, *more)))} at {place}"
        for place, (one, *more) in at.items()
    ]
    return f"\nWhere the others were: {'; '.join(said)}." if said else ""


def _sentence(failed: _Rank, count: int, stopped: int, logs: Path | None) -> str:
    how = f"exit code {failed.code}" if failed.code > 0 else f"signal {signal.Signals(-failed.code).name}"
    others = f"; the {stopped} still running were stopped" if stopped else ""
    where = f" Its output: {logs / f'rank_{failed.number}.log'}" if logs is not None else ""
    lines = "".join(failed.traceback())
    return f"{lines}msbridge run: rank {failed.number} of {count} ended first, with {how}{others}.{where}"
