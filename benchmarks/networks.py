"""Forward passes and training steps of small networks, against hand-written torch."""

from collections.abc import Callable

import torch
from torch import nn as torch_nn

import msbridge as ms
from benchmarks.table import Row, at_most, paired
from msbridge import nn

WIDTH, DEPTH, BATCH = 32, 8, 32


def run() -> list[Row]:
    """Measure the 8-layer MLP forward and in training, and LeNet in training, on one thread."""
    torch.set_num_threads(1)
    return [mlp_forward(), mlp_step(), lenet_step()]


def mlp_forward() -> Row:
    """Compare inference of the MLP with torch's nn.Sequential under no_grad."""
    theirs, ours = _torch_mlp(), _mlp()
    x = torch.randn(BATCH, WIDTH)
    tensor = ms.Tensor(x)

    def peer() -> object:
        with torch.no_grad():
            return theirs(x)

    return at_most("MLP 8×32 forward", *_swap("torch nn.Sequential", paired(lambda: ours(tensor), peer)), 0.75)


def mlp_step() -> Row:
    """Compare a training step of the MLP (cross entropy, SGD with momentum) with torch's fused optimizer."""
    labels = torch.randint(WIDTH, (BATCH,))
    x = torch.randn(BATCH, WIDTH)
    times = paired(_step(_mlp(), x, labels), _torch_step(_torch_mlp(), x, labels))
    return at_most("MLP 8×32 training step", *_swap("torch, fused SGD", times), 1.0)


def lenet_step() -> Row:
    """Compare a training step of LeNet on 32×32 images with torch's fused optimizer."""
    labels = torch.randint(10, (BATCH,))
    x = torch.randn(BATCH, 1, 32, 32)
    times = paired(_step(lenet(), x, labels), _torch_step(torch_lenet(), x, labels))
    return at_most("LeNet training step", *_swap("torch, fused SGD", times), 1.0)


def _step(network: nn.Cell, x: torch.Tensor, labels: torch.Tensor) -> Callable[[], object]:
    loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(network.trainable_params(), 0.01, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(network, loss_fn), optimizer).set_train()
    data, label = ms.Tensor(x), ms.Tensor(labels.int())
    return lambda: step(data, label)


def _torch_step(network: torch_nn.Module, x: torch.Tensor, labels: torch.Tensor) -> Callable[[], object]:
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9, fused=True)
    loss_fn = torch_nn.CrossEntropyLoss()

    def step() -> object:
        optimizer.zero_grad(set_to_none=True)
        loss = loss_fn(network(x), labels)
        loss.backward()
        optimizer.step()
        return loss

    return step


def _mlp() -> nn.Cell:
    return nn.SequentialCell([layer for _ in range(DEPTH) for layer in (nn.Dense(WIDTH, WIDTH), nn.ReLU())])


def _torch_mlp() -> torch_nn.Module:
    layers = [layer for _ in range(DEPTH) for layer in (torch_nn.Linear(WIDTH, WIDTH), torch_nn.ReLU())]
    return torch_nn.Sequential(*layers)


def lenet() -> nn.Cell:
    """Return LeNet for 32 × 32 images, with the biases that torch's layers have by default."""
    return nn.SequentialCell(
        nn.Conv2d(1, 6, 5, pad_mode="valid", has_bias=True),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.Conv2d(6, 16, 5, pad_mode="valid", has_bias=True),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.Flatten(),
        nn.Dense(400, 120),
        nn.ReLU(),
        nn.Dense(120, 84),
        nn.ReLU(),
        nn.Dense(84, 10),
    )


def torch_lenet() -> torch_nn.Module:
    """Return the same in torch."""
    return torch_nn.Sequential(
        torch_nn.Conv2d(1, 6, 5),
        torch_nn.ReLU(),
        torch_nn.MaxPool2d(2),
        torch_nn.Conv2d(6, 16, 5),
        torch_nn.ReLU(),
        torch_nn.MaxPool2d(2),
        torch_nn.Flatten(),
        torch_nn.Linear(400, 120),
        torch_nn.ReLU(),
        torch_nn.Linear(120, 84),
        torch_nn.ReLU(),
        torch_nn.Linear(84, 10),
    )


def _swap(peer: str, times: tuple[float, float]) -> tuple[float, str, float]:
    return times[0], peer, times[1]
