"""Kill training at random moments, start it again until it ends, and compare its losses with those of a whole run."""

import os
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.train import helpers_resuming as script

BATCHES = {False: 7, True: 6}  # of an epoch of 20 rows, with drop_remainder
MAX_STARTS = 40


def run(deadline: float, seed: int) -> tuple[int, list[str]]:
    """Repeat cases until the deadline; return how many ran, and the faults found.

    Each run is forked from this process, which itself runs nothing but the imports. A process is killed from outside,
    at any moment, and then once more where it continues.
    """
    draw = random.Random(seed)
    cases, faults = 0, []
    while time.monotonic() < deadline:
        settings = _settings(draw)
        with tempfile.TemporaryDirectory(prefix="soak-resume-") as folder:
            faults += [f"{fault}: {settings}" for fault in _faults(Path(folder), settings, draw)]
        cases += 1
    return cases, faults


def _settings(draw: random.Random) -> script.Settings:
    drop_remainder = draw.random() < 0.4
    sink_size = draw.choice([0, 0, 0, -1, 3])
    size = sink_size if sink_size > 0 else BATCHES[drop_remainder]
    by = draw.choice(["step", "epoch"])
    return script.Settings(
        epochs=draw.randint(2, 5),
        drop_remainder=drop_remainder,
        save_steps=size if by == "epoch" or sink_size else draw.randint(1, 9),
        seed=draw.choice([None, draw.randrange(2**32)]),
        data=draw.choice(["images", "python"]),
        optimizer=draw.choice(["Momentum", "Adam", "SGD", "RMSProp", "Lamb", "AdamWeightDecay"]),
        rate=draw.choice(["fixed", "list", "schedule"]),
        loss_scale=draw.choice(["", "fixed", "dynamic"]),
        sink_size=sink_size,
        by=by,
        format=draw.choice(["ckpt", "ckpt", "safetensors"]),
    )


def _faults(folder: Path, settings: script.Settings, draw: random.Random) -> list[str]:
    """Train with kills until the end; tell what differs from the whole run, without a seed from what came before."""
    began = time.monotonic()
    status, whole = script.run_apart(folder / "whole", settings)
    took_s = time.monotonic() - began
    if status:
        return [f"the whole run ended with {status}"]
    if settings.seed is None:
        whole = {}
    killed = folder / "killed"
    for _ in range(MAX_STARTS):
        if settings.seed is None and script.newest(killed, settings.format) is None:
            whole = {}  # the run begins with a seed of its own once more
        after_s = draw.uniform(0.0, took_s) if draw.random() < 0.8 else None
        status, losses = script.run_apart(killed, settings, killed_after_s=after_s)
        for step, loss in losses.items():
            if whole.setdefault(step, loss) != loss:
                return [f"step {step} has loss {loss}, before {whole[step]} (killed after {after_s} s)"]
        if status not in (0, -9):
            return [f"started again, it ended with {status} (killed after {after_s} s)"]
        if status == 0:
            return []
    return [f"not at its end after {MAX_STARTS} starts"] if settings.save_steps < 3 else []


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    print(run(time.monotonic() + float(sys.argv[1]), int(sys.argv[2])))
