"""How long `import msbridge` takes beyond torch's own import."""

import os
import statistics
import subprocess
import sys

from benchmarks.table import Row

LIMIT_S = 0.15
_PROGRAM = """
import time
start = time.perf_counter()
import torch
middle = time.perf_counter()
import msbridge
msbridge.nn.Cell, msbridge.ops.relu, msbridge.Tensor  # the first name that is touched imports what comes behind it
print(middle - start, time.perf_counter() - middle)
"""


def run() -> list[Row]:
    """Import in fresh interpreters, the first one to warm the disk's cache and to write the bytecode."""
    runs = [_import_once() for _ in range(6)][1:]
    torch_s = statistics.median(run[0] for run in runs)
    ours_s = statistics.median(run[1] for run in runs)
    return [
        Row(
            "import beyond torch",
            f"{ours_s:.3f} s",
            f"torch {torch_s:.2f} s",
            ours_s,
            f"≤ {LIMIT_S} s",
            ours_s <= LIMIT_S,
        )
    ]


def _import_once() -> tuple[float, float]:
    cached = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run([sys.executable, "-c", _PROGRAM], env=cached, capture_output=True, text=True, check=True)
    torch_s, ours_s = map(float, done.stdout.split())
    return torch_s, ours_s
