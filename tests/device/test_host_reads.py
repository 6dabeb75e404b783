"""No host read inside a sink, in any training step: torch's own read-backs are counted, not our ledger's.

Judge of the weights: the same training without sinks.
"""

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Model, Parameter, Tensor, amp, nn, ops
from msbridge.dataset import NumpySlicesDataset
from msbridge.nn.schedules.cells import LearningRateSchedule
from msbridge.train.loss_scale_managers import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager

SINKS, SINK_SIZE = 2, 8
READS = ("item", "tolist", "numpy", "cpu", "__bool__", "__float__", "__int__", "__index__")

FACTORS = {
    "manager": ["none", "fixed", "dynamic"],
    "level": ["O0", "O2", "O3"],
    "optimizer": ["SGD", "Momentum", "Adam", "AdamWeightDecay", "Lamb", "LARS"],
    "rate": ["constant", "list", "Cell"],
    "clipping": ["none", "global norm", "norm", "value"],
    "accumulation": [False, True],
    "dropout": [False, True],
    "average": [False, True],
}


def pairwise() -> list[dict[str, Any]]:
    """A few combinations, always the same, in which every value of a factor meets every value of every other one."""
    names = list(FACTORS)
    missing = {(a, x, b, y) for a, b in itertools.combinations(names, 2) for x in FACTORS[a] for y in FACTORS[b]}
    every = list(itertools.product(*FACTORS.values()))
    draw = np.random.default_rng(0)
    chosen = []
    while missing:
        candidates = [every[index] for index in draw.choice(len(every), 300, replace=False)]
        gains = [
            sum((a, row[i], b, row[j]) in missing for (i, a), (j, b) in itertools.combinations(enumerate(names), 2))
            for row in candidates
        ]
        row = candidates[int(np.argmax(gains))]
        missing -= {(a, row[i], b, row[j]) for (i, a), (j, b) in itertools.combinations(enumerate(names), 2)}
        if max(gains):
            chosen.append(dict(zip(names, row, strict=True)))
    return chosen


class Network(nn.Cell):
    def __init__(self, dropout: bool) -> None:
        super().__init__()
        self.first = nn.Dense(6, 8)
        self.norm = nn.BatchNorm1d(8)
        self.dropout = nn.Dropout(p=0.25) if dropout else nn.Identity()
        self.last = nn.Dense(8, 3)

    def construct(self, x: Tensor) -> Tensor:
        return self.last(self.dropout(ops.relu(self.norm(self.first(x)))))


class Halving(LearningRateSchedule):
    def construct(self, global_step: Tensor) -> Tensor:
        return 0.01 * 0.9 ** global_step.astype(ms.float32)


def clipped(grads: tuple, how: str) -> tuple:
    if how == "global norm":
        return ops.clip_by_global_norm(grads, 0.5)
    if how == "norm":
        return tuple(nn.ClipByNorm()(grad, Tensor(0.5)) for grad in grads)
    if how == "value":
        return tuple(ops.clip_by_value(grad, Tensor(-0.1), Tensor(0.1)) for grad in grads)
    return grads


class Own:
    """What the steps of scripts do: they accumulate the gradients of half batches, clip them, and average weights."""

    def prepare(self, row: dict[str, Any]) -> None:
        self.row = row
        if row["accumulation"]:
            self.sums = self.weights.clone("sum", "zeros")
        if row["average"]:
            self.means = self.weights.clone("mean", "same")
            self.updates = Parameter(Tensor(0, ms.float32), name="updates")

    def gradients(self, x: Tensor, label: Tensor, sens: Tensor) -> tuple[Tensor, tuple]:
        if not self.row["accumulation"]:
            loss = self.network(x, label)
            return loss, self.grad(self.network, self.weights)(x, label, ops.ones_like(loss) * sens)
        half = x.shape[0] // 2
        for part in (slice(0, half), slice(half, None)):
            loss = self.network(x[part], label[part])
            grads = self.grad(self.network, self.weights)(x[part], label[part], ops.ones_like(loss) * sens)
            for total, grad in zip(self.sums, grads, strict=True):
                loss = ops.depend(loss, ops.assign_add(total, grad * 0.5))
        grads = tuple(total.copy() for total in self.sums)
        for total in self.sums:
            ops.assign(total, ops.zeros_like(total))
        return loss, grads

    def follow(self) -> None:
        if self.row["average"]:
            ops.assign_add(self.updates, Tensor(1.0))
            decay = 0.99 * (1 - ops.exp(-self.updates / 20))
            for mean, weight in zip(self.means, self.weights, strict=True):
                ops.assign(mean, mean * decay + weight * (1 - decay))


class PlainStep(nn.TrainOneStepCell, Own):
    def construct(self, x: Tensor, label: Tensor) -> Tensor:
        loss, grads = self.gradients(x, label, Tensor(1.0))
        self.optimizer(clipped(grads, self.row["clipping"]))
        self.follow()
        return loss


class ScaledStep(nn.TrainOneStepWithLossScaleCell, Own):
    def construct(self, x: Tensor, label: Tensor) -> tuple:
        scaling = self.scale_sense
        loss, grads = self.gradients(x, label, scaling)
        grads = self.hyper_map(lambda grad: grad / scaling, grads)
        cond = self.get_overflow_status(None, grads)
        overflow = self.process_loss_scale(cond)
        if not overflow:
            self.optimizer(clipped(grads, self.row["clipping"]))
            self.follow()
        return loss, cond, scaling


def manager_of(row: dict[str, Any]) -> LossScaleManager | None:
    if row["manager"] == "dynamic":
        return DynamicLossScaleManager(2.0**14, 2, 3)
    return FixedLossScaleManager(128.0) if row["manager"] == "fixed" else None


def optimizer_of(row: dict[str, Any], params: list) -> nn.Optimizer:
    rates = {"constant": 0.01, "list": [0.01 / (1 + step) for step in range(SINKS * SINK_SIZE)], "Cell": Halving()}
    rate = rates[row["rate"]]
    if row["optimizer"] == "Momentum":
        return nn.Momentum(params, rate, 0.9, 1e-4)
    if row["optimizer"] == "LARS":
        return nn.LARS(nn.Momentum(params, rate, 0.9, 1e-4), coefficient=0.1)
    return getattr(nn, row["optimizer"])(params, rate)


def model_of(row: dict[str, Any]) -> tuple[Model, nn.Cell, nn.Optimizer]:
    """A model whose step Model composes, or, where a step does more, the one of a script."""
    network = Network(row["dropout"])
    optimizer = optimizer_of(row, network.trainable_params())
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    manager, level = manager_of(row), row["level"]
    if row["clipping"] == "none" and not row["accumulation"] and not row["average"]:
        settings = {} if manager is None else {"loss_scale_manager": manager}
        return Model(network, loss, optimizer, amp_level=level, **settings), network, optimizer
    whole = nn.WithLossCell(amp.auto_mixed_precision(network, level), loss)
    step: Any = PlainStep(whole, optimizer)
    if manager is not None:
        step = ScaledStep(whole, optimizer, manager.get_update_cell())
    step.prepare(row)
    return Model(step), step, optimizer


@contextmanager
def counted() -> Iterator[list[str]]:
    """Note every read-back of torch in this thread."""
    reads: list[str] = []
    thread = threading.get_ident()

    def noting(name: str) -> Any:
        original = getattr(torch.Tensor, name)

        def noted(self: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
            if threading.get_ident() == thread:
                reads.append(name)
            return original(self, *args, **kwargs)

        return noted

    with pytest.MonkeyPatch.context() as patch:
        for name in READS:
            patch.setattr(torch.Tensor, name, noting(name))
        yield reads


def train(row: dict[str, Any], is_sunk: bool) -> tuple[dict[str, np.ndarray], list[str]]:
    """What training leaves in every Parameter, and what was read on the way."""
    ms.set_seed(1)
    draw = np.random.default_rng(2)
    rows = draw.normal(size=(32, 6)).astype(np.float32)
    if row["manager"] != "none":
        rows[13] = 3e38  # this batch overflows
    columns = (rows, draw.integers(0, 3, 32).astype(np.int32))
    dataset = NumpySlicesDataset(columns, ["data", "label"], shuffle=False).batch(4)
    model, trained, optimizer = model_of(row)
    ms.set_seed(3)
    with counted() as reads:
        model.train(SINKS, dataset, dataset_sink_mode=is_sunk, **({"sink_size": SINK_SIZE} if is_sunk else {}))
    held = {p.name: p.asnumpy().copy() for p in (*trained.get_parameters(), *optimizer.get_parameters())}
    return held, reads


@pytest.mark.filterwarnings("ignore::msbridge.core.checks.no_effect_warnings.WithoutEffectWarning")
@pytest.mark.parametrize("row", pairwise(), ids=lambda row: "-".join(map(str, row.values())))
def test_a_sink_reads_nothing_and_trains_as_steps_do(ascend, row):
    sunk, reads = train(row, True)
    stepwise, _ = train(row, False)
    assert len(reads) <= 2 * SINKS + 4, reads
    assert sunk.keys() == stepwise.keys()
    for name, value in sunk.items():
        np.testing.assert_array_equal(value, stepwise[name], err_msg=name)
