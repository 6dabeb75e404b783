"""Epochs of several contenders, each in a process of its own and all in turns: the first one, and the steady state."""

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


@dataclass(frozen=True, slots=True)
class Pace:
    """Rows per second: of the first epoch, everything that is made once included but imports; and of later ones."""

    first: float
    steady: float


def in_turns(contenders: Mapping[str, Sequence[str]], rounds: int) -> dict[str, Pace]:
    """Run each contender `rounds` times; the medians over the rounds.

    Args:
        contenders: by name, a command: the interpreter, a script, its arguments. The script prints a line "rates", then
            the rows per second of each epoch.
        rounds: how often all of them have a turn.
    """
    found: dict[str, list[list[float]]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, (python, script, *arguments) in contenders.items():
            # The real MindSpore has an environment of its own, which must not see this one's packages.
            own = {"PYTHONPATH": str(ROOT)} if python == sys.executable else {}
            outside = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
            command = [python, "-c", script, *arguments]
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=outside | own)
            found[name].append([float(rate) for rate in done.stdout.rsplit("rates", 1)[1].split()])
    return {name: _pace(runs) for name, runs in found.items()}


def _pace(runs: list[list[float]]) -> Pace:
    later = [rate for rates in runs for rate in rates[1:]]
    return Pace(statistics.median(rates[0] for rates in runs), statistics.median(later))


def best(paces: Mapping[str, Pace]) -> tuple[str, Pace]:
    """Return the name and the pace of the fastest in the steady state."""
    return max(paces.items(), key=lambda item: item[1].steady)


def compared(name: str, ours: Pace, peer: str, peers: Pace, limit: float, unit: str) -> list[Row]:
    """Make the rows of the first epoch and of later ones; the target is that of later ones."""
    return [
        at_least(f"{name}, {FIRST}", ours.first, peer, peers.first, limit, unit),
        at_least(f"{name}, {STEADY}", ours.steady, peer, peers.steady, limit, unit),
    ]
