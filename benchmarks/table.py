"""Rows of the benchmark table, and how two ways of doing one thing are timed side by side."""

import platform
import re
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison.

    Attributes:
        name: what was measured.
        ours: our figure, with its unit.
        peer: who it is compared with, and its figure.
        ratio: what the target is about.
        target: the bound, as text.
        is_met: whether the ratio keeps to it.
    """

    name: str
    ours: str
    peer: str
    ratio: float
    target: str
    is_met: bool


def at_most(name: str, ours_s: float, peer: str, peer_s: float, limit: float) -> Row:
    """Make the row of a time that must be at most `limit` times the peer's."""
    ratio = ours_s / peer_s
    return Row(name, _time(ours_s), f"{peer} {_time(peer_s)}", ratio, f"≤ {limit:g} ×", ratio <= limit)


def at_least(name: str, ours_rate: float, peer: str, peer_rate: float, limit: float, unit: str) -> Row:
    """Make the row of a rate that must be at least `limit` times the peer's."""
    ratio = ours_rate / peer_rate
    ours, theirs = f"{ours_rate:,.0f} {unit}", f"{peer} {peer_rate:,.0f} {unit}"
    return Row(name, ours, theirs, ratio, f"≥ {limit:g} ×", ratio >= limit)


def paired(
    ours: Callable[[], object],
    peer: Callable[[], object],
    rounds: int = 30,
    budget_s: float = 4.0,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, float]:
    """Time two functions in turns.

    Args:
        ours: one call of what is measured.
        peer: one call of what it is compared with.
        rounds: how many turns each gets.
        budget_s: about how long all turns take together.
        clock: what counts the seconds; `time.thread_time` leaves out what other processes take of the processor.

    Returns:
        Seconds per call of each: the medians over the turns.
    """
    for function in (ours, peer, ours, peer):
        function()
    number = max(1, int(budget_s / (2 * rounds) / max(_once(ours), _once(peer), 1e-7)))
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for function, measured in ((ours, times[0]), (peer, times[1])):
            start = clock()
            for _ in range(number):
                function()
            measured.append((clock() - start) / number)
    return statistics.median(times[0]), statistics.median(times[1])


def processor() -> str:
    """Return the model of the processor, which a figure belongs to."""
    try:
        found = re.search(r"^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def _once(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    for _ in range(5):
        function()
    return (time.perf_counter() - start) / 5


def _time(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.2f} µs"
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"
