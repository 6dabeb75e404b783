"""mindspore.experimental.optim: three steps with fixed gradients, options of groups, state, and schedules."""

from collections.abc import Callable
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn
from mindspore.experimental import optim
from mindspore.experimental.optim import lr_scheduler

from tests.oracle.case import Case

GRADIENTS = [[0.1, -0.2, 0.3], [0.5, 0.0, -0.4], [-0.3, 0.7, 0.2], [0.05, -0.6, 0.1]]
NAMES = ["conv.weight", "bn.gamma"]


def parameters(names: tuple[str, ...] = ("weight",)) -> list[Parameter]:
    return [Parameter(Tensor([1.0, 2.0, -5.0]), name=name) for name in names]


def groups(**options: object) -> list[dict]:
    """Two groups of one Parameter; the options are those of the second."""
    first, second = parameters(("first", "second"))
    return [{"params": [first]}, {"params": [second], **options}]


def moved(optimizer: Any, steps: int = 3, prepare: Callable[[Any, int], object] | None = None) -> dict[str, np.ndarray]:
    """Let an optimizer make its steps: every Parameter that it holds, in its order."""
    for step in range(steps):
        if prepare:
            prepare(optimizer, step)
        gradient = np.array(GRADIENTS[step % 4], np.float32)
        optimizer(tuple(Tensor(gradient * (i + 1)) for i in range(len(optimizer.parameters))))
    return {parameter.name: parameter.asnumpy() for parameter in optimizer.get_parameters()}


def held(optimizer: Any) -> tuple:
    """Names of the state, of the rates, and the options of a group."""
    names = [parameter.name for parameter in optimizer.get_parameters()]
    return names, [rate.name for rate in optimizer.lrs], sorted(optimizer.param_groups[0])


def halve(optimizer: Any, step: int) -> None:
    optimizer.param_groups[0]["lr"] = 0.5**step


def assign(optimizer: Any, step: int) -> None:
    ms.ops.assign(optimizer.param_groups[0]["lr"], Tensor(0.5**step, ms.float32))


def heavier(optimizer: Any, step: int) -> None:
    optimizer.param_groups[0]["weight_decay"] = 0.1 * step


def rates(make: Callable, steps: int = 8, given: dict | None = None, lr: float = 0.5) -> list[list[float]]:
    """The rates of two groups from the making of a schedule on."""
    optimizer = optim.SGD(groups(lr=0.2), lr)
    schedule = make(optimizer)
    shown = []
    for step in range(steps):
        shown.append([float(rate) for rate in schedule.get_last_lr()])
        if given and step in given:
            schedule.step(given[step])
        else:
            schedule.step()
    return shown


def plateau(metrics: list[float], **options: object) -> list[float]:
    optimizer = optim.SGD(parameters(), 0.5)
    schedule = lr_scheduler.ReduceLROnPlateau(optimizer, **options)
    shown = []
    for metric in metrics:
        schedule.step(Tensor(metric, ms.float32))
        shown.append(float(schedule.get_last_lr()[0]))
    return shown


def trained() -> np.ndarray:
    """A step as scripts write it: value_and_grad, the optimizer, the schedule."""
    net = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
    optimizer = optim.AdamW(net.trainable_params(), lr=0.1)
    schedule = lr_scheduler.StepLR(optimizer, 1, 0.5)
    data = Tensor([[1.0, 2.0, 3.0], [-1.0, 0.5, 0.0]])
    step = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), None, optimizer.parameters)
    for _ in range(3):
        _, gradients = step(data)
        optimizer(gradients)
        schedule.step()
    return net.weight.asnumpy()


class Mine(optim.Optimizer):
    """An optimizer that a script writes for itself."""

    def __init__(self, params: list, lr: float, factor: float) -> None:
        super().__init__(params, {"lr": lr, "factor": factor})

    def construct(self, gradients: tuple) -> bool:
        for index, group in enumerate(self.param_groups):
            start = self.group_start_id[index]
            for i, parameter in enumerate(group["params"]):
                ms.ops.assign(parameter, parameter - gradients[start + i] * group["lr"] * group["factor"])
        return True


def extended() -> tuple:
    optimizer = Mine(parameters(), 0.5, 2.0)
    optimizer.add_param_group({"params": parameters(("other",)), "lr": 0.25})
    optimizer(tuple(Tensor(GRADIENTS[i]) for i in range(2)))
    return [p.asnumpy() for p in optimizer.parameters], optimizer.group_start_id


class Halving(lr_scheduler.LRScheduler):
    """A schedule that a script writes for itself."""

    def get_lr(self) -> list:
        return [rate * 0.5 for rate in self._last_lr]


KINDS = ["Adam", "AdamW", "SGD", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "Rprop", "ASGD"]

CASES = [
    *(
        Case(line)
        for line in (
            *(f"moved(optim.{kind}(parameters(), lr=0.1))" for kind in KINDS),
            *(f"moved(optim.{kind}(groups(lr=0.5), lr=0.1), 4)" for kind in KINDS),
            *(f"moved(optim.{kind}(parameters(), lr=0.1, weight_decay=0.1))" for kind in KINDS if kind != "Rprop"),
            *(f"held(optim.{kind}(parameters(NAMES), lr=0.1))" for kind in KINDS),
            "moved(optim.Adam(parameters(), lr=Tensor(0.1), betas=(0.5, 0.8), eps=0.1))",
            "moved(optim.Adam(parameters(), amsgrad=True, maximize=True), 4)",
            "moved(optim.AdamW(parameters(), lr=0.1, betas=(0.5, 0.8), eps=0.1, amsgrad=True), 4)",
            "moved(optim.AdamW(parameters(), lr=0.1, maximize=True))",
            "moved(optim.SGD(parameters(), 0.1, momentum=0.9))",
            "moved(optim.SGD(parameters(), 0.1, momentum=0.9, dampening=0.5, weight_decay=0.1))",
            "moved(optim.SGD(parameters(), 0.1, momentum=0.9, nesterov=True, maximize=True))",
            "moved(optim.RMSprop(parameters(), centered=True, momentum=0.5, eps=0.01), 4)",
            "moved(optim.RMSprop(parameters(), alpha=0.5, maximize=True))",
            "moved(optim.Adagrad(parameters(), 0.1, lr_decay=0.5, initial_accumulator_value=0.3, eps=0.1))",
            "moved(optim.Adadelta(parameters(), rho=0.5, eps=0.01, maximize=True))",
            "moved(optim.Adamax(parameters(), betas=(0.5, 0.8), eps=0.1, maximize=True))",
            "moved(optim.NAdam(parameters(), betas=(0.5, 0.8), momentum_decay=0.5), 4)",
            "moved(optim.RAdam(parameters(), lr=0.1, betas=(0.9, 0.99)), 12)",
            "moved(optim.Rprop(parameters(), etas=(0.4, 1.5), step_sizes=(0.01, 0.02), maximize=True), 4)",
            "moved(optim.ASGD(parameters(), lr=0.1, lambd=0.2, t0=1.0, weight_decay=0.1), 4)",
            "moved(optim.SGD(groups(momentum=0.5, weight_decay=0.2), 0.1))",
            "moved(optim.AdamW(groups(betas=(0.1, 0.2), maximize=True), 0.1))",
            "moved(optim.SGD(parameters(), 0.1), prepare=halve)",
            "moved(optim.AdamW(parameters(), 0.1), prepare=assign)",
            "moved(optim.Adam(parameters(), 0.1), prepare=heavier)",
            "optim.SGD(parameters(), 0.1)((Tensor(GRADIENTS[0]),))",
            "repr(optim.SGD(groups(lr=0.5), 0.1))",
            "trained()",
            "extended()",
            "rates(lambda o: lr_scheduler.StepLR(o, 3))",
            "rates(lambda o: lr_scheduler.StepLR(o, 2, 0.5), given={3: 7})",
            "rates(lambda o: lr_scheduler.MultiStepLR(o, [2, 2, 5], 0.5))",
            "rates(lambda o: lr_scheduler.ConstantLR(o, 0.25, 3))",
            "rates(lambda o: lr_scheduler.ConstantLR(o), given={2: 6})",
            "rates(lambda o: lr_scheduler.LinearLR(o, 0.5, 0.75, 4))",
            "rates(lambda o: lr_scheduler.LinearLR(o), given={2: 4})",
            "rates(lambda o: lr_scheduler.ExponentialLR(o, 0.9), given={5: 2})",
            "rates(lambda o: lr_scheduler.PolynomialLR(o, 6, 2.0))",
            "rates(lambda o: lr_scheduler.PolynomialLR(o), given={1: 3})",
            "rates(lambda o: lr_scheduler.LambdaLR(o, lambda epoch: 0.9**epoch))",
            "rates(lambda o: lr_scheduler.LambdaLR(o, [lambda epoch: 0.9**epoch, lambda epoch: epoch + 1]))",
            "rates(lambda o: lr_scheduler.MultiplicativeLR(o, lambda epoch: 0.9))",
            "rates(lambda o: lr_scheduler.CosineAnnealingLR(o, 3, 0.1), 10)",
            "rates(lambda o: lr_scheduler.CosineAnnealingLR(o, 5), given={3: 9})",
            "rates(lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 2, 2, 0.1), 10)",
            "rates(lambda o: lr_scheduler.CyclicLR(o, 0.1, 0.4, 2, 3), 12)",
            "rates(lambda o: lr_scheduler.CyclicLR(o, [0.1, 0.2], [0.4, 0.3], 2, mode='triangular2'), 12)",
            "rates(lambda o: lr_scheduler.CyclicLR(o, 0.1, 0.4, 2, mode='exp_range', gamma=0.9))",
            "rates(lambda o: lr_scheduler.SequentialLR(o, [lr_scheduler.ConstantLR(o, 0.1, 2), "
            "lr_scheduler.ExponentialLR(o, 0.9)], [3]))",
            "rates(Halving)",
            "plateau([1.0, 0.9, 0.95, 0.93, 0.92, 0.91, 0.5, 0.6, 0.7, 0.8], patience=1)",
            "plateau([1.0, 0.9, 0.95, 0.93, 1.1, 0.91, 0.5], mode='max', factor=0.5, patience=0, cooldown=1)",
            "plateau([1.0, 0.99, 0.98, 0.97, 0.9], patience=0, threshold=0.05, threshold_mode='abs', min_lr=0.02)",
            "lr_scheduler.StepLR(optim.SGD(parameters(), 0.1), 2).last_epoch",
            "optim.SGD(groups(initial_lr=0.3), 0.1).param_groups[1]['initial_lr']",
        )
    ),
    Case("optim.Adam(parameters(), lr=-1.0)", raises=ValueError, says="learning rate"),
    Case("optim.AdamW(parameters(), betas=(0.9, 1.0))", raises=ValueError, says="beta parameter at index 1"),
    Case("optim.AdamW(groups(lr=-1.0))", raises=ValueError, says="must >= 0"),
    Case("optim.SGD(parameters(), 'a')", raises=TypeError, says="'lr'"),
    Case("optim.SGD(parameters(), 0.1, nesterov=True)", raises=ValueError, says="'nesterov' is true"),
    Case("optim.SGD([], 0.1)", raises=ValueError, says="must not be empty"),
    Case("optim.SGD(3, 0.1)", raises=TypeError, says="Iterable"),
    Case("optim.SGD(None, 0.1)", raises=ValueError, says="can not be None"),
    Case("optim.SGD([1.0], 0.1)", raises=TypeError),
    Case("optim.SGD(parameters(), Tensor([0.1, 0.2]))", raises=ValueError),
    Case("optim.RMSprop(parameters(), lr=0)", raises=ValueError, says="the lr must be greater than 0"),
    Case("optim.Rprop(parameters(), etas=(1.5, 2.0))", raises=ValueError, says="etas[0]"),
    Case("optim.ASGD(parameters(), t0=1)", raises=TypeError, says="t0"),
    Case("lr_scheduler.StepLR(3, 2)", raises=TypeError, says="is not an Optimizer"),
    Case("lr_scheduler.StepLR(optim.SGD(parameters(), 0.1), 2, last_epoch=3)", raises=KeyError, says="initial_lr"),
    Case("lr_scheduler.StepLR(optim.SGD(parameters(), 0.1), 2.5)", raises=TypeError, says="step_size"),
    Case("lr_scheduler.LambdaLR(optim.SGD(parameters(), 0.1), [len, len])", raises=ValueError, says="lr_lambdas"),
    Case("lr_scheduler.ReduceLROnPlateau(optim.SGD(parameters(), 0.1), 'up')", raises=ValueError, says="mode"),
]
