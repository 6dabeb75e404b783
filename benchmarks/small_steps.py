"""Training steps of small networks, in three ways, against torch by hand with its fused optimizer.

    python -m benchmarks.small_steps               one thread, then two: a process for each
    python -m benchmarks.small_steps --threads 1   in this process

An MLP, LeNet, attention, and convolutions with BatchNorm take a step by `value_and_grad`, by `TrainOneStepCell` and in
`Model.train`, in turns with torch, whose batches for the last come from a DataLoader of the same arrays. The rate is so
small that nothing is learned: vanishing gradients are denormal numbers, which take many times as long. On one thread
processor time is compared, on two the time that passes: it wants a quiet machine.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from torch import nn as torch_nn
from torch.utils.data import DataLoader

import msbridge as ms
from benchmarks.networks import lenet, torch_lenet
from benchmarks.peer import main
from benchmarks.table import Row, at_most, processor
from msbridge import dataset, nn, ops
from msbridge.train import Model

LIMIT = 0.95
RATE, MOMENTUM = 1e-6, 0.9
BATCH, WIDTH, CLASSES = 32, 32, 10
ROUNDS, ROUND_S = 40, 0.02
ROWS_OF_EPOCH = 50


class Attention(nn.Cell):
    """Attention of four heads over sixteen words, and a head over their mean."""

    def __init__(self) -> None:
        super().__init__()
        self.projection, self.out = nn.Dense(WIDTH, 3 * WIDTH), nn.Dense(WIDTH, WIDTH)
        self.head = nn.Dense(WIDTH, CLASSES)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        """Return the logits."""
        count, length, _ = x.shape
        q, k, v = self.projection(x).reshape(count, length, 3, 4, 8).transpose(2, 0, 3, 1, 4)
        weights = ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)) * 8**-0.5, -1)
        mixed = ops.matmul(weights, v).swapaxes(1, 2).reshape(count, length, WIDTH)
        return self.head(self.out(mixed).mean(1))


class TorchAttention(torch_nn.Module):
    """The same in torch."""

    def __init__(self) -> None:
        super().__init__()
        self.projection, self.out = torch_nn.Linear(WIDTH, 3 * WIDTH), torch_nn.Linear(WIDTH, WIDTH)
        self.head = torch_nn.Linear(WIDTH, CLASSES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        count, length, _ = x.shape
        q, k, v = self.projection(x).reshape(count, length, 3, 4, 8).permute(2, 0, 3, 1, 4)
        weights = torch.softmax(torch.matmul(q, k.transpose(-1, -2)) * 8**-0.5, -1)
        mixed = torch.matmul(weights, v).transpose(1, 2).reshape(count, length, WIDTH)
        return self.head(self.out(mixed).mean(1))


def _cells() -> dict[str, tuple[nn.Cell, torch_nn.Module, tuple[int, ...]]]:
    """Return each network twice, and the shape of a batch."""
    mlp = [layer for _ in range(8) for layer in (nn.Dense(WIDTH, WIDTH), nn.ReLU())]
    torch_mlp = [layer for _ in range(8) for layer in (torch_nn.Linear(WIDTH, WIDTH), torch_nn.ReLU())]
    convolutions, torch_convolutions = [], []
    for into, out in ((3, 16), (16, 32)):
        convolutions += [nn.Conv2d(into, out, 3), nn.BatchNorm2d(out), nn.ReLU(), nn.MaxPool2d(2, 2)]
        torch_convolutions += [torch_nn.Conv2d(into, out, 3, padding=1, bias=False), torch_nn.BatchNorm2d(out)]
        torch_convolutions += [torch_nn.ReLU(), torch_nn.MaxPool2d(2)]
    head, torch_head = (nn.Flatten(), nn.Dense(512, CLASSES)), (torch_nn.Flatten(), torch_nn.Linear(512, CLASSES))
    sequence, torch_sequence = nn.SequentialCell, torch_nn.Sequential
    return {
        "MLP 8 × 32": (sequence(*mlp), torch_sequence(*torch_mlp), (BATCH, WIDTH)),
        "LeNet": (lenet(), torch_lenet(), (BATCH, 1, 32, 32)),
        "attention": (Attention(), TorchAttention(), (BATCH, 16, WIDTH)),
        "convolutions, BatchNorm": (
            sequence(*convolutions, *head),
            torch_sequence(*torch_convolutions, *torch_head),
            (BATCH, 3, 16, 16),
        ),
    }


def run(oracle: str | None = None, threads: int | None = None) -> list[Row]:
    """Measure on this number of threads; without one, on one and on two."""
    if threads is None:
        return [row for count in (1, 2) for row in _in_process(count)]
    torch.set_num_threads(threads)
    clock = time.process_time if threads == 1 else time.perf_counter
    ended = f"{threads} thread{'s' * (threads > 1)}, {processor()}"
    return [
        at_most(f"{name}, {way}, {ended}", ours_s, "torch", peer_s, LIMIT)
        for name, (cell, module, shape) in _cells().items()
        for way, ours_s, peer_s in _compare(cell, module, shape, clock)
    ]


def _in_process(threads: int) -> list[Row]:
    code = "import json, sys; from benchmarks import small_steps as s; print('rows', s.as_json(int(sys.argv[1])))"
    found = subprocess.run([sys.executable, "-c", code, str(threads)], capture_output=True, text=True, check=True)
    return [Row(**row) for row in json.loads(found.stdout.rsplit("rows", 1)[1])]


def as_json(threads: int) -> str:
    """Return the rows of a process of its own."""
    return json.dumps([asdict(row) for row in run(threads=threads)])


def _compare(
    cell: nn.Cell, module: torch_nn.Module, shape: tuple[int, ...], clock: Callable[[], float]
) -> Iterator[tuple[str, float, float]]:
    """Yield each way with seconds of a step of ours and of torch, the least of all turns."""
    draw = np.random.default_rng(0)
    x, labels = draw.standard_normal(shape, np.float32), draw.integers(0, CLASSES, BATCH, np.int32)
    data, classes = torch.from_numpy(x), torch.from_numpy(labels).long()
    take_step = _torch_step(module.train())

    def peer() -> object:
        return take_step(data, classes)

    ways = {"value_and_grad": _by_function(cell, x, labels), "TrainOneStepCell": _by_cell(cell, x, labels)}
    for way, step in ways.items():
        yield way, *_least(step, peer, clock)
    epoch = _by_model(cell, x, labels)

    batches = DataLoader([(x, labels.astype(np.int64))] * ROWS_OF_EPOCH, batch_size=None)

    def peer_epoch() -> None:
        for batch in batches:
            take_step(*batch)

    ours_s, peer_s = _least(epoch, peer_epoch, clock)
    yield "Model.train", ours_s / ROWS_OF_EPOCH, peer_s / ROWS_OF_EPOCH


def _by_function(cell: nn.Cell, x: np.ndarray, labels: np.ndarray) -> Callable[[], object]:
    loss_fn, optimizer = nn.CrossEntropyLoss(), nn.Momentum(cell.trainable_params(), RATE, MOMENTUM)
    cell.set_train()
    data, label = ms.Tensor(x), ms.Tensor(labels)

    def forward(data: ms.Tensor, label: ms.Tensor) -> ms.Tensor:
        return loss_fn(cell(data), label)

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    def step() -> object:
        loss, gradients = gradient(data, label)
        optimizer(gradients)
        return loss

    return step


def _by_cell(cell: nn.Cell, x: np.ndarray, labels: np.ndarray) -> Callable[[], object]:
    loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(cell.trainable_params(), RATE, MOMENTUM)
    step = nn.TrainOneStepCell(nn.WithLossCell(cell, loss_fn), optimizer).set_train()
    data, label = ms.Tensor(x), ms.Tensor(labels)
    return lambda: step(data, label)


def _by_model(cell: nn.Cell, x: np.ndarray, labels: np.ndarray) -> Callable[[], object]:
    loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(cell, loss_fn, nn.Momentum(cell.trainable_params(), RATE, MOMENTUM))
    rows = dataset.GeneratorDataset([(x, labels)] * ROWS_OF_EPOCH, ["data", "label"], shuffle=False)
    return lambda: model.train(1, rows, dataset_sink_mode=False)


def _torch_step(module: torch_nn.Module) -> Callable[[torch.Tensor, torch.Tensor], object]:
    optimizer = torch.optim.SGD(module.parameters(), lr=RATE, momentum=MOMENTUM, fused=True)
    loss_fn = torch_nn.CrossEntropyLoss()

    def step(x: torch.Tensor, labels: torch.Tensor) -> object:
        optimizer.zero_grad(set_to_none=True)
        loss = loss_fn(module(x), labels)
        loss.backward()
        optimizer.step()
        return loss

    return step


def _least(ours: Callable[[], Any], peer: Callable[[], Any], clock: Callable[[], float]) -> tuple[float, float]:
    for call in (ours, peer, ours, peer):
        call()
    number = max(1, int(ROUND_S / _seconds(peer, 3, time.perf_counter)))
    turns = [(_seconds(ours, number, clock), _seconds(peer, number, clock)) for _ in range(ROUNDS)]
    return min(turn[0] for turn in turns), min(turn[1] for turn in turns)


def _seconds(call: Callable[[], Any], number: int, clock: Callable[[], float]) -> float:
    start = clock()
    for _ in range(number):
        call()
    return (clock() - start) / number


if __name__ == "__main__":
    main(run, __doc__, threads={"type": int, "metavar": "COUNT", "help": "measure in this process, on so many threads"})
