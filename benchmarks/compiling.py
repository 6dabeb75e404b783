"""What jit_level "O2" gains on a CPU after warm-up, and what its first and its second start cost: training steps.

    python -m benchmarks.compiling [NETWORK …]    mixer, ResNet-18, encoder, U-Net; one thread, a process for each start

The compiled and the eager step take turns in one process, and processor time is compared. The first start compiles
into an empty folder, which the second one finds; a start ends with the second step. Of the first the time that passes
is printed, for compilers are processes of their own; of the second the processor's.

Convolutions, products and random numbers are calls of the same kernels in both. What they take of the eager step is
measured by torch's profiler: if all the rest took no time, that would be the most to gain.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

import msbridge as ms
from benchmarks import training_networks
from benchmarks.table import Row, at_most, paired, processor
from msbridge import Tensor, nn, ops

AT_LEAST, SECOND_START_S = 1.3, 5.0
KERNELS = (
    *("aten::mkldnn_convolution", "aten::convolution_backward", "mkldnn::_linear_pointwise"),
    *("aten::mm", "aten::addmm", "aten::bmm", "aten::random_"),
)


class Block(nn.Cell):
    """LayerNorm and two layers, with three activations between them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm([width])
        self.first, self.second = nn.Dense(width, width), nn.Dense(width, width)

    def construct(self, x: Tensor) -> Tensor:
        """Return the inputs plus what is computed of them."""
        h = self.first(self.norm(x))
        return x + self.second(ops.gelu(h) * ops.sigmoid(h) + ops.tanh(h))


class Mixer(nn.Cell):
    """Four blocks and a head."""

    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.blocks = nn.SequentialCell([Block(width) for _ in range(4)])
        self.head = nn.Dense(width, 10)

    def construct(self, x: Tensor) -> Tensor:
        """Return the logits."""
        return self.head(self.blocks(x).mean(1))


def _mixer() -> training_networks.Network:
    values = np.random.default_rng(0).standard_normal((16, 64, 128), np.float32)
    return training_networks.Network(Mixer, torch.nn.Module, values, (np.arange(16) % 10).astype(np.int32))


NETWORKS: dict[str, Callable[[], training_networks.Network]] = {
    "mixer": _mixer,
    "ResNet-18": training_networks.resnet,
    "encoder": training_networks.transformer,
    "U-Net": training_networks.unet,
}


def run(only: Sequence[str] = ()) -> list[Row]:
    """Measure each network in two starts."""
    rows = []
    for name in only or NETWORKS:
        with tempfile.TemporaryDirectory() as cache:
            first, second = (_start(name, cache) for _ in range(2))
        ours, peer = second["compiled"], second["eager"]
        times = f"{ours * 1e3:.1f} ms", f"O0 {peer * 1e3:.1f} ms"
        most = 1 / second["share"]
        label = f"{name}, a training step at O2, 1 thread, {processor()} (at most {most:.2f} × could be gained)"
        rows.append(Row(label, *times, peer / ours, f"≥ {AT_LEAST:g} ×", peer / ours >= AT_LEAST))
        label = f"{name}, the second start (the first: {first['passed']:.0f} s)"
        rows.append(at_most(label, second["computed"], "allowed", SECOND_START_S, 1.0))
    return rows


def _start(name: str, cache: str) -> dict[str, float]:
    """Return what a process measures that finds compiled code in a folder."""
    code = "import sys; from benchmarks import compiling; compiling.work(sys.argv[1])"
    environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": cache, "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", code, name], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"The measurement of {name} has failed:\n{done.stderr}")
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return measured


def work(name: str) -> None:
    """Print the seconds of a step of both kinds, and of the start."""
    ms.install()  # the networks of `training_networks` are scripts for MindSpore
    torch.set_num_threads(1)
    network = NETWORKS[name]()
    data, labels = Tensor(network.data), Tensor(network.labels)
    eager, compiled = _step(network), _step(network)
    compiled.set_jit_config(ms.JitConfig(jit_level="O2"))
    began, computed = time.perf_counter(), time.process_time()
    for _ in range(2):
        compiled(data, labels)
    start = {"passed": time.perf_counter() - began, "computed": time.process_time() - computed}
    ours_s, peer_s = paired(
        lambda: compiled(data, labels), lambda: eager(data, labels), rounds=12, clock=time.process_time
    )
    share = _share_of_kernels(lambda: eager(data, labels))
    print(json.dumps({"compiled": ours_s, "eager": peer_s, "share": share, **start}))


def _share_of_kernels(step: Callable[[], Any]) -> float:
    """Return the share of a step that it spends in kernels which compiled code calls as well."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        for _ in range(5):
            step()
    times = {event.key: event.self_cpu_time_total for event in profile.key_averages()}
    return sum(times.get(name, 0.0) for name in KERNELS) / sum(times.values())


def _step(network: Any) -> nn.TrainOneStepCell:
    cell = network.cell()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(cell, loss), nn.Momentum(cell.trainable_params(), 1e-6, 0.9))
    step.set_train()
    return step


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compiling", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("only", nargs="*", metavar="NETWORK", help=f"of {', '.join(NETWORKS)}; all without one")
    for row in run(parser.parse_args().only):
        print(f"{row.name}: {row.ours}; {row.peer}; ratio {row.ratio:.2f}, target {row.target}")


if __name__ == "__main__":
    main()
