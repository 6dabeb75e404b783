"""Epochs of several contenders, each in a process of its own and all in turns: the first one, and the steady state.

Rates are what a user waits for, and belong to a quiet machine. Rows per second of a processor, worker processes
included, are what the work itself costs: they hardly change when other programs run beside.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.table import Row, at_least

ROOT = Path(__file__).parents[1]
FIRST, STEADY = "first epoch", "later epochs"
# Stands before the scripts of contenders: `clock.start()` before an epoch, `clock.stop(rows)` after it.
CLOCK = """
import multiprocessing, os, time
class Clock:
    def __init__(self):
        self.rates, self.costs = [], []
    def start(self):
        self.began = time.perf_counter(), self.processor()
    def stop(self, rows):
        self.rates.append(rows / (time.perf_counter() - self.began[0]))
        self.costs.append((self.processor() - self.began[1]) / rows)
    def processor(self):
        total = time.process_time()
        for child in multiprocessing.active_children() if os.path.exists("/proc") else ():
            with open(f"/proc/{child.pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return total
    def print(self):
        print("costs", *self.costs, "rates", *self.rates)
clock = Clock()
"""


@dataclass(frozen=True, slots=True)
class Pace:
    """Rows per second: of the first epoch, everything that is made once included but imports; and of later ones.

    Attributes:
        first: rows per second of the first epoch.
        steady: of later ones.
        by_processor: rows of later epochs for each second of a processor.
    """

    first: float
    steady: float
    by_processor: float


def in_turns(contenders: Mapping[str, Sequence[str]], rounds: int) -> dict[str, Pace]:
    """Run each contender `rounds` times; the medians over the rounds.

    Args:
        contenders: by name, a command: the interpreter, a script, its arguments. Scripts tell `clock` of each epoch.
        rounds: how often all of them have a turn.
    """
    found: dict[str, list[tuple[list[float], ...]]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, (python, script, *arguments) in contenders.items():
            # The real MindSpore has an environment of its own, which must not see this one's packages.
            own = {"PYTHONPATH": str(ROOT)} if python == sys.executable else {}
            outside = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
            command = [python, "-c", f"{CLOCK}{script}\nclock.print()", *arguments]
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=outside | own)
            printed = done.stdout.rpartition("costs")[2].split("rates")
            found[name].append(tuple([float(number) for number in part.split()] for part in printed))
    return {name: _pace(runs) for name, runs in found.items()}


def _pace(runs: list[tuple[list[float], ...]]) -> Pace:
    costs, later = ([number for run in runs for number in run[part][1:]] for part in (0, 1))
    return Pace(statistics.median(run[1][0] for run in runs), statistics.median(later), 1 / statistics.median(costs))


def best(paces: Mapping[str, Pace]) -> tuple[str, Pace]:
    """Return the name and the pace of the fastest in the steady state."""
    return max(paces.items(), key=lambda item: item[1].steady)


def compared(name: str, ours: Pace, peer: str, peers: Pace, limit: float, unit: str) -> list[Row]:
    """Make the rows of the first epoch, of later ones and of their processor time; the target is that of later ones."""
    return [
        at_least(f"{name}, {FIRST}", ours.first, peer, peers.first, limit, unit),
        at_least(f"{name}, {STEADY}", ours.steady, peer, peers.steady, limit, unit),
        at_least(f"{name}, {STEADY}", ours.by_processor, peer, peers.by_processor, limit, f"{unit} of processor time"),
    ]
