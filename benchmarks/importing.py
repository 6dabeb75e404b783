"""How long `import msbridge` takes beyond torch's own import, and `msbridge run` beyond Python itself.

python -m benchmarks importing      processor time: what else the machine does hardly matters
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.table import Row

IMPORT_LIMIT_S, RUN_LIMIT_S = 0.15, 0.2
RUNS = 7
# The first name that is touched imports what comes behind it.
_IMPORT = "import torch, msbridge; msbridge.nn.Cell, msbridge.ops.relu, msbridge.Tensor"


def run() -> list[Row]:
    """Start fresh interpreters in turns, the first ones to warm the disk's cache and to write the bytecode."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "empty.py"
        script.touch()
        programs = {
            "torch": ("-c", "import torch"),
            "import": ("-c", _IMPORT),
            "python": (str(script),),
            "run": ("-m", "msbridge", "run", str(script)),
        }
        turns = [{name: _seconds(program) for name, program in programs.items()} for _ in range(RUNS + 1)][1:]
    taken = {name: statistics.median(turn[name] for turn in turns) for name in programs}
    return [
        _row("import beyond torch", taken["import"] - taken["torch"], f"torch {taken['torch']:.2f} s", IMPORT_LIMIT_S),
        _row("run of an empty script", taken["run"] - taken["python"], f"python {taken['python']:.2f} s", RUN_LIMIT_S),
    ]


def _row(name: str, ours_s: float, peer: str, limit_s: float) -> Row:
    return Row(name, f"{ours_s:.3f} s", peer, ours_s, f"≤ {limit_s} s", ours_s <= limit_s)


def _seconds(program: tuple[str, ...]) -> float:
    """Return the processor time of a process."""
    cached = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *program], env=cached, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
