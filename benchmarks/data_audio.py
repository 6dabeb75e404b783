"""Audio pipelines: rows per second against MindSpore's own engine.

    python -m benchmarks.data_audio [--oracle PYTHON]

Waveforms of one second at 16 kHz go through one transform each, and short ones of 50 ms through a filter. PYTHON names
an interpreter with the real MindSpore; it runs the same lines in a process of its own.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.table import Row, at_least

_PEER = """
import json
import mindspore.dataset as ds
from benchmarks.data_audio import rates
print("rates", json.dumps(rates(ds)))
"""
ROOT = str(Path(__file__).parent.parent)
RATE, ROWS, SHORT, PASSES, LIMIT = 16000, 32, 2000, 5, 1.0


def run(oracle: str | None = None) -> list[Row]:
    """Measure, and give one row for each transform; none without an oracle.

    Args:
        oracle: an interpreter with the real MindSpore.
    """
    if oracle is None:
        return []
    command = [oracle, "-c", _PEER]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": ROOT})
    theirs = json.loads(done.stdout.rsplit("rates", 1)[1])
    import msbridge.dataset as ds

    return [
        at_least(f"audio pipeline, {name}", rate, "MindSpore", theirs[name], LIMIT, "rows/s")
        for name, rate in rates(ds).items()
    ]


def rates(ds: Any) -> dict[str, float]:
    """Measure all pipelines of a `mindspore.dataset`; gives rows per second by name."""
    audio = import_module(f"{ds.__name__}.audio")
    waves = np.random.default_rng(0).random((ROWS, RATE), np.float32) * 2 - 1
    pieces = np.random.default_rng(1).random((SHORT, RATE // 20), np.float32) * 2 - 1
    operations = {
        "Spectrogram": (audio.Spectrogram(400), waves),
        "MelSpectrogram": (audio.MelSpectrogram(RATE), waves),
        "MFCC": (audio.MFCC(RATE), waves),
        "LowpassBiquad": (audio.LowpassBiquad(RATE, 4000.0), waves),
        "LowpassBiquad of 50 ms": (audio.LowpassBiquad(RATE, 4000.0), pieces),
        "Resample 44100 to 16000": (audio.Resample(44100, RATE), waves),
        "Resample 16000 to 8000": (audio.Resample(RATE, 8000), waves),
        "AmplitudeToDB": (audio.AmplitudeToDB(), np.abs(waves).reshape(ROWS, 80, -1)),
        "Phaser": (audio.Phaser(RATE), waves),
        "Overdrive": (audio.Overdrive(), waves),
    }
    found = {}
    for name, (operation, rows) in operations.items():
        data = ds.NumpySlicesDataset({"audio": rows}, shuffle=False).map(operation, "audio")
        found[name] = _rate(data.create_tuple_iterator(output_numpy=True))
    return found


def _rate(iterator: Any) -> float:
    sum(1 for _ in iterator)  # packages are imported, filters and windows made
    measured = []
    for _ in range(PASSES):
        start = time.perf_counter()
        count = sum(1 for _ in iterator)
        measured.append(count / (time.perf_counter() - start))
    return statistics.median(measured)


def main() -> None:
    """Measure and print the rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.data_audio", description=__doc__.partition("\n")[0])
    parser.add_argument("--oracle", metavar="PYTHON", help="an interpreter with the real MindSpore, to compare with")
    rows = run(parser.parse_args().oracle)
    for row in rows:
        print(f"{row.name}: {row.ours}; {row.peer}; ratio {row.ratio:.2f}, target {row.target}")
    sys.exit(0 if all(row.is_met for row in rows) else 1)


if __name__ == "__main__":
    main()
