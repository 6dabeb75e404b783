"""The engine of the data pipelines: how rates grow with workers, and how they compare with MindSpore's.

    python -m benchmarks.data_engine [--oracle PYTHON]

Functions that only sleep show how far from linear the rates over 2 to 16 workers are, on any number of cores. A
function that only computes, in two processes, needs two quiet cores, and is compared with two processes by hand: two
processors may be halves of one core. What its rows cost of all processors' time must not grow with the number of
processes, or they would not be linear on as many cores. Small rows show what a row costs. PYTHON names an interpreter
with the real MindSpore, which runs the same pipelines in a process of its own.
"""

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.table import Row, at_least

SLEEP_S = 0.01
WORKERS = (2, 4, 8, 16)
ROWS_PER_WORKER, COMPUTED_ROWS = 40, 1600
LINEAR, TWO_PROCESSES, AGAINST_MINDSPORE, SMALL_ROWS = 0.85, 1.7, 1.0, 5.0
ROUNDS = 3


class Rows:
    """A source of small rows."""

    def __init__(self, count: int, sleep_s: float = 0.0) -> None:
        self._values = np.random.default_rng(0).random((count, 8), np.float32)
        self._sleep_s = sleep_s

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.int32]:
        if self._sleep_s:
            time.sleep(self._sleep_s)
        return self._values[index], np.int32(index)


def slept(value: Any, *_: Any) -> Any:
    """Return the value after a while."""
    time.sleep(SLEEP_S)
    return value


def slept_batch(values: list[np.ndarray], info: Any) -> tuple[list[np.ndarray]]:
    """Return a batch after a while."""
    return (slept(values),)


def computed(value: Any) -> Any:
    """Return the value after a while of pure Python."""
    total = 0
    for number in range(20000):
        total += number * number
    return value


def numbers(ds: Any, count: int) -> Any:
    """Return a dataset of numbers."""
    return ds.NumpySlicesDataset(np.arange(count), ["x"], shuffle=False)


SLEEPING: dict[str, Callable[[Any, int, int], Any]] = {
    "map, threads": lambda ds, rows, workers: numbers(ds, rows).map(slept, "x", num_parallel_workers=workers),
    "map, processes": lambda ds, rows, workers: numbers(ds, rows).map(
        slept, "x", num_parallel_workers=workers, python_multiprocessing=True
    ),
    "source, threads": lambda ds, rows, workers: ds.GeneratorDataset(
        Rows(rows, SLEEP_S), ["x", "y"], num_parallel_workers=workers, python_multiprocessing=False
    ),
    "source, processes": lambda ds, rows, workers: ds.GeneratorDataset(
        Rows(rows, SLEEP_S), ["x", "y"], num_parallel_workers=workers
    ),
    "per_batch_map": lambda ds, rows, workers: numbers(ds, rows * 2).batch(
        2, per_batch_map=slept_batch, num_parallel_workers=workers
    ),
}
COMPARED: dict[str, Callable[[Any], Any]] = {
    "map of pure Python, 2 processes": lambda ds: numbers(ds, 400).map(
        computed, "x", num_parallel_workers=2, python_multiprocessing=True
    ),
    "small rows of a source": lambda ds: ds.GeneratorDataset(Rows(8000), ["x", "y"]),
    "small rows of a source, batches of 32": lambda ds: ds.GeneratorDataset(Rows(8000), ["x", "y"]).batch(32),
}
LIMITS = (AGAINST_MINDSPORE, SMALL_ROWS, SMALL_ROWS)


def rate(data: Any, warm: int = 1) -> float:
    """Return rows per second of one pass, without the first rows, which start the workers."""
    iterator = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    for _ in range(warm):
        next(iterator)
    begin = time.perf_counter()
    count = sum(1 for _ in iterator)
    return count / (time.perf_counter() - begin)


def best(make: Callable[[], Any], warm: int = 1) -> float:
    """Return the best rate of several passes."""
    return max(rate(make(), warm) for _ in range(ROUNDS))


def rate_by_processor(data: Any) -> float:
    """Return rows per second of the processors, of this process and its workers, from fork to end."""
    before = processor_s()
    count = sum(1 for _ in data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    return count / (processor_s() - before)


def processor_s() -> float:
    """Return the processor seconds of this process and those of its processes that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def rate_by_hand(processes: int) -> float:
    """Return the rows per second of so many processes that compute the function and nothing else."""
    begin = time.perf_counter()
    with ProcessPoolExecutor(processes, get_context("fork")) as pool:
        list(pool.map(compute_rows, [COMPUTED_ROWS // processes] * processes))
    return COMPUTED_ROWS / (time.perf_counter() - begin)


def compute_rows(count: int) -> None:
    """Compute the function for so many rows."""
    for number in range(count):
        computed(number)


def run(oracle: str | None = None) -> list[Row]:
    """Measure, and return the rows.

    Args:
        oracle: an interpreter with the real MindSpore; None leaves its rows out.
    """
    from msbridge import dataset as ds

    rows = []
    for name, make in SLEEPING.items():
        single = rate(make(ds, ROWS_PER_WORKER, 1), 2)
        for workers in WORKERS:
            many = rate(make(ds, ROWS_PER_WORKER * workers, workers), 2 * workers)
            rows.append(at_least(f"{name}: {workers} workers", many, "linear", single * workers, LINEAR, "rows/s"))
    cost = rate_by_processor(numbers(ds, COMPUTED_ROWS).map(computed, "x", num_parallel_workers=1))
    for workers in WORKERS:
        data = numbers(ds, COMPUTED_ROWS).map(computed, "x", num_parallel_workers=workers, python_multiprocessing=True)
        name = f"map of pure Python, {workers} processes"
        unit = "rows/s of processor time"
        rows.append(at_least(name, rate_by_processor(data), "no process", cost, LINEAR, unit))
    plain = best(lambda: numbers(ds, 400).map(computed, "x", num_parallel_workers=1))
    ours = {name: best(lambda make=make: make(ds)) for name, make in COMPARED.items()}
    name = next(iter(COMPARED))
    rows.append(at_least(name, ours[name], "one process", plain, TWO_PROCESSES, "rows/s"))
    rows.append(at_least(name, ours[name], "two by hand", rate_by_hand(2), LINEAR, "rows/s"))
    if oracle:
        command = [oracle, "-m", "benchmarks.data_engine", "--as-peer"]
        root = Path(__file__).parent.parent
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root, env={"HOME": str(root)})
        theirs = [float(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("rate ")]
        for (name, mine), peer, limit in zip(ours.items(), theirs, LIMITS, strict=True):
            rows.append(at_least(name, mine, "MindSpore", peer, limit, "rows/s"))
    return rows


def main() -> None:
    """Measure and print the rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.data_engine", description=__doc__.partition("\n")[0])
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter with the real MindSpore, to compare with")
    parser.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.as_peer:
        import mindspore.dataset as peer

        for make in COMPARED.values():
            print("rate", best(lambda make=make: make(peer)))
        return
    rows = run(options.oracle)
    for row in rows:
        print(f"{row.name}: {row.ours}; {row.peer}; ratio {row.ratio:.2f}, target {row.target}")
    sys.exit(0 if all(row.is_met for row in rows) else 1)


if __name__ == "__main__":
    main()
