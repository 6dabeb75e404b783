"""How often the host waits for the device in a step, by kinds of networks and steps: the tables of docs/devices.md."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, amp, nn, ops, train
from msbridge.device.capture import CapturedStep
from msbridge.device.capture.recorders import cuda_recorder

PAGE = Path(__file__).parents[2] / "docs/devices.md"
ROWS, WARM, COUNTED = 32, 4, 3
RANDOM = np.random.default_rng(0)
LABELS = (np.arange(ROWS) % 3).astype(np.int32)
WORDS = RANDOM.integers(0, 20, (ROWS, 5)).astype(np.int32)


class Words(nn.Cell):
    """Classifies sentences by a layer over the vectors of their words."""

    def __init__(self, layer: nn.Cell, width: int) -> None:
        super().__init__()
        self.table, self.layer, self.out = nn.Embedding(20, 8), layer, nn.Dense(width, 3)

    def construct(self, ids: Tensor) -> Tensor:
        result = self.layer(self.table(ids))
        return self.out((result[0] if isinstance(result, tuple) else result).mean(1))


def dense() -> nn.Cell:
    return nn.SequentialCell(nn.Dense(6, 5), nn.BatchNorm1d(5), nn.ReLU(), nn.Dense(5, 3))


def convolution() -> nn.Cell:
    layers = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Dropout(p=0.2), nn.Flatten()
    return nn.SequentialCell(*layers, nn.Dense(64, 3))


NETWORKS = {
    "dense": (dense, RANDOM.standard_normal((ROWS, 6)).astype(np.float32)),
    "convolution": (convolution, RANDOM.standard_normal((ROWS, 1, 8, 8)).astype(np.float32)),
    "LSTM": (lambda: Words(nn.LSTM(8, 6, batch_first=True), 6), WORDS),
    "GRU": (lambda: Words(nn.GRU(8, 6, batch_first=True), 6), WORDS),
    "Transformer": (lambda: Words(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 8), WORDS),
}


def with_loss(net: nn.Cell) -> nn.Cell:
    return nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))


def adam(net: nn.Cell) -> nn.Cell:
    return nn.Adam(net.trainable_params(), 0.01)


def one_step(net: nn.Cell) -> Callable:
    return nn.TrainOneStepCell(with_loss(net), adam(net)).set_train()


def captured(net: nn.Cell) -> Callable:
    device = torch.device("cuda", 0)
    return CapturedStep(one_step(net), device, cuda_recorder(device))


def scaled(net: nn.Cell) -> Callable:
    net = amp.auto_mixed_precision(net, "O2")
    return nn.TrainOneStepWithLossScaleCell(
        with_loss(net), adam(net), nn.DynamicLossScaleUpdateCell(2**10, 2, 100)
    ).set_train()


def custom(net: nn.Cell) -> Callable:
    optimizer, measure = adam(net), with_loss(net.set_train())
    gradients = ms.value_and_grad(measure, None, optimizer.parameters)
    return lambda x, label: optimizer(ops.clip_by_global_norm(gradients(x, label)[1], 1.0))


def custom_scaled(net: nn.Cell) -> Callable:
    net = amp.auto_mixed_precision(net, "O2")
    optimizer, measure, scaler = adam(net), with_loss(net.set_train()), amp.DynamicLossScaler(1024, 2, 100)
    gradients = ms.value_and_grad(lambda *batch: scaler.scale(measure(*batch)), None, optimizer.parameters)

    def step(x: Tensor, label: Tensor) -> None:
        grads = scaler.unscale(gradients(x, label)[1])
        scaler.adjust(amp.all_finite(grads))
        optimizer(grads)

    return step


STEPS = {
    "`nn.TrainOneStepCell`": one_step,
    "the same as a captured graph": captured,
    "`nn.TrainOneStepWithLossScaleCell`, O2": scaled,
    "a script's: `value_and_grad`, `clip_by_global_norm`": custom,
    "a script's: O2, `DynamicLossScaler`, `all_finite`": custom_scaled,
}
MODELS = {
    "`Model.train` without sinks": (False, {}),
    "`Model.train` in sinks": (True, {}),
    "`Model.train` without sinks, O2, `DynamicLossScaleManager`": (False, {"amp_level": "O2"}),
    "`Model.train` in sinks, O2, `DynamicLossScaleManager`": (True, {"amp_level": "O2"}),
}
CALLBACKS = {
    "`TimeMonitor`": train.TimeMonitor,
    "`LossMonitor(1)`": lambda: train.LossMonitor(1),
    "`LearningRateScheduler`": lambda: train.LearningRateScheduler(lambda rate, step: 0.01),
}


def rows_of_page(mark: str) -> Iterator[list[str]]:
    """Yield the cells of a table's rows, its head first."""
    text = PAGE.read_text(encoding="utf-8").split(f"<!-- {mark} -->")[1].split(f"<!-- end of {mark} -->")[0]
    for line in text.strip().splitlines():
        if not re.fullmatch(r"[|:\- ]+", line):
            yield [cell.strip() for cell in line.strip("|").split("|")]


HEAD, *TABLE = rows_of_page("waits of steps")
CELLS = [(row[0], network, int(count)) for row in TABLE for network, count in zip(HEAD[1:], row[1:], strict=True)]


class BetweenSteps(train.Callback):
    """Counts the waits from the end of a step, or of a sink, to the end of the next."""

    def __init__(self, waits: Callable) -> None:
        self.waits, self.counts, self.block = waits, [], None

    def on_train_step_end(self, run_context: object) -> None:
        self.close()
        self.block = self.waits()
        self.seen = self.block.__enter__()

    def on_train_end(self, run_context: object) -> None:
        self.close()
        self.counts.pop()  # the end of a training reads the last loss

    def close(self) -> None:
        if self.block is not None:
            self.block.__exit__(None, None, None)
            self.counts.append(self.seen.count)


def trained(net: nn.Cell, x: np.ndarray, waits: Callable, sink: bool, settings: dict, *callbacks: object) -> list[int]:
    """Train for a few epochs and return the waits of each step, without those that prepare and capture."""
    if settings:
        settings = settings | {"loss_scale_manager": amp.DynamicLossScaleManager(1024.0, 2, 100)}
    rows = ms.dataset.NumpySlicesDataset({"x": x, "label": LABELS}, shuffle=False).batch(4)
    loss, counting = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), BetweenSteps(waits)
    model = train.Model(net, loss, adam(net), **settings)
    model.train(6 if sink else 2, rows, [*callbacks, counting], dataset_sink_mode=sink)
    return counting.counts[2:]


def test_page_has_all_kinds_of_steps() -> None:
    assert [row[0] for row in TABLE] == [*STEPS, *MODELS]
    assert HEAD[1:] == [*NETWORKS]


@pytest.mark.parametrize(("kind", "network", "count"), CELLS)
def test_step_waits_as_often_as_the_page_says(kind: str, network: str, count: int, waits: Callable) -> None:
    ms.set_context(mode=ms.GRAPH_MODE)
    make, x = NETWORKS[network]
    if kind in MODELS:
        counts = trained(make(), x, waits, *MODELS[kind])
    else:
        step, batch = STEPS[kind](make()), (Tensor(x[:4]), Tensor(LABELS[:4]))
        for _ in range(WARM):
            step(*batch)
        with waits() as seen:
            for _ in range(COUNTED):
                step(*batch)
        assert kind != "the same as a captured graph" or step.is_replayed
        counts = [seen.count / COUNTED]
    assert set(counts) == {count}, counts


BESIDE_NUMBERS = {
    "1 - x": lambda x: 1 - x,
    "maximum": lambda x: ops.maximum(x, 0.5),
    "minimum": lambda x: ops.minimum(x, 1),
    "clip_by_value": lambda x: ops.clip_by_value(x, -1.0, 1.0),
    "hardtanh": ops.hardtanh,
    "atan2": lambda x: ops.atan2(x, 2.0),
    "xlogy": lambda x: ops.xlogy(x, 2.0),
    "leaky_relu": ops.leaky_relu,
    "x ** 2 // 3": lambda x: x**2 // 3,
    "where": lambda x: ops.where(x > 0, x, 0.0),
}


@pytest.mark.parametrize("dtype", [ms.float32, ms.float16, ms.int32], ids=str)
@pytest.mark.parametrize("name", BESIDE_NUMBERS)
def test_number_beside_a_tensor_is_not_waited_for(name: str, dtype: object, waits: Callable) -> None:
    x, function = Tensor([[0.5, 1.5, 2.5]]).astype(dtype), BESIDE_NUMBERS[name]
    function(x)
    with waits() as seen:
        function(x)
    assert seen.count == 0
    if dtype == ms.float32:
        gradient = ms.grad(lambda x: function(x).sum())
        with waits() as seen:
            gradient(x)
        assert seen.count == 0


@pytest.mark.parametrize(("callback", "count"), list(rows_of_page("waits of callbacks"))[1:])
def test_callback_reads_as_often_as_the_page_says(callback: str, count: str, waits: Callable) -> None:
    counts = trained(dense(), NETWORKS["dense"][1], waits, False, {}, CALLBACKS[callback]())
    assert set(counts) == {int(count)}, counts
