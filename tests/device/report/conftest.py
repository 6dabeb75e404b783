"""Little trainings that a collector looks at."""

from collections.abc import Callable, Iterator

import pytest

from msbridge import nn
from msbridge.core.autograd.grad import value_and_grad
from msbridge.core.context import context
from msbridge.core.tensor.tensor import Tensor
from msbridge.device.report.collecting import Collector
from tests.device.report.reported import Net


@pytest.fixture
def collector() -> Iterator[Collector]:
    from msbridge.core.runtime import observers

    context.set_context(device_target="Ascend", mode=context.GRAPH_MODE)
    collector = Collector()
    observers.add(collector)
    yield collector
    collector.stop()


@pytest.fixture
def step() -> Callable[[Tensor], Tensor]:
    """A training step written by hand; returns the loss."""
    net = Net()
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    compute = value_and_grad(lambda x: net(x).square().mean(), None, optimizer.parameters)

    def run(x: Tensor) -> Tensor:
        loss, gradients = compute(x)
        optimizer(gradients)
        return loss

    return run
