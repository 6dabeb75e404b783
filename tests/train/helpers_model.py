"""A small model and its data, the same that the recorded results of MindSpore were made with."""

from collections.abc import Callable
from typing import Any

import numpy as np

from msbridge import nn
from msbridge.core.tensor.tensor import Tensor
from msbridge.dataset import NumpySlicesDataset
from msbridge.train import Model


def data(batches: int = 4, size: int = 2) -> Any:
    rng = np.random.RandomState(0)
    columns = rng.randn(batches * size, 3).astype("f4"), rng.randn(batches * size, 1).astype("f4")
    return NumpySlicesDataset(columns, ["x", "y"], shuffle=False).batch(size)


def dense() -> nn.Dense:
    return nn.Dense(3, 1, weight_init="ones", bias_init="zeros")


def model(optimizer: Callable[..., Any] | None = None, **kwargs: Any) -> Model:
    network = dense()
    make = optimizer or (lambda parameters: nn.SGD(parameters, 0.01))
    return Model(network, nn.MSELoss(), make(network.trainable_params()), **kwargs)


def momentum(rate: float) -> Callable[..., Any]:
    return lambda parameters: nn.Momentum(parameters, rate, 0.9)


class CountingLoss(nn.Cell):
    """Gives the sum of a batch as loss, and keeps what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[float] = []

    def construct(self, x: Tensor) -> Tensor:
        self.seen.append(float(x._data.sum()))
        return Tensor(x._data.sum())


def numbers(count: int) -> Any:
    """A dataset of the numbers 0, 1, 2 …, one per batch."""
    return NumpySlicesDataset(np.arange(count, dtype=np.float32), ["x"], shuffle=False).batch(1)
