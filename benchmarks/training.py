"""Training steps, inference and peak memory of four networks: MindSpore scripts against idiomatic torch.

Ours runs as `msbridge run` starts it, torch as `python` starts it: two processes for each network, which work in
turns, so that what else the machine does meets both. Processor time (user and system) is compared.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from benchmarks.table import Row
from benchmarks.training_networks import NETWORKS, Network
from msbridge.launcher.environment import prepare
from msbridge.launcher.options import Options

ROUNDS = 12
STEP_LIMIT, INFERENCE_LIMIT, PEAK_LIMIT = 0.95, 0.97, 1.02
Call = Callable[[], object]


def our_calls(network: Network) -> tuple[Call, Call]:
    """Return a training step and an inference of the MindSpore script."""
    import mindspore as ms
    from mindspore import nn

    cell = network.cell()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(cell.trainable_params(), 0.01, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(cell, loss), optimizer)
    data, labels = ms.Tensor(network.data), ms.Tensor(network.labels)

    def train() -> object:
        step.set_train(True)
        return step(data, labels)

    def infer() -> object:
        cell.set_train(False)
        return cell(data)

    return train, infer


def torch_calls(network: Network) -> tuple[Call, Call]:
    """Return a training step and an inference of torch, as its tutorials write them."""
    import torch

    module = network.module()
    loss = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.01, momentum=0.9)
    data, labels = torch.from_numpy(network.data), torch.from_numpy(network.labels).long()

    def train() -> object:
        module.train()
        optimizer.zero_grad()
        result = loss(module(data), labels)
        result.backward()
        optimizer.step()
        return result

    def infer() -> object:
        module.eval()
        with torch.no_grad():
            return module(data)

    return train, infer


def run() -> list[Row]:
    """Measure every network."""
    return [row for name in NETWORKS for row in _compare(name)]


def _compare(name: str) -> list[Row]:
    """Let two processes work in turns: each line that is sent to one of them is one round."""
    plain = {key: value for key, value in os.environ.items() if key not in ("GLIBC_TUNABLES", "OMP_WAIT_POLICY")}
    ours = dict(plain)
    prepare(ours, Options())
    command = [sys.executable, "-m", "benchmarks.training", name]
    workers = [
        subprocess.Popen([*command, kind], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for kind, env in (("ours", ours), ("torch", plain))
    ]
    found: list[list[dict[str, float]]] = [[], []]
    for _ in range(ROUNDS):
        for worker, values in zip(workers, found, strict=True):
            assert worker.stdin is not None
            assert worker.stdout is not None
            worker.stdin.write("go\n")
            worker.stdin.flush()
            values.append(json.loads(worker.stdout.readline()))
    for worker in workers:
        worker.communicate()
    rows = []
    for what, limit, unit in (("step", STEP_LIMIT, "ms"), ("inference", INFERENCE_LIMIT, "ms")):
        mine, theirs = (statistics.median(each[what] for each in values) * 1e3 for values in found)
        rows.append(_row(f"{name}: {what}", mine, theirs, limit, unit))
    mine, theirs = (values[-1]["peak_mib"] for values in found)
    return [*rows, _row(f"{name}: peak", mine, theirs, PEAK_LIMIT, "MiB")]


def _row(name: str, ours: float, peer: float, limit: float, unit: str) -> Row:
    ratio = ours / peer
    return Row(name, f"{ours:.1f} {unit}", f"torch {peer:.1f} {unit}", ratio, f"≤ {limit} ×", ratio <= limit)


def _work(name: str, kind: str) -> None:
    """Answer each line of the input with the figures of one round."""
    import resource

    import torch

    torch.set_num_threads(1)
    network = NETWORKS[name]()
    train, infer = our_calls(network) if kind == "ours" else torch_calls(network)
    for _ in range(3):
        train(), infer()
    for _ in sys.stdin:
        figures = {}
        for what, call in (("step", train), ("inference", infer)):
            call()
            start = time.process_time()
            call(), call()
            figures[what] = (time.process_time() - start) / 2
        figures["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    _work(*sys.argv[1:])
