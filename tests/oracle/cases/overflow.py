"""Training steps with a scaled loss, some of which overflow: what such a step changes, and what it leaves as it was."""

from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from tests.oracle.case import Case, each

ROWS = [[1.0, 2.0, 3.0], [np.inf, 1.0, 1.0], [1.0, -1.0, 1.0], [0.5, 1.0, 1.0], [np.nan, 1.0, 1.0], [1.0, 1.0, -2.0]]


class Weighted(nn.Cell):
    """The loss is linear, so that the gradient is the input."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.array([1.0, 2.0, -5.0], np.float32)), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return (self.w * x).sum()


class Step(nn.TrainOneStepWithLossScaleCell):
    """As it is, but for the question whether gradients overflowed: the CPU build has no kernel for the usual one."""

    def get_overflow_status(self, status: Tensor, compute_output: tuple) -> Tensor:
        return ops.logical_not(ops.isfinite(compute_output[0]).all())


class OwnStep(Step):
    """As public scripts write it."""

    def construct(self, x: Tensor) -> tuple:
        loss = self.network(x)
        scaling = self.scale_sense
        status, scaling = self.start_overflow_check(loss, scaling)
        grads = self.grad(self.network, self.weights)(x, ops.ones_like(loss) * scaling)
        grads = self.hyper_map(ops.partial(unscaled, scaling), grads)
        cond = self.get_overflow_status(status, grads)
        overflow = self.process_loss_scale(cond)
        if not overflow:
            self.optimizer(grads)
        return loss, cond, scaling


def unscaled(scale: Tensor, grad: Tensor) -> Tensor:
    return grad * ops.reciprocal(scale)


class Halving(nn.learning_rate_schedule.LearningRateSchedule):
    def construct(self, global_step: Tensor) -> Tensor:
        return 0.25 * 0.5 ** global_step.astype(ms.float32)


class Own(nn.Optimizer):
    """An optimizer with a state of its own, as scripts write them."""

    def __init__(self, params: list) -> None:
        super().__init__(0.1, params)
        self.seen = Parameter(Tensor(np.zeros(3, np.float32)), name="seen")

    def construct(self, gradients: tuple) -> bool:
        ops.assign_add(self.seen, gradients[0])
        ops.assign_sub(self.parameters[0], self.seen * self.get_lr())
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        return True


def after_each(make: Callable, manager: Callable, step: type = Step, mode: int = ms.PYNATIVE_MODE) -> list:
    """Every step's loss and overflow, and what weights, state, counters and scale are after it."""
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        network = Weighted()
        optimizer = make(network.trainable_params())
        scaling = manager()
        cell = step(network, optimizer, scaling)
        result = []
        for row in ROWS:
            loss, overflow, _ = cell(Tensor(np.array(row, np.float32)))
            held = {p.name: p.asnumpy().copy() for p in optimizer.get_parameters()}
            counters = {p.name: p.asnumpy().copy() for p in scaling.get_parameters()}
            result.append((loss.asnumpy(), bool(overflow), held, counters, cell.scale_sense.asnumpy().copy()))
        return result
    finally:
        ms.set_context(mode=before)


def dynamic(scale: float = 4.0, factor: int = 2, window: int = 2) -> Callable:
    return lambda: nn.DynamicLossScaleUpdateCell(scale, factor, window)


def fixed() -> nn.Cell:
    return nn.FixedLossScaleUpdateCell(8.0)


# Experimental optimizers are no `nn.Optimizer`, and what reads their rates runs in PyNative mode alone.
MAKERS = [
    "nn.SGD(p, 0.1, 0.9, 0.5)",
    "nn.SGD(p, [0.1, 0.2, 0.3, 0.4])",
    "nn.Momentum(p, Halving(), 0.9)",
    "nn.Adam(p, 0.1, weight_decay=0.1)",
    "nn.Adam(p, Halving(), use_nesterov=True)",
    "nn.Adam(p, 0.1, use_amsgrad=True)",
    "nn.AdamWeightDecay(p, 0.1, weight_decay=0.1)",
    "nn.AdaMax(p, 0.1)",
    "nn.RMSProp(p, 0.1, momentum=0.5, centered=True)",
    "nn.Adagrad(p, learning_rate=0.1)",
    "nn.Adadelta(p, 0.5)",
    "nn.Rprop(p, 0.1)",
    "nn.ASGD(p, 0.1)",
    "nn.FTRL(p, learning_rate=0.1)",
    "Own(p)",
]
CASES = [
    *(Case(f"after_each(lambda p: {make}, dynamic())") for make in MAKERS),
    *each("""
        after_each(lambda p: nn.Momentum(p, 0.1, 0.9), dynamic(3.0, 3, 1))
        after_each(lambda p: nn.Momentum(p, 0.1, 0.9), dynamic(1.5, 4, 3))
        after_each(lambda p: nn.Momentum(p, 0.1, 0.9), fixed)
        after_each(lambda p: nn.Adam(p, 0.1), dynamic(), OwnStep)
        after_each(lambda p: Own(p), dynamic(), OwnStep)
        after_each(lambda p: nn.Adam(p, 0.1), dynamic(), Step, ms.GRAPH_MODE)
        after_each(lambda p: nn.SGD(p, 0.1, 0.9, 0.5), dynamic(), Step, ms.GRAPH_MODE)
        after_each(lambda p: Own(p), dynamic(), Step, ms.GRAPH_MODE)
        after_each(lambda p: Own(p), fixed, Step, ms.GRAPH_MODE)
    """),
]
