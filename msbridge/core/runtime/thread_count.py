"""Thread counts of computations, and how threads wait for one another.

torch takes as many threads as there are physical cores. Two things it does not look at: the limit of a container, which
stops threads beyond it for most of the time, and other processes. torch's threads spin while they wait; on a machine
that is busy with something else they spin in the time of those they wait for. Measured on two cores under a load of 7:
a training step of a small MLP takes 2 ms on one thread, 510 ms on two that spin and 1.7 ms on two that sleep; one of a
two-layer Transformer 170, 1240 and 124 ms. On a machine that does nothing else, sleeping costs as much: a step of a
two-layer LSTM takes 26 ms where threads spin for a moment before they sleep, and 294 ms where they sleep at once; one
of a small Transformer 15 and 31 ms. So what runs at the start decides, and the number of threads stays within the
container's limit. Both are read when torch is loaded; what the user has set is left alone.
"""

import math
import os
import statistics
import time
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path

_NUMBERS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")
_WAITING = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")
_SPINS = "30000"  # looks of a waiting thread before it sleeps
_SEVERAL = ("RANK_SIZE", "MS_WORKER_NUM", "WORLD_SIZE", "OMPI_COMM_WORLD_SIZE")  # processes of one training
_LOAD = Path("/proc/loadavg")
_LOOKS = 7
_GROUPS = Path("/sys/fs/cgroup")
_OWN_GROUP = Path("/proc/self/cgroup")
_SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


def set_thread_variables(environment: MutableMapping[str, str]) -> None:
    """Set the variables for a process that loads torch later."""
    if not _first(environment, _WAITING):
        name, value = ("GOMP_SPINCOUNT", _SPINS) if _is_quiet(environment) else ("OMP_WAIT_POLICY", "PASSIVE")
        environment[name] = value
    if not _first(environment, _NUMBERS) and quota() < len(_available_processors()):
        environment["OMP_NUM_THREADS"] = str(usable())


def usable() -> int:
    """Return the number of physical cores that this process may use, within the limit of its container."""
    return max(1, math.ceil(min(len({_core(processor) for processor in _available_processors()}), quota())))


def use(threads: int) -> None:
    """Compute on so many threads in this process, at most on as many as are usable and the environment allows."""
    import torch

    allowed = os.environ.get(_first(os.environ, _NUMBERS), "")
    most = int(allowed) if allowed.isdigit() else usable()
    torch.set_num_threads(max(1, min(threads, most)))


def number(environment: Mapping[str, str]) -> tuple[str, str]:
    """Return the number of threads that compute under `msbridge run`, and the reason for it."""
    if name := _first(environment, _NUMBERS):
        return environment[name], f"{name} says so"
    if quota() < len(_available_processors()):
        return str(usable()), f"the container may use {quota():g} processors"
    return str(usable()), "physical cores that this process may use"


def waiting(environment: Mapping[str, str]) -> tuple[str, str]:
    """Return the way in which threads wait for one another under `msbridge run`, and the reason for it."""
    if name := _first(environment, _WAITING):
        return environment[name], f"{name} says so"
    if _is_quiet(environment):
        return "awake for a moment", "the machine does nothing else; OMP_WAIT_POLICY says otherwise"
    return "asleep", "on a busy machine, threads that spin take others' time; OMP_WAIT_POLICY says otherwise"


def _is_quiet(environment: Mapping[str, str]) -> bool:
    """Whether half of the processors or more have nothing to do, and this process runs alone."""
    if any(environment.get(name, "1") != "1" for name in _SEVERAL):
        return False
    try:
        return 2 * _others() <= (os.cpu_count() or 1)
    except (AttributeError, OSError, ValueError):  # Windows, or a system that does not report it
        return False


def _others() -> float:
    """Return the number of other threads that run or wait for a processor: now, or else in the last minute."""
    if not _LOAD.exists():
        return os.getloadavg()[0]
    counts = []
    for _ in range(_LOOKS):
        counts.append(int(_LOAD.read_text(encoding="utf-8").split()[3].partition("/")[0]) - 1)
        time.sleep(0.002)
    return statistics.median(counts)


def quota() -> float:
    """Return the number of processors that the container may keep busy; infinite without a limit."""
    return min(_quotas(), default=math.inf)


def _quotas() -> Iterator[float]:
    try:
        lines = _OWN_GROUP.read_text(encoding="utf-8").splitlines()
    except OSError:  # no Linux
        return
    inside = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), "")
    folder = _GROUPS / inside
    for place in (folder, *folder.parents):
        if place.is_relative_to(_GROUPS):
            yield from _ratio(place / "cpu.max")
    quota_and_period = (_GROUPS / "cpu" / name for name in ("cpu.cfs_quota_us", "cpu.cfs_period_us"))
    yield from _ratio(*quota_and_period)


def _ratio(*files: Path) -> Iterator[float]:
    """Yield quota over period, which are in one file or two."""
    try:
        granted, period = (float(word) for file in files for word in file.read_text(encoding="utf-8").split())
    except (OSError, ValueError):  # there is none, or it says "max"
        return
    if granted > 0 and period > 0:
        yield granted / period


def _available_processors() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def _core(processor: int) -> str:
    """Return a key that the hardware threads of one core have in common."""
    try:
        return Path(_SIBLINGS.format(processor)).read_text(encoding="utf-8")
    except OSError:
        return str(processor)


def _first(environment: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((name for name in names if environment.get(name)), "")
