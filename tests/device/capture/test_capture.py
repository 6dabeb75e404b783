"""Whole training steps as graphs, in sinks. Judge: the same steps run eagerly, bit by bit.

On the CPU a replayed tape stands in for CUDA; scalars of the step are tensors, as they are on a device.
"""

import itertools
import math

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge.core.context import context
from msbridge.core.parameter import step_scalars
from msbridge.device import SinkExecutor, sink
from msbridge.device.capture import CaptureWarning
from tests.device.capture.replaying import Replay

STEPS = 14


@pytest.fixture(autouse=True)
def device(monkeypatch):
    """Let graphs be made of the steps of sinks on the CPU, with scalars in tensors."""
    with step_scalars.on_device():
        yield monkeypatch


def network() -> nn.Cell:
    ms.set_seed(3)
    return nn.SequentialCell(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(p=0.3), nn.Flatten(), nn.Dense(4 * 25, 5)
    )


def batches(count: int = STEPS, sizes=(6,)):
    random = np.random.default_rng(1)
    for size in itertools.islice(itertools.cycle(sizes), count):
        images = random.standard_normal((size, 1, 5, 5)).astype(np.float32)
        yield Tensor(images), Tensor(random.integers(0, 5, size).astype(np.int32))


def train(monkeypatch, step, is_captured: bool, **settings) -> tuple[list[np.ndarray], str, list[float]]:
    """Run a sink, then single steps; return all that the step holds, what became of the graph, and the losses."""
    if is_captured:
        monkeypatch.setattr(sink, "objection", lambda _: None)
        monkeypatch.setattr(sink, "cuda_recorder", lambda _: Replay)
    ms.set_seed(7)
    executor = SinkExecutor(step.set_train(), batches(STEPS + 3, **settings), STEPS)
    executor.run()
    losses = executor.losses.asnumpy().tolist()
    for _ in range(3):
        result = executor.run_step()
        losses.append((result[0] if isinstance(result, tuple) else result).item())
    values = [parameter.asnumpy().copy() for parameter in step.get_parameters()]
    monkeypatch.undo()
    return values, executor.capture_status, losses


def same(monkeypatch, make, **settings) -> None:
    expected, _, losses = train(monkeypatch, make(), False, **settings)
    found, status, found_losses = train(monkeypatch, make(), True, **settings)
    assert "replayed" in status
    assert losses == found_losses
    for now, then in zip(found, expected, strict=True):
        np.testing.assert_array_equal(now, then)


def refused(monkeypatch, make, says: str) -> None:
    expected, _, losses = train(monkeypatch, make(), False)
    with pytest.warns(CaptureWarning, match=says):
        found, _, found_losses = train(monkeypatch, make(), True)
    assert losses == found_losses
    for now, then in zip(found, expected, strict=True):
        np.testing.assert_array_equal(now, then)


def one_step(optimizer, loss=None) -> nn.Cell:
    net = network()
    loss = loss or nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer(net.trainable_params()))


RATES = {
    "constant": lambda: 0.05,
    "list": lambda: [0.1 / (step + 1) for step in range(STEPS + 3)],
    "schedule": lambda: nn.CosineDecayLR(0.001, 0.1, 30),
    "warm-up": lambda: nn.WarmUpLR(0.1, 10),
}
OPTIMIZERS = {
    "SGD": lambda rate: lambda weights: nn.SGD(weights, rate, momentum=0.9, weight_decay=1e-3),
    "Momentum": lambda rate: lambda weights: nn.Momentum(weights, rate, 0.9, use_nesterov=True),
    "Adam": lambda rate: lambda weights: nn.Adam(weights, rate),
    "AdamWeightDecay": lambda rate: lambda weights: nn.AdamWeightDecay(weights, rate, weight_decay=0.01),
    "Lamb": lambda rate: lambda weights: nn.Lamb(weights, rate, weight_decay=0.01),
    "LARS": lambda rate: lambda weights: nn.LARS(nn.Momentum(weights, rate, 0.9)),
    "RMSProp": lambda rate: lambda weights: nn.RMSProp(weights, rate),
    "AdaGrad": lambda rate: lambda weights: nn.Adagrad(weights, learning_rate=rate),
}


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_rates(device, optimizer, rate):
    same(device, lambda: one_step(OPTIMIZERS[optimizer](RATES[rate]())))


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_optimizers(device, optimizer):
    same(device, lambda: one_step(OPTIMIZERS[optimizer](RATES["list"]())))


def test_groups_with_rates_and_decays_of_their_own(device):
    def optimizer(weights):
        groups = [{"params": weights[:2], "lr": nn.ExponentialDecayLR(0.1, 0.9, 4)}, {"params": weights[2:]}]
        return nn.Momentum(groups, 0.05, 0.9, weight_decay=1e-4)

    same(device, lambda: one_step(optimizer))


@pytest.mark.parametrize("scale", [2.0**10, 2.0**126])
def test_dynamic_loss_scale(device, scale):
    """The second one overflows in the first steps, so that updates are left out."""

    def make():
        net = network()
        loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
        optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
        return nn.TrainOneStepWithLossScaleCell(loss, optimizer, nn.DynamicLossScaleUpdateCell(scale, 2, 4))

    same(device, make)


class Clipping(nn.TrainOneStepCell):
    """The step of many scripts: gradients clipped by their common norm, an average of the weights beside."""

    def __init__(self, net, optimizer):
        super().__init__(net, optimizer)
        self.average = self.weights.clone("average")

    def construct(self, *inputs):
        loss, grads = self._compute(None, *inputs)
        grads = ops.clip_by_global_norm(grads, 0.5)
        loss = ops.depend(loss, self.optimizer(grads))
        for average, weight in zip(self.average, self.weights, strict=True):
            ops.assign(average, average * 0.9 + weight * 0.1)
        return loss


def test_clipping_and_moving_averages(device):
    def make():
        net = network()
        loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
        return Clipping(loss, nn.Adam(net.trainable_params(), 0.01))

    same(device, make)


class Accumulating(nn.TrainOneStepCell):
    """Gradients are added up over two steps; the number of the step is in a Parameter."""

    def __init__(self, net, optimizer):
        super().__init__(net, optimizer)
        self.sums = self.weights.clone("sums", init="zeros")
        self.count = ms.Parameter(Tensor(0.0, ms.float32), name="count")

    def construct(self, *inputs):
        loss, grads = self._compute(None, *inputs)
        ops.assign_add(self.count, Tensor(1.0, ms.float32))
        is_due = (self.count % 2).equal(0.0).astype(ms.float32)
        for total, grad in zip(self.sums, grads, strict=True):
            ops.assign_add(total, grad)
        self.optimizer(tuple(total * is_due for total in self.sums))
        for total in self.sums:
            ops.assign(total, total * (1 - is_due))
        return loss


def test_accumulated_gradients(device):
    def make():
        net = network()
        loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
        return Accumulating(loss, nn.SGD(net.trainable_params(), 0.05))

    same(device, make)


def test_last_batch_of_a_pass_has_a_graph_of_its_own(device):
    same(device, lambda: one_step(OPTIMIZERS["Adam"](0.01)), sizes=(6, 6, 3))


class Annealed(nn.Cell):
    """A loss whose weight a counter in Python sets."""

    def __init__(self):
        super().__init__()
        self.count = 0
        self.loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")

    def construct(self, logits, labels):
        self.count += 1
        return self.loss(logits, labels) * math.exp(-0.1 * self.count)


def test_counter_in_python(device):
    refused(
        device, lambda: one_step(OPTIMIZERS["SGD"](0.05), Annealed()), r"it changes 'network._loss_fn.count' in Python"
    )


class Peeking(nn.Cell):
    """A loss that looks at its value."""

    def __init__(self):
        super().__init__()
        self.loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")

    def construct(self, logits, labels):
        loss = self.loss(logits, labels)
        return loss * 2 if loss > 1 else loss


def test_branch_on_a_value(device):
    refused(
        device, lambda: one_step(OPTIMIZERS["SGD"](0.05), Peeking()), r"the host reads a value \(test_capture.py:\d+\)"
    )


MANAGERS = {
    "none": dict,
    "dynamic": lambda: {"loss_scale_manager": ms.train.DynamicLossScaleManager(2.0**12, 2, 4)},
    "fixed": lambda: {"loss_scale_manager": ms.train.FixedLossScaleManager(2.0**8, drop_overflow_update=False)},
}


def trained(
    monkeypatch, is_captured: bool, mode: int, settings: dict
) -> tuple[list[np.ndarray], list[float], list[str]]:
    """Train a Model in sinks over two passes and a half of the data; the weights, the losses, what became of graphs."""
    context.set_context(device_target="Ascend", mode=mode)
    if is_captured:
        monkeypatch.setattr(sink, "objection", lambda _: None)
        monkeypatch.setattr(sink, "cuda_recorder", lambda _: Replay)
    net = network()
    random = np.random.default_rng(1)
    images, labels = random.standard_normal((40, 1, 5, 5)).astype(np.float32), np.arange(40, dtype=np.int32) % 5
    data = ms.dataset.NumpySlicesDataset((images, labels), ["image", "label"], shuffle=False).batch(6)
    optimizer = nn.Momentum(net.trainable_params(), nn.PolynomialDecayLR(0.1, 0.01, 20, 1.0), 0.9)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = ms.Model(net, loss, optimizer, **settings)
    losses, states = [], []

    class Note(ms.Callback):
        def on_train_step_end(self, run_context):
            params = run_context.original_args()
            result = params.net_outputs
            losses.append(float((result[0] if isinstance(result, tuple) else result).asnumpy()))
            states.append(params.train_network._executor.capture_status)

    ms.set_seed(11)
    model.train(5, data, callbacks=[Note()], dataset_sink_mode=True, sink_size=10)
    monkeypatch.undo()
    return [parameter.asnumpy().copy() for parameter in net.get_parameters()], losses, states


@pytest.mark.parametrize("mode", [context.GRAPH_MODE, context.PYNATIVE_MODE])
@pytest.mark.parametrize("manager", MANAGERS)
def test_models_train_in_sinks(device, manager, mode):
    expected, losses, _ = trained(device, False, mode, MANAGERS[manager]())
    found, found_losses, states = trained(device, True, mode, MANAGERS[manager]())
    assert "replayed" in states[-1]
    assert losses == found_losses
    for now, then in zip(found, expected, strict=True):
        np.testing.assert_array_equal(now, then)


def test_mixed_precision_and_the_precision_of_an_ascend(device):
    context.set_context(ascend_config={"precision_mode": "allow_mix_precision"})
    expected, losses, _ = trained(device, False, context.GRAPH_MODE, {"amp_level": "O2"})
    found, found_losses, states = trained(device, True, context.GRAPH_MODE, {"amp_level": "O2"})
    assert "replayed" in states[-1]
    assert losses == found_losses
    for now, then in zip(found, expected, strict=True):
        np.testing.assert_array_equal(now, then)


def test_hooks_and_summaries_keep_steps_eager(device):
    seen = []

    def hooked():
        step = one_step(OPTIMIZERS["SGD"](0.05))
        step.network.register_forward_hook(lambda cell, inputs, output: seen.append(output))
        return step

    refused(device, hooked, "it calls the hooks of WithLossCell")
    assert len(seen) == 2 * (STEPS + 3)


class Reading(nn.Cell):
    """A loss that is looked at on the host, by way of numpy."""

    def __init__(self):
        super().__init__()
        self.loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")

    def construct(self, logits, labels):
        return self.loss(logits, labels) * float(labels.asnumpy().max() > 0)


def test_values_read_by_way_of_numpy(device):
    refused(device, lambda: one_step(OPTIMIZERS["SGD"](0.05), Reading()), "the host reads a value")
