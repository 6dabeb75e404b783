"""Faults in one of several training processes, at random moments: all end, the rank is named, none is left behind."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
RANKS, STEPS, TIMEOUT_S = 2, 6, 8
FAULTS_TOLD = 20  # more are not
SCRIPT = """
import os, signal, sys, time
import numpy as np
import mindspore as ms
from mindspore import Tensor, nn
from datetime import timedelta

from msbridge.mint import distributed

fault, rank_of_fault, step_of_fault = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
distributed.init_process_group(timeout=timedelta(seconds={timeout}))
rank = distributed.get_rank()
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
net = nn.Dense(4, 4)
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
for number in range({steps}):
    print("step", number, flush=True)
    if rank == rank_of_fault and number == step_of_fault:
        if fault == "raises":
            raise ValueError("the data are bad")
        if fault == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if fault == "exits":
            os._exit(3)
        if fault == "hangs":
            time.sleep(1000)
        if fault == "runs out":
            break
        if fault == "shapes":
            step(Tensor(np.ones((2, 5), np.float32)), Tensor(np.ones((2, 4), np.float32)))
    step(Tensor(np.ones((2, 4), np.float32)), Tensor(np.ones((2, 4), np.float32)))
"""
# A fault, and what the end of the output says of it.
FAULTS = {
    "raises": "the data are bad",
    "killed": "signal SIGKILL",
    "exits": "exit code 3",
    "hangs": "Another process",
    "runs out": "Another process",
    "shapes": "Error",
    "interrupted": "",
}


def run(deadline: float, seed: int) -> tuple[int, list[str]]:
    """Start training with a fault until time.monotonic() passes `deadline`.

    Returns:
        How many were started, and the faults found.
    """
    draw, count, found = random.Random(seed), 0, list[str]()
    while time.monotonic() < deadline and len(found) < FAULTS_TOLD:
        fault, rank, step = draw.choice(list(FAULTS)), draw.randrange(RANKS), draw.randrange(STEPS)
        found += [f"{fault} in rank {rank}, step {step}: {wrong}" for wrong in case(fault, rank, step, draw)]
        count += 1
    return count, found


def case(fault: str, rank: int, step: int, draw: random.Random) -> list[str]:
    """Start training with one fault; return what was wrong with its end."""
    mark = f"msbridge-soak-{os.getpid()}-{draw.randrange(10**9)}"
    with tempfile.TemporaryDirectory(prefix="soak-processes-") as folder:
        script = Path(folder) / "train.py"
        script.write_text(SCRIPT.format(timeout=TIMEOUT_S, steps=STEPS))
        began = time.monotonic()
        launcher = subprocess.Popen(
            [sys.executable, "-m", "msbridge", "run", "--nproc", str(RANKS), str(script), fault, str(rank), str(step)],
            cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": "1", "SOAK_MARK": mark},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if fault == "interrupted":
            threading.Timer(draw.uniform(0.0, 8.0), launcher.send_signal, [signal.SIGTERM]).start()
        try:
            output = launcher.communicate(timeout=120)[0]
        except subprocess.TimeoutExpired:
            launcher.kill()
            return ["it did not end in 120 s", *_orphans(mark)]
    wrong = _orphans(mark)
    took_s = time.monotonic() - began
    if fault == "interrupted":
        is_asked = launcher.returncode in (0, 130, -signal.SIGTERM)
        return wrong if is_asked else [*wrong, f"it ended with {launcher.returncode}: {output}"]
    if not launcher.returncode:
        wrong.append(f"it ended well after {took_s:.0f} s: {output[-1500:]}")
    if FAULTS[fault] not in output or f"of {RANKS} ended first" not in output:
        wrong.append(f"nothing says what happened: {output[-1500:]}")
    return wrong


def _orphans(mark: str) -> list[str]:
    """Return the processes that are left of a case, and end them."""
    left = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"SOAK_MARK={mark}".encode() in (entry / "environ").read_bytes():
                os.kill(int(entry.name), signal.SIGKILL)
                left.append(f"process {entry.name} was left")
        except OSError:
            continue
    return left


if __name__ == "__main__":
    print(run(time.monotonic() + float(sys.argv[1]), int(sys.argv[2])))
