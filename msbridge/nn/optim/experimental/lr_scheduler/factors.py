"""Schedules that multiply the rates by a factor of the epoch: by a recursion, and in closed form for `step(epoch)`."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from msbridge.core.checks.arguments import at_least, floating, in_range, instance
from msbridge.nn.optim.experimental.lr_scheduler.base import LRScheduler, per_group
from msbridge.nn.optim.experimental.optimizer import Optimizer

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "ExponentialLR",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "PolynomialLR",
    "StepLR",
]

Factor = Callable[[Any], Any]


class StepLR(LRScheduler):
    """Multiply by `gamma` every `step_size` epochs.

    Args:
        optimizer: as in every scheduler.
        step_size: how many epochs are between two falls, > 0.
        gamma: the factor.
        last_epoch: as in every scheduler.

    Follows: mindspore.experimental.optim.lr_scheduler.StepLR (2.10).
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        instance(step_size, "step_size", type(self).__name__, (int, bool))
        floating(gamma, "gamma", type(self).__name__)
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        epoch = self._epoch()
        return self._now(1.0 if epoch == 0 or epoch % self.step_size else self.gamma)

    def _get_closed_form_lr(self) -> list[float]:
        return self._from_base(self.gamma ** (self._epoch() // self.step_size))


class MultiStepLR(LRScheduler):
    """Multiply by `gamma` at each of the milestones.

    Args:
        optimizer: as in every scheduler.
        milestones: growing numbers of epochs.
        gamma: the factor.
        last_epoch: as in every scheduler.

    Follows: mindspore.experimental.optim.lr_scheduler.MultiStepLR (2.10), whose `step(epoch)` fails.
    """

    def __init__(self, optimizer: Optimizer, milestones: list[int], gamma: float = 0.1, last_epoch: int = -1) -> None:
        for milestone in instance(milestones, "milestones", "MultiStepLR", list):
            instance(milestone, "each of milestones", type(self).__name__, (int, bool))
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return self._now(self.gamma ** self.milestones.get(int(self._epoch()), 0))

    def _get_closed_form_lr(self) -> list[float]:
        passed = sum(count for milestone, count in self.milestones.items() if milestone <= self._epoch())
        return self._from_base(self.gamma**passed)


class ConstantLR(LRScheduler):
    """Multiply by `factor` until epoch `total_iters`.

    Args:
        optimizer: as in every scheduler.
        factor: in [0, 1].
        total_iters: until which epoch.
        last_epoch: as in every scheduler.

    Follows: mindspore.experimental.optim.lr_scheduler.ConstantLR (2.10).
    """

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        in_range(factor, "factor", "ConstantLR", 0, 1, "[]")
        instance(total_iters, "total_iters", type(self).__name__, (int, bool))
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        epoch = self._epoch()
        if epoch == 0:
            return self._now(self.factor)
        return self._now(1.0 if epoch != self.total_iters else 1.0 / self.factor)

    def _get_closed_form_lr(self) -> list[float]:
        return self._from_base(1.0 if self._epoch() >= self.total_iters else self.factor)


class LinearLR(LRScheduler):
    """Go from `start_factor` to `end_factor` of the rate in `total_iters` epochs, in a line.

    Args:
        optimizer: as in every scheduler.
        start_factor: the first factor, in (0, 1].
        end_factor: the last factor, in [0, 1].
        total_iters: how many epochs it takes.
        last_epoch: as in every scheduler.

    Follows: mindspore.experimental.optim.lr_scheduler.LinearLR (2.10).
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        in_range(start_factor, "start_factor", "LinearLR", 0, 1, "(]")
        in_range(end_factor, "end_factor", "LinearLR", 0, 1, "[]")
        instance(total_iters, "total_iters", type(self).__name__, (int, bool))
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        epoch = self._epoch()
        if epoch == 0:
            return self._now(self.start_factor)
        if epoch > self.total_iters:
            return self._now()
        rise = self.end_factor - self.start_factor
        return self._now(1.0 + rise / (self.total_iters * self.start_factor + (epoch - 1) * rise))

    def _get_closed_form_lr(self) -> list[float]:
        share = min(self.total_iters, self._epoch()) / self.total_iters
        return self._from_base(self.start_factor + (self.end_factor - self.start_factor) * share)


class ExponentialLR(LRScheduler):
    """Multiply by `gamma` every epoch.

    Args:
        optimizer: as in every scheduler.
        gamma: the factor.
        last_epoch: as in every scheduler.

    Follows: mindspore.experimental.optim.lr_scheduler.ExponentialLR (2.10).
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        floating(gamma, "gamma", type(self).__name__)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return self._now(1.0 if self._epoch() == 0 else self.gamma)

    def _get_closed_form_lr(self) -> list[float]:
        return self._from_base(self.gamma ** self._epoch())


class PolynomialLR(LRScheduler):
    """Fall to zero in `total_iters` epochs, as a power of what is left of them.

    Args:
        optimizer: as in every scheduler.
        total_iters: how many epochs it takes.
        power: the exponent.
        last_epoch: as in every scheduler.

    Follows: mindspore.experimental.optim.lr_scheduler.PolynomialLR (2.10).
    """

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        floating(power, "power", type(self).__name__)
        at_least(power, "power", "PolynomialLR")
        instance(total_iters, "total_iters", type(self).__name__, (int, bool))
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        epoch = self._epoch()
        if epoch == 0 or epoch > self.total_iters:
            return self._now()
        left, before = 1.0 - epoch / self.total_iters, 1.0 - (epoch - 1) / self.total_iters
        return self._now((left / before) ** self.power)

    def _get_closed_form_lr(self) -> list[float]:
        return self._from_base((1.0 - min(self.total_iters, self._epoch()) / self.total_iters) ** self.power)


class LambdaLR(LRScheduler):
    """Multiply the first rate by a function of the epoch, a 0-d Tensor; one function, or one per group.

    Args:
        optimizer: as in every scheduler.
        lr_lambda: a function, or a list of one per group; it takes the epoch and returns a factor.
        last_epoch: as in every scheduler.

    Follows: mindspore.experimental.optim.lr_scheduler.LambdaLR (2.10).
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Factor | Sequence[Factor], last_epoch: int = -1) -> None:
        self.lr_lambdas = per_group(optimizer, lr_lambda, "lr_lambdas")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        factors = [float(factor(self.last_epoch)) for factor in self.lr_lambdas]
        return [float(base) * factor for base, factor in zip(self.base_lrs, factors, strict=True)]


class MultiplicativeLR(LRScheduler):
    """Multiply the last rate by a function of the epoch, a 0-d Tensor; one function, or one per group.

    Args:
        optimizer: as in every scheduler.
        lr_lambda: a function, or a list of one per group; it takes the epoch and returns a factor.
        last_epoch: as in every scheduler.

    Follows: mindspore.experimental.optim.lr_scheduler.MultiplicativeLR (2.10).
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Factor | Sequence[Factor], last_epoch: int = -1) -> None:
        self.lr_lambdas = per_group(optimizer, lr_lambda, "lr_lambdas")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self._epoch() <= 0:
            return self._now()
        factors = [float(factor(self.last_epoch)) for factor in self.lr_lambdas]
        return [rate * factor for rate, factor in zip(self._now(), factors, strict=True)]


class CosineAnnealingLR(LRScheduler):
    """Go from the rate to `eta_min` in `T_max` epochs along a cosine, and back.

    Args:
        optimizer: as in every scheduler.
        T_max: how many epochs half a wave takes.
        eta_min: the smallest rate.
        last_epoch: as in every scheduler.

    Follows: mindspore.experimental.optim.lr_scheduler.CosineAnnealingLR (2.10).
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        instance(eta_min, "eta_min", "CosineAnnealingLR", (float, int, bool))
        instance(T_max, "T_max", type(self).__name__, (int, bool))
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        epoch = self._epoch()
        if epoch == 0:
            return self._now()
        if (epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            pairs = zip(self._now(), self.base_lrs, strict=True)
            return [rate + (float(base) - self.eta_min) * rise for rate, base in pairs]
        ratio = self._height(epoch) / self._height(epoch - 1)
        return [ratio * (rate - self.eta_min) + self.eta_min for rate in self._now()]

    def _height(self, epoch: float) -> float:
        return 1 + math.cos(math.pi * epoch / self.T_max)

    def _get_closed_form_lr(self) -> list[float]:
        height = self._height(self._epoch()) / 2
        return [self.eta_min + (float(base) - self.eta_min) * height for base in self.base_lrs]
