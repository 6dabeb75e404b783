"""Audio pipelines: rows per second against MindSpore's own engine.

    python -m benchmarks.data_audio [--oracle PYTHON]

Waveforms of one second at 16 kHz go through one transform each, and short ones of 50 ms through a filter. PYTHON names
an interpreter with the real MindSpore; it runs the same lines in a process of its own.
"""

from importlib import import_module
from typing import Any

import numpy as np

from benchmarks import peer
from benchmarks.table import Row

RATE, ROWS, SHORT = 16000, 160, 2000


def run(oracle: str | None = None) -> list[Row]:
    """Measure; two rows for each transform, none without an oracle."""
    return peer.compare_rates("audio pipeline", rates, oracle)


def rates(ds: Any) -> dict[str, tuple[float, float]]:
    """Measure all pipelines of a `mindspore.dataset`; returns what `peer.rate` does by name."""
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
        found[name] = peer.rate(data.create_tuple_iterator(output_numpy=True))
    return found


if __name__ == "__main__":
    peer.main(run, __doc__)
