"""Branches on an overflow in training steps of scripts: which are left to the device, and what is undone."""

from typing import Any

import numpy as np
import pytest

from msbridge import Parameter, Tensor, nn, ops
from msbridge.core.context import context
from msbridge.core.context.context import GRAPH_MODE
from msbridge.nn.steps._branches import Branch, branch_of
from msbridge.ops import depend


class Step(nn.TrainOneStepWithLossScaleCell):
    """What the steps below share."""

    def prepared(self, x: Tensor) -> tuple[Tensor, Any]:
        loss = self.network(x)
        grads = self.grad(self.network, self.weights)(x, ops.ones_like(loss) * self.scale_sense)
        return loss, self.hyper_map(lambda grad: grad / self.scale_sense, grads)


class Short(Step):
    def construct(self, x):
        loss, grads = self.prepared(x)
        cond = self.get_overflow_status(None, grads)
        overflow = self.process_loss_scale(cond)
        if not overflow:
            loss = depend(loss, self.optimizer(grads))
        return loss, cond, self.scale_sense


class Old(Step):
    def construct(self, x, sens=None):
        loss, grads = self.prepared(x)
        cond = self.get_overflow_status(None, grads)
        overflow = cond
        if sens is None:
            overflow = self.loss_scaling_manager(self.scale_sense, cond)
        if overflow:  # noqa: SIM108 - as scripts write it
            succ = False
        else:
            succ = self.optimizer(grads)
        ret = (loss, cond, self.scale_sense)
        return depend(ret, succ)


class Averaging(Step):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.ema = self.weights.clone("ema", "same")
        self.updates = Parameter(Tensor(0.0), name="updates")

    def construct(self, x):
        loss, grads = self.prepared(x)
        overflow = self.process_loss_scale(self.get_overflow_status(None, grads))
        if not overflow:
            self.optimizer(grads)
            if self.reducer_flag is False:
                self.average()
            self.updates += 1.0
        return loss, overflow, self.scale_sense

    def average(self):
        for mean, weight in zip(self.ema, self.weights, strict=True):
            ops.assign(mean, mean * 0.5 + weight * 0.5)


class Counting(Step):
    """What follows the branch changes something too."""

    def construct(self, x):
        loss, grads = self.prepared(x)
        overflow = self.process_loss_scale(self.get_overflow_status(None, grads))
        if not overflow:
            self.optimizer(grads)
        self.count()
        return loss, overflow, self.scale_sense

    def count(self):
        self.scale_sense.set_data(self.scale_sense + 1.0)


class Both(Step):
    """Something is done where there was an overflow."""

    def construct(self, x):
        loss, grads = self.prepared(x)
        overflow = self.process_loss_scale(self.get_overflow_status(None, grads))
        if overflow:
            loss = loss * 0.0
        else:
            self.optimizer(grads)
        return loss, overflow, self.scale_sense


class Handed(Step):
    def construct(self, x):
        loss, grads = self.prepared(x)
        overflow = self.process_loss_scale(self.get_overflow_status(None, grads))
        self.tell(overflow)
        if not overflow:
            self.optimizer(grads)
        return loss, overflow, self.scale_sense

    def tell(self, overflow):
        assert overflow in (True, False)


class Weighted(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0]), name="w")

    def construct(self, x):
        return (self.w * x).sum()


ROWS = [[1.0, 2.0], [np.inf, 1.0], [1.0, -1.0], [np.nan, 1.0], [0.5, 1.0]]


def trained(kind: type, monkeypatch: pytest.MonkeyPatch, mode: int) -> tuple[list, int]:
    """What every step left in the Cell's Parameters, and how often a flag was read."""
    context.set_context(mode=mode)
    network = Weighted()
    cell = kind(network, nn.Adam(network.trainable_params(), 0.1), nn.DynamicLossScaleUpdateCell(4.0, 2, 2))
    reads = []
    read = Tensor.__bool__
    monkeypatch.setattr(Tensor, "__bool__", lambda self: reads.append(self) or read(self))
    outcomes = []
    for row in ROWS:
        outputs = cell(Tensor(row))
        outcomes.append([output.asnumpy().copy() for output in outputs])
        outcomes.append([parameter.asnumpy().copy() for parameter in cell.get_parameters()])
    monkeypatch.undo()
    assert bool(outputs[1]) is False
    return outcomes, len(reads)


@pytest.mark.parametrize(
    ("kind", "branch"),
    [
        (Short, Branch(True, ())),
        (Old, Branch(True, ())),
        (Averaging, Branch(False, ("updates",))),
        (Counting, None),
        (Both, None),
        (Handed, None),
        (nn.TrainOneStepCell, None),
    ],
)
def test_a_branch_is_found_where_it_can_be_undone(kind, branch):
    assert branch_of(kind.construct) == branch


@pytest.mark.parametrize("kind", [Short, Old, Averaging, Counting, Both])
def test_a_step_without_a_look_leaves_what_one_that_looks_leaves(kind, monkeypatch):
    looking, reads = trained(kind, monkeypatch, context.PYNATIVE_MODE)
    found, fewer = trained(kind, monkeypatch, GRAPH_MODE)
    assert reads == len(ROWS)
    assert fewer == (0 if branch_of(kind.construct) else len(ROWS))
    for left, right in zip(looking, found, strict=True):
        for a, b in zip(left, right, strict=True):
            np.testing.assert_allclose(a, b, 1e-6)


def test_a_dynamic_scale_takes_a_factor_that_is_no_whole_number() -> None:  # recorded from MindSpore 2.10
    update = nn.DynamicLossScaleUpdateCell(512, 1.5, 2)
    scale = Parameter(Tensor(512.0), name="scale")
    values = []
    for is_overflow in (False, False, True, True, False, False):
        update(scale, Tensor(is_overflow))
        values.append(round(float(scale.asnumpy()), 3))
    assert values == [512.0, 768.0, 512.0, 341.333, 341.333, 512.0]
