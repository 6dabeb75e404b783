"""Repeat kills, faults, hostile files, threads and steps for minutes, and print what was found and what memory did.

    make soak                                          ten minutes in all
    python -m tests.soak --minutes 60 --seed 7
    python -m tests.soak --minutes 2 checkpoints files    only these rooms

A room is a module beside this one with `run(deadline, seed)`, which repeats its cases until `time.monotonic()` has
passed `deadline`, and returns how many ran and the faults found, one sentence each. A room has its own process, whose
memory is watched from outside. The seed that is printed repeats the draws, though not the moments of the kills.
"""

import argparse
import contextlib
import faulthandler
import importlib
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.table import Table

HERE = Path(__file__).resolve().parent
ROOMS = sorted(path.stem for path in HERE.glob("[a-z]*.py"))
GRACE_S = 60.0  # how long a room may take for its last case
SAMPLE_S = 0.5
BARS = "▁▂▃▄▅▆▇█"
MEMORY_BARS = 16  # in the table
FIRST_SHARE = 0.3  # of the samples: what is loaded and cached once is there by then
GROWTH_LIMIT_MIB = 48.0  # after that, of one room; allocators keep what they had, a leak continues


@dataclass
class Room:
    """One room's run: its process, and what became of it."""

    name: str
    seconds: float
    seed: int
    process: subprocess.Popen[str] | None = None
    started_at: float = 0.0
    ended_at: float = 0.0
    memory_mib: list[float] = field(default_factory=list)
    cases: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def state(self) -> str:
        if self.process is None:
            return "waits"
        if not self.ended_at:
            return f"{time.monotonic() - self.started_at:.0f} of {self.seconds:.0f} s"
        return "[red]faults[/red]" if self.faults else "[green]ok[/green]"

    def start(self) -> None:
        """Start the room's process."""
        command = [sys.executable, "-m", "tests.soak", "--alone", self.name, "--seconds", str(self.seconds)]
        self.process = subprocess.Popen(
            [*command, "--seed", str(self.seed)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            cwd=HERE.parents[1],
        )
        self.started_at = time.monotonic()

    def watch(self) -> bool:
        """Take a sample of the memory; whether the room still runs."""
        assert self.process is not None
        if self.process.poll() is None:
            self.memory_mib.append(_resident_mib(self.process.pid))
            if time.monotonic() < self.started_at + self.seconds + GRACE_S:
                return True
            self.stop()
            self.faults.append(f"hangs: still running {GRACE_S:.0f} s after its time")
        output, errors = self.process.communicate()
        if self.faults:
            self.faults.append(f"where it hung: {errors.strip()[-4000:]}")
        self._finish(output, errors)
        return False

    def stop(self) -> None:
        """Kill the room's process, and those that it started."""
        if self.process is not None and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def _finish(self, output: str, errors: str) -> None:
        assert self.process is not None
        self.ended_at = time.monotonic()
        lines = output.strip().splitlines()
        try:
            result = json.loads(lines[-1])
            self.cases, faults = result["cases"], result["faults"]
            self.faults += faults
        except (IndexError, ValueError, KeyError):
            if not self.faults:
                self.faults.append(f"ended with status {self.process.returncode}: {errors.strip()[-2000:]}")
        growth = self.growth_mib
        if growth > GROWTH_LIMIT_MIB:
            self.faults.append(f"memory grew by {growth:.0f} MiB after the first {FIRST_SHARE:.0%} of the time")

    @property
    def growth_mib(self) -> float:
        """By how much the process grew, once it had loaded what it needs."""
        settled = self.memory_mib[int(len(self.memory_mib) * FIRST_SHARE) :]
        if len(settled) < 8:
            return 0.0
        quarter = len(settled) // 4
        return min(settled[-quarter:]) - max(settled[:quarter])

    @property
    def curve(self) -> str:
        """The memory over time, from nothing to its peak, as bars."""
        if not self.memory_mib:
            return ""
        peak = max(self.memory_mib) or 1.0
        step = -(-len(self.memory_mib) // MEMORY_BARS)
        shown = [max(self.memory_mib[at : at + step]) for at in range(0, len(self.memory_mib), step)]
        return "".join(BARS[min(len(BARS) - 1, int(value / peak * len(BARS)))] for value in shown)


def main() -> None:
    """Run the rooms, some side by side, and end with status 1 where a fault was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"one of {', '.join(ROOMS)}; all without one")
    parser.add_argument("--minutes", type=float, default=10.0, help="for all rooms together (10)")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of the draws; another each time")
    parser.add_argument("--alone", metavar="ROOM", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        _run_alone(options.alone, options.seconds, options.seed)
        return
    if unknown := sorted(set(options.rooms) - set(ROOMS)):
        parser.error(f"no such room: {', '.join(unknown)}; there are {', '.join(ROOMS)}")
    names = options.rooms or ROOMS
    side_by_side = min(len(names), max(1, len(os.sched_getaffinity(0))))
    seconds = options.minutes * 60 / -(-len(names) // side_by_side)
    rooms = [Room(name, seconds, options.seed) for name in names]
    console = Console()
    console.print(f"seed {options.seed}; {side_by_side} rooms at a time, {seconds:.0f} s each")
    _run_side_by_side(rooms, side_by_side, console)
    for room in rooms:
        for fault in room.faults[:20]:
            console.print(f"{room.name}: {fault}", style="red", markup=False, highlight=False)
    sys.exit(any(room.faults for room in rooms))


def _run_side_by_side(rooms: list[Room], side_by_side: int, console: Console) -> None:
    waiting, running = deque(rooms), list[Room]()
    with Live(_table(rooms), console=console, refresh_per_second=1) as live:
        try:
            while waiting or running:
                while waiting and len(running) < side_by_side:
                    running.append(waiting.popleft())
                    running[-1].start()
                time.sleep(SAMPLE_S)
                running = [room for room in running if room.watch()]
                live.update(_table(rooms))
        finally:
            for room in running:
                room.stop()


def _table(rooms: list[Room]) -> Table:
    table = Table(title="soak")
    for column in ("room", "state", "cases", "faults", "peak MiB", "growth MiB", "memory over time"):
        table.add_column(column, justify="left" if column in ("room", "state", "memory over time") else "right")
    for room in rooms:
        ended = bool(room.ended_at)
        table.add_row(
            room.name,
            room.state,
            f"{room.cases:,}" if ended else "",
            str(len(room.faults)) if ended else "",
            f"{max(room.memory_mib, default=0.0):.0f}",
            f"{room.growth_mib:+.0f}" if ended else "",
            room.curve,
        )
    return table


def _resident_mib(pid: int) -> float:
    """Return the memory that a process has without what it maps from files."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("RssAnon:")) / 1024


def _run_alone(name: str, seconds: float, seed: int) -> None:
    """Run one room here, and print what it found as JSON."""
    faulthandler.dump_traceback_later(seconds + GRACE_S - 5)  # says where it hangs before it is killed
    run = importlib.import_module(f"tests.soak.{name}").run
    cases, faults = run(time.monotonic() + seconds, seed)
    print(json.dumps({"cases": cases, "faults": faults}))


if __name__ == "__main__":
    main()
