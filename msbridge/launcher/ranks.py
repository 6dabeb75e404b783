"""A process of a job: its output, line by line, its end, and where it is in its script."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import IO, ClassVar

from msbridge.core.runtime import standard_streams
from msbridge.core.runtime.terminal import tell

__all__ = ["Rank", "rank_environment"]

DRAIN_S = 5.0  # how long to read what a rank has written after its end: a process it started may hold the pipe
MAX_TRACEBACK_LINES = 30  # lines of the traceback that are shown again
MAX_LINE_LENGTH = 1 << 20  # characters of a line that are read at once
_FRAME = re.compile(r'\s+File "(?P<file>.*)", line (?P<line>\d+) in ')
_LIBRARIES = ("site-packages", f"{os.sep}lib{os.sep}python", f"{os.sep}msbridge{os.sep}", "<frozen ")
_FIRST_ALONE = ("MSBRIDGE_LEDGER", "MSBRIDGE_DATA_REPORT", "MSBRIDGE_DEVICE_REPORT")  # what one process writes


class Rank:
    """One process; its lines are shown as they come, and its end is put into a queue."""

    _showing = threading.Lock()
    _lost: ClassVar[set[str]] = set()  # where lines could not be written, which is said once

    def __init__(
        self,
        number: int,
        command: Sequence[str],
        environment: Mapping[str, str],
        group: int | None,
        log: IO[str] | None,
        events: "SimpleQueue[Rank | int]",
    ) -> None:
        self.number, self.log, self.code = number, log, 0
        self.errors: list[str] = []
        self.stack: list[str] | None = None
        # A shell hands no signal on to what it runs: so all get it.
        self._group = group if command[0] != sys.executable else None
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            process_group=group,
        )
        outputs = ((self.process.stdout, False), (self.process.stderr, True))
        readers = [threading.Thread(target=self._read, args=pair, daemon=True) for pair in outputs]
        for reader in readers:
            reader.start()
        threading.Thread(target=self._wait, args=(readers, events), daemon=True).start()

    def _read(self, lines: IO[str], of_errors: bool) -> None:
        for line in iter(partial(lines.readline, MAX_LINE_LENGTH), ""):
            if of_errors and self.stack is not None:
                self.stack.append(line)
                continue
            if of_errors:
                self.errors.append(line)
                del self.errors[: -10 * MAX_TRACEBACK_LINES]
            with self._showing:
                if self.log is not None:
                    self._write(self.log, line, self.log.name)
                if self.log is None:
                    line = f"[rank {self.number}] {line}"
                if self.log is None or self.number == 0:
                    self._write(*((sys.stderr, line, "stderr") if of_errors else (sys.stdout, line, "stdout")))

    def _write(self, stream: IO[str] | None, line: str, name: str) -> None:
        problem = standard_streams.write(stream, line)
        if problem is not None and name not in self._lost:
            self._lost.add(name)
            why = getattr(problem, "strerror", None) or str(problem)
            tell(f"msbridge run: {name}: {why}. What the ranks write there is dropped; they continue.")

    def _wait(self, readers: list[threading.Thread], events: "SimpleQueue[Rank | int]") -> None:
        self.code = self.process.wait()
        for reader in readers:
            reader.join(DRAIN_S)
        events.put(self)

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it runs."""
        if self._group is not None:
            os.killpg(self._group, number)
        else:
            self.process.send_signal(number)

    def ask(self) -> bool:
        """Request where the process is, if it answers: with `faulthandler`, once it has joined the others."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
            caught = int(status.partition("SigCgt:")[2].split()[0], 16)
            if caught >> (signal.SIGUSR1 - 1) & 1:
                self.stack = []
                self.process.send_signal(signal.SIGUSR1)
        except (OSError, IndexError, AttributeError):  # it has ended, or this is not a Linux
            return False
        return self.stack is not None

    def place(self) -> str:
        """Return the line of the script that the process has reported, as "train.py, line 24"; "" where it has not."""
        found = [_FRAME.match(line) for line in self.stack or ()]
        frames = [(one["file"], one["line"]) for one in found if one]
        own = [frame for frame in frames if not any(part in frame[0] for part in _LIBRARIES)]
        return "{}, line {}".format(*own[0]) if own else ""

    def traceback(self) -> list[str]:
        """Return the last traceback that the process printed, or its last lines."""
        starts = [place for place, line in enumerate(self.errors) if "Traceback (most recent" in line]
        found = self.errors[starts[-1] :] if starts else self.errors
        return found if len(found) <= MAX_TRACEBACK_LINES else [found[0], "  …\n", *found[2 - MAX_TRACEBACK_LINES :]]


def rank_environment(environment: Mapping[str, str], number: int, count: int, port: int) -> dict[str, str]:
    """Return the variables of one process: those of torchrun, and those that MindSpore's scripts read."""
    variables = {name: value for name, value in environment.items() if number == 0 or name not in _FIRST_ALONE}
    variables |= {
        "RANK": str(number),
        "WORLD_SIZE": str(count),
        "LOCAL_RANK": str(number),
        "LOCAL_WORLD_SIZE": str(count),
    }
    variables |= {"RANK_ID": str(number), "RANK_SIZE": str(count), "DEVICE_ID": str(number), "DEVICE_NUM": str(count)}
    variables |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "PYTHONUNBUFFERED": "1"}
    variables.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // count)))
    return variables
