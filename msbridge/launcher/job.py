"""Several processes of one script on this machine: started together, their output line by line, ended together.

The main thread waits at one queue, where ends of processes and signals arrive in their order:

    rank's stdout, stderr ──▶ two threads ──▶ screen, log      what cannot be written is dropped, and said once:
                                                               nobody but these threads empties the rank's pipe
    rank's end ──▶ a thread ──▶ queue ──▶ main thread
    a signal   ──▶ its handler ──▶ queue ──▶ main thread

- The first rank that fails ends the job: the others are sent SIGTERM.
- SIGINT, SIGTERM and SIGHUP are passed on, and end the job as well. SIGUSR1 and SIGUSR2, which schedulers send before a
  time limit, are passed on.
- Ranks of a job that ends have a while to save their state. A second signal kills them at once.
- All are in one process group that ends with this process (msbridge/launcher/process_group.py).
"""

import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO

from msbridge.core.runtime import standard_streams
from msbridge.core.runtime.terminal import tell
from msbridge.launcher import process_group
from msbridge.launcher.ranks import Rank, rank_environment
from msbridge.launcher.reserved_port import reserved_port

GRACE_S = 30.0  # how long the ranks of a job that ends may take to save their state, as with torchrun and Kubernetes
ECHO_S = 0.2  # a signal that comes once more within it is the same one: `timeout` sends it to the process and its group
ANSWER_S = 1.0  # how long a rank may take to report where it is
_ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
_PASSED_ON = ("SIGUSR1", "SIGUSR2", "SIGTSTP")


def run_several(command: Sequence[str], count: int, environment: Mapping[str, str], logs: Path | None = None) -> int:
    """Run a command in several processes, which find one another by their environment.

    Args:
        command: the program and its arguments.
        count: how many processes.
        environment: what all of them have.
        logs: a folder for the output of each; then only rank 0 is shown.

    Returns:
        0, or the exit code of the first process that failed, whose traceback is shown again at the end.

    Raises:
        OSError: a process cannot be started, or a log not be opened.
    """
    events: SimpleQueue[Rank | int] = SimpleQueue()
    with ExitStack() as stack:
        files: Sequence[IO[str] | None] = _open_logs(logs, count, stack) if logs else [None] * count
        stack.enter_context(_signals_to(events))
        job = _Job(events, stack.enter_context(process_group.process_group()), logs)
        stack.callback(job.kill_rest)
        port = stack.enter_context(reserved_port())
        for number, log in enumerate(files):
            job.start(number, command, rank_environment(environment, number, count, port), log)
        code = job.wait()
    standard_streams.discard_rest()
    return code


class _Job:
    """The ranks, and what becomes of them.

    Args:
        events: where ends of ranks and signals arrive.
        group: the process group of the ranks; None where there are none.
        logs: the folder of their output.
    """

    def __init__(self, events: "SimpleQueue[Rank | int]", group: int | None, logs: Path | None) -> None:
        self._events, self._group, self._logs = events, group, logs
        self._ranks: list[Rank] = []
        self._running: list[Rank] = []
        self._failed: Rank | None = None  # the first that did
        self._failure = ""
        self._signal = 0  # that ends the job
        self._ends_since: float | None = None
        self._has_ended_well = False

    def start(self, number: int, command: Sequence[str], environment: Mapping[str, str], log: IO[str] | None) -> None:
        """Start a rank."""
        self._ranks.append(Rank(number, command, environment, self._group, log, self._events))

    def wait(self) -> int:
        """Return the exit code of the job, when all ranks have ended or have no time left."""
        self._running = list(self._ranks)
        while self._running and self._goes_on():
            pass
        if self._failure:
            tell(self._failure)
        if self._signal and self._running:
            return 128 + self._signal
        if self._failed is not None:
            return self._failed.code if self._failed.code > 0 else 128 - self._failed.code
        self._has_ended_well = not self._signal
        return 0

    def kill_rest(self) -> None:
        """Kill what is left of a job that did not end well, with what the ranks have started."""
        if self._has_ended_well:
            return
        if self._group is not None:
            process_group.kill(self._group)
        for rank in self._ranks:
            rank.process.kill()
            rank.process.wait()

    def _goes_on(self) -> bool:
        """Wait for what happens next; return whether there is a reason to wait for more."""
        left_s = None if self._ends_since is None else max(self._ends_since + GRACE_S - time.monotonic(), 0.0)
        try:
            event = self._events.get(timeout=left_s)
        except Empty:
            tell(f"msbridge run: {_ranks(self._running)} did not end within {GRACE_S:g} s and were killed.")
            return False
        if isinstance(event, Rank):
            self._running.remove(event)
            if event.code and self._failed is None:
                self._fail(event)
            return True
        number = signal.Signals(event)
        if number.name in _ENDING:
            return self._end(number)
        self._send(number)
        return True

    def _fail(self, failed: "Rank") -> None:
        """End the job because of a rank that has failed; one that was asked to end has not."""
        self._failed = failed
        if self._ends_since is not None:
            return
        places = _places(self._running)
        self._failure = _sentence(failed, len(self._ranks), len(self._running), self._logs) + places
        self._ends_since = time.monotonic()
        self._send(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> bool:
        """End the job because of a signal; return whether the ranks have time for it, which a second one takes."""
        if self._ends_since is not None:
            if number == self._signal and time.monotonic() - self._ends_since < ECHO_S:
                return True
            tell(f"msbridge run: {_ranks(self._running)} were killed, by a second signal.")
            return False
        self._signal, self._ends_since = number, time.monotonic()
        self._send(number)
        tell(
            f"msbridge run: {number.name} was passed on to {_ranks(self._running)}, which may take {GRACE_S:g} s to "
            "end; a second signal kills them."
        )
        return True

    def _send(self, number: signal.Signals) -> None:
        """Send a signal to the ranks; with one that stops them, stop this process, too."""
        stops = number.name == "SIGTSTP"
        for rank in self._running:
            rank.send(signal.SIGSTOP if stops else number)
        if stops:
            os.kill(os.getpid(), signal.SIGSTOP)  # until a shell's `fg`
            for rank in self._running:
                rank.send(signal.SIGCONT)


@contextmanager
def _signals_to(events: "SimpleQueue[Rank | int]") -> Iterator[None]:
    """Put signals into the queue, but for those that this process ignores, as `nohup` does."""
    kept = {}
    for name in (*_ENDING, *_PASSED_ON):
        number = getattr(signal, name, None)  # Windows has two of them
        if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
            kept[number] = signal.signal(number, lambda got, frame: events.put(got))
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def _open_logs(folder: Path, count: int, stack: ExitStack) -> list[IO[str]]:
    """Open a file for the output of each rank."""
    folder.mkdir(parents=True, exist_ok=True)
    opened: list[IO[str]] = []
    for number in range(count):
        opened.append((folder / f"rank_{number}.log").open("w", encoding="utf-8"))
        stack.callback(_close, opened[-1])
    return opened


def _close(log: IO[str]) -> None:
    with suppress(OSError):  # what a full disk has not taken was said
        log.close()


def _ranks(ranks: Sequence[Rank]) -> str:
    return f"{len(ranks)} rank{'s' * (len(ranks) != 1)}"


def _places(ranks: Sequence[Rank]) -> str:
    """Return a line that says where processes are in their scripts."""
    asked, deadline = [rank for rank in ranks if rank.ask()], time.monotonic() + ANSWER_S
    while not all(rank.place() for rank in asked) and time.monotonic() < deadline:
        time.sleep(0.02)
    at: dict[str, list[int]] = {}
    for rank in asked:
        at.setdefault(rank.place() or "no line that it could name", []).append(rank.number)
        rank.stack = None  # what it writes from here on is shown
    said = [
        f"rank{'s' if more else ''} {', '.join(map(str, (one, *more)))} at {place}"
        for place, (one, *more) in at.items()
    ]
    return f"\nWhere the others were: {'; '.join(said)}." if said else ""


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # one of those without a meaning of their own, SIGRTMIN and above
        return str(number)


def _sentence(failed: Rank, count: int, stopped: int, logs: Path | None) -> str:
    how = f"exit code {failed.code}" if failed.code > 0 else f"signal {_signal_name(-failed.code)}"
    others = f"; the {stopped} still running were stopped" if stopped else ""
    where = f" Its output: {logs / f'rank_{failed.number}.log'}" if logs is not None else ""
    lines = "".join(failed.traceback())
    return f"{lines}msbridge run: rank {failed.number} of {count} ended first, with {how}{others}.{where}"
