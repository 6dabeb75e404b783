"""Estimates of memory: as a device report measures it, without a step."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import nn
from msbridge.core.autograd.grad import value_and_grad
from msbridge.core.runtime import observers
from msbridge.device.report.collecting import Collector
from msbridge.device.report.estimating import Estimate
from msbridge.networks.estimate import estimate
from msbridge.networks.options import OPTIMIZERS

GIB = 1 << 30


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.norm = nn.BatchNorm2d(8)
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(8 * 16 * 16, 5)

    def construct(self, x):
        return self.fc(self.flatten(ms.ops.relu(self.norm(self.conv(x)))))


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    observers.add(collector)
    yield collector
    collector.stop()


def image(size: int) -> ms.Tensor:
    return ms.Tensor(np.ones((size, 3, 16, 16), np.float32))


def test_an_estimate_is_what_a_report_measures(collector: Collector) -> None:
    net = Net().set_train()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    _, gradients = value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)(image(4))
    optimizer(gradients)
    measured = collector.summarize().memory
    collector.stop()
    assert estimate(net, [image(4)], "momentum", GIB).memory == measured


def test_nothing_is_computed_and_the_network_stays_as_it_was() -> None:
    net = Net()
    before = {name: parameter.asnumpy() for name, parameter in net.parameters_dict().items()}
    estimate(net, [image(2)], "adam", GIB)
    assert not net.training
    assert not observers.active
    assert all(np.array_equal(before[name], one.asnumpy()) for name, one in net.parameters_dict().items())


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_every_optimizer_has_its_state(optimizer: str) -> None:
    memory = estimate(Net(), [image(2)], optimizer, GIB).memory
    trained = 4 * (8 * 27 + 16 + 8 * 256 * 5 + 5)
    assert memory.gradients == trained
    states = {"adam": 2, "adamw": 2, "lamb": 2, "momentum": 1, "rmsprop": 2, "sgd": 2}
    assert states[optimizer] * trained <= memory.optimizer <= states[optimizer] * trained + 64


def test_a_torch_module_is_estimated_too() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Sigmoid())
    found = estimate(module, [torch.ones(10, 4)], "sgd", GIB)
    assert (found.memory.parameters, found.memory.batch, found.memory.inputs) == (60, 10, 160)
    assert found.memory.feature_maps == 10 * 3 * 4  # the result of Sigmoid


def test_the_batch_that_fits() -> None:
    found = estimate(Net(), [image(4)], "sgd", GIB)
    each, rest = found.memory.growing / 4, found.total - found.memory.growing
    assert rest + found.largest_batch * each <= GIB < rest + (found.largest_batch + 1) * each
    assert f"up to {found.largest_batch:,} are estimated to fit" in str(found)
    assert found.as_dict()["largest_batch"] == found.largest_batch
    assert "no batch fits" in str(Estimate(found.memory, 1000))
    assert "memory does not limit it (more than 131,072 fit)" in str(Estimate(found.memory, 2**50))


def test_a_network_that_reads_a_value_is_refused_in_a_sentence() -> None:
    class Reads(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Dense(3, 3)

        def construct(self, x):
            y = self.fc(x)
            return y if float(y.sum()) > 0 else -y

    with pytest.raises(RuntimeError, match="reads a value while it computes, and an estimate computes shapes only"):
        estimate(Reads(), [ms.Tensor(np.ones((2, 3), np.float32))], "sgd", GIB)
    with pytest.raises(ValueError, match="no parameters that are trained"):
        estimate(nn.ReLU(), [ms.Tensor([1.0])], "sgd", GIB)
