"""The peer of a benchmark: the same lines in a process of the real MindSpore, and the program that prints the rows."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks.table import Row, at_least

ROOT = str(Path(__file__).parent.parent)
PASSES, LIMIT = 5, 1.0
UNITS = ("rows/s", "rows/s of processor time")
_PEER = """
import importlib, json, sys
import mindspore.dataset as ds
print("result", json.dumps(getattr(importlib.import_module(sys.argv[1]), sys.argv[2])(ds, *json.loads(sys.argv[3]))))
"""


def ask(oracle: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a function of a benchmark returns for the real `mindspore.dataset` and these arguments.

    The benchmark's file is imported there: it imports msbridge inside of functions only.
    """
    name = function.__module__
    if name == "__main__":
        name = f"benchmarks.{Path(function.__code__.co_filename).stem}"
    command = [oracle, "-c", _PEER, name, function.__name__, json.dumps(arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": ROOT})
    return json.loads(done.stdout.rsplit("result", 1)[1])


def compare_rates(what: str, rates: Callable[[Any], dict[str, tuple[float, float]]], oracle: str | None) -> list[Row]:
    """Measure here and there; return two rows for each name, and none without an oracle."""
    if oracle is None:
        return []
    theirs = ask(oracle, rates)
    import msbridge.dataset as ds

    return [
        at_least(f"{what}, {name}", ours, "MindSpore", peer, LIMIT, unit)
        for name, both in rates(ds).items()
        for ours, peer, unit in zip(both, theirs[name], UNITS, strict=True)
    ]


def rate(iterator: Iterable[Any]) -> tuple[float, float]:
    """Return the rows per second of the middle pass; before the first, packages are imported and tables made.

    The second number is rows per second of a processor, which hardly changes when other programs run beside.
    """
    sum(1 for _ in iterator)
    measured = []
    for _ in range(PASSES):
        start, busy = time.perf_counter(), time.process_time()
        count = sum(1 for _ in iterator)
        measured.append((count / (time.perf_counter() - start), count / (time.process_time() - busy)))
    by_clock, by_processor = map(statistics.median, zip(*measured, strict=True))
    return by_clock, by_processor


def main(run: Callable[..., list[Row]], document: str | None, **more: dict[str, Any]) -> None:
    """Read the command line, measure, print the rows, and exit with 1 where one misses its target.

    Args:
        run: takes `oracle`, and what the other options are called.
        document: the documentation of the file.
        more: other options, with what their parser takes.
    """
    name = Path(sys.argv[0]).stem
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=(document or "").split("\n")[0])
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter with the real MindSpore, to compare with")
    for option, settings in more.items():
        parser.add_argument(f"--{option}", **settings)
    rows = run(**vars(parser.parse_args()))
    for row in rows:
        print(f"{row.name}: {row.ours}; {row.peer}; ratio {row.ratio:.2f}, target {row.target}")
    sys.exit(0 if all(row.is_met for row in rows) else 1)
