"""A data parallel training step over two processes: a MindSpore script against torch's DistributedDataParallel.

Both are in the same two processes and work in turns: each does the whole step of its own network, whose weights and
batches are the same. What is compared is the time from the first to the last process of a step.
"""

import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from benchmarks.table import Row, at_most
from benchmarks.training_networks import NETWORKS, Network

PROCESSES, ROUNDS, LIMIT = 2, 12, 1.10


def run() -> list[Row]:
    """Measure every network."""
    return [_compare(name) for name in NETWORKS]


def _compare(name: str) -> Row:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    shared = os.environ | {"WORLD_SIZE": str(PROCESSES), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.data_parallel", name],
            env=shared | {"RANK": str(rank), "LOCAL_RANK": str(rank), "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        for rank in range(PROCESSES)
    ]
    printed = [worker.communicate()[0] for worker in workers]
    ours, peer = json.loads(printed[0].splitlines()[-1])
    return at_most(f"data parallel step, {name}, {PROCESSES} processes", ours, "torch DDP", peer, LIMIT)


def _step_of_ours(network: Network) -> Callable[[], object]:
    import mindspore as ms
    from mindspore import nn

    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    cell = network.cell()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(cell.trainable_params(), 0.01, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(cell, loss), optimizer).set_train()
    data, labels = ms.Tensor(network.data), ms.Tensor(network.labels)
    return lambda: step(data, labels)


def _step_of_torch(network: Network) -> Callable[[], object]:
    import torch

    module = torch.nn.parallel.DistributedDataParallel(network.module())
    loss = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.01, momentum=0.9)
    data, labels = torch.from_numpy(network.data), torch.from_numpy(network.labels).long()

    def train() -> object:
        optimizer.zero_grad()
        result = loss(module(data), labels)
        result.backward()
        optimizer.step()
        return result

    return train


def _work(name: str) -> None:
    """Print the median seconds of a step of ours and of torch's, as one of the processes."""
    import msbridge

    msbridge.install()
    import torch.distributed
    from mindspore.communication import init

    init()
    network = NETWORKS[name]()
    steps = _step_of_ours(network), _step_of_torch(network)
    seconds: tuple[list[float], list[float]] = [], []
    for number in range(ROUNDS + 2):
        for step, taken in zip(steps, seconds, strict=True):
            torch.distributed.barrier()
            start = time.perf_counter()
            step()
            torch.distributed.barrier()
            if number > 1:  # the first ones warm up
                taken.append(time.perf_counter() - start)
    print(json.dumps([statistics.median(taken) for taken in seconds]))


if __name__ == "__main__":
    _work(sys.argv[1])
