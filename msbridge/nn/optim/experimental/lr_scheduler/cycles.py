"""Schedules with a state of their own: cycles, warm restarts, a sequence of schedules, and waiting for a plateau."""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import LAYERS, at_least, instance, one_of
from msbridge.core.parameter.step_scalars import scalar_parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.nn.optim.experimental.lr_scheduler.base import LRScheduler, Schedule, per_group, rate_tensor
from msbridge.nn.optim.experimental.optimizer import Optimizer

__all__ = ["CosineAnnealingWarmRestarts", "CyclicLR", "ReduceLROnPlateau", "SequentialLR"]


class CyclicLR(LRScheduler):
    """Rise from `base_lr` to `max_lr` in `step_size_up` epochs, fall in `step_size_down`, and again.

    Args:
        optimizer: whose rates change.
        base_lr: the low rate, or one per group; set at once.
        max_lr: the high rate, or one per group.
        step_size_up: epochs of the rise.
        step_size_down: epochs of the fall; None for as many as the rise.
        mode: how the height changes: "triangular" not at all, "triangular2" halved each cycle, "exp_range" by
            gamma ** epoch.
        gamma: for "exp_range".
        scale_fn: a function that returns the height instead; called with the cycle, from 1, or with the epoch.
        scale_mode: "cycle" or "iterations": what `scale_fn` is called with.
        last_epoch: the epoch that has been done.

    Raises:
        ValueError: an unknown mode without `scale_fn`, or a list of another length than there are groups.

    Follows: mindspore.experimental.optim.lr_scheduler.CyclicLR (2.10).
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | Sequence[float],
        max_lr: float | Sequence[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[Any], Any] | None = None,
        scale_mode: str = "cycle",
        last_epoch: int = -1,
    ) -> None:
        heights: dict[str, Callable[[float], float]] = {
            "triangular": lambda cycle: 1.0,
            "triangular2": lambda cycle: 0.5 ** (cycle - 1),
            "exp_range": lambda epoch: gamma**epoch,
        }
        if scale_fn is None:
            one_of(mode, "mode", "CyclicLR", heights)
        lows = [float(rate) for rate in per_group(optimizer, base_lr, "values for base_lr")]
        if last_epoch == -1:
            for held, low in zip(optimizer.lrs, lows, strict=True):
                held._data.fill_(low)
        self.max_lrs = [rate_tensor(rate) for rate in per_group(optimizer, max_lr, "values for max_lr")]
        self.total_step_size = float(step_size_up + (step_size_up if step_size_down is None else step_size_down))
        self.step_up_ratio = step_size_up / self.total_step_size
        self.mode = mode
        self.gamma = gamma
        self.scale_fn = scale_fn or heights[mode]
        self.scale_mode = scale_mode if scale_fn else "iterations" if mode == "exp_range" else "cycle"
        self._lows = lows
        super().__init__(optimizer, last_epoch)
        self.base_lrs = [rate_tensor(low) for low in lows]

    def get_lr(self) -> list[float]:
        epoch = self._epoch()
        cycle = math.floor(1 + epoch / self.total_step_size)
        position = 1.0 + epoch / self.total_step_size - cycle
        rising = position <= self.step_up_ratio
        height = position / self.step_up_ratio if rising else (position - 1) / (self.step_up_ratio - 1)
        height *= float(self.scale_fn(cycle if self.scale_mode == "cycle" else epoch))
        return [low + (float(high) - low) * height for low, high in zip(self._lows, self.max_lrs, strict=True)]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Fall to `eta_min` along a cosine in T_0 epochs, start again, each time `T_mult` times as long.

    Args:
        optimizer: whose rates change.
        T_0: epochs until the first restart.
        T_mult: an int of at least 1.
        eta_min: the lowest rate.
        last_epoch: the epoch that has been done.

    Raises:
        ValueError: T_0 or T_mult is not a positive int.

    Follows: mindspore.experimental.optim.lr_scheduler.CosineAnnealingWarmRestarts (2.10).
    """

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0, last_epoch: int = -1
    ) -> None:
        for name, value in (("T_0", T_0), ("T_mult", T_mult)):
            if not isinstance(value, int) or value < 1:
                raise ValueError(
                    f"For 'CosineAnnealingWarmRestarts', {name} should be an integer and at least 1, but got {value}."
                )
        self.T_0 = T_0
        self.T_mult = T_mult
        self.T_i = float(T_0)
        self.T_cur = float(last_epoch)
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        height = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (float(base) - self.eta_min) * height for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:  # type: ignore[override]  # only here 2.10 says nothing
        """Go to the next epoch, or to `epoch`, which may lie between two.

        Raises:
            ValueError: `epoch` is negative.
        """
        if epoch is None and self._epoch() >= 0:
            epoch = self._epoch() + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            epoch = 0.0 if epoch is None else float(epoch)
            at_least(epoch, "epoch", "CosineAnnealingWarmRestarts")
            self.T_cur, self.T_i = self._cycle(epoch)
        self.last_epoch._data.fill_(math.floor(epoch))
        self._set(self.get_lr())

    def _cycle(self, epoch: float) -> tuple[float, float]:
        """Return the position of `epoch` in its cycle, and the length of that."""
        if epoch < self.T_0:
            return epoch, float(self.T_0)
        if self.T_mult == 1:
            return epoch % self.T_0, self.T_i
        cycles = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
        before = self.T_0 * (self.T_mult**cycles - 1) / (self.T_mult - 1)
        return epoch - before, float(self.T_0 * self.T_mult**cycles)


class SequentialLR(Schedule):
    """Use one schedule after the other, from the epochs that the milestones name.

    Args:
        optimizer: whose rates change.
        schedulers: schedules of that optimizer.
        milestones: the epochs at which the second, third … begins.
        last_epoch: the epoch that has been done.

    Raises:
        ValueError: a schedule belongs to another optimizer, or there is not one milestone less than schedules.

    Follows: mindspore.experimental.optim.lr_scheduler.SequentialLR (2.10).
    """

    def __init__(
        self, optimizer: Optimizer, schedulers: Sequence[LRScheduler], milestones: Sequence[int], last_epoch: int = -1
    ) -> None:
        for index, scheduler in enumerate(schedulers):
            if scheduler.optimizer is not optimizer:
                raise ValueError(
                    "For 'SequentialLR', all schedulers must belong to the optimizer passed in, "
                    f"but the one at index {index} does not."
                )
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "For 'SequentialLR', the number of schedulers must be one more than the number of milestones, "
                f"but got {len(schedulers)} schedulers and {len(milestones)} milestones."
            )
        self._hold(optimizer, last_epoch + 1)
        self.milestones = milestones
        self._schedulers = schedulers
        self._set(group["initial_lr"] for group in optimizer.param_groups)
        for scheduler in schedulers:
            scheduler.last_epoch._data.sub_(1)
        schedulers[0].step()

    def step(self) -> None:
        """Go to the next epoch."""
        self.last_epoch._data.add_(1)
        epoch = int(self._epoch())
        index = bisect_right(self.milestones, epoch)
        if index > 0 and self.milestones[index - 1] == epoch:
            self._schedulers[index].step(0)
        else:
            self._schedulers[index].step()


class ReduceLROnPlateau(Schedule):
    """Multiply the rates by `factor` when a metric has not improved for more than `patience` steps.

    Args:
        optimizer: whose rates change.
        mode: "min" or "max": which way is better.
        factor: below 1.
        patience: steps without improvement that are let pass.
        threshold: how much better counts.
        threshold_mode: "rel", a share of the best value, or "abs".
        cooldown: steps after a reduction in which none are counted.
        min_lr: the lowest rate, or one per group.
        eps: reductions by less are left out.

    Raises:
        TypeError: `optimizer` is none of `mindspore.experimental.optim`.
        ValueError: an unknown mode, a factor of 1 or more, or a list of another length than there are groups.

    Follows: mindspore.experimental.optim.lr_scheduler.ReduceLROnPlateau (2.10).
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | Sequence[float] = 0,
        eps: float = 1e-8,
    ) -> None:
        LAYERS.compare(factor, "factor", "ReduceLROnPlateau", "<", 1.0)
        instance(optimizer, "optimizer", "ReduceLROnPlateau", Optimizer)
        one_of(mode, "mode", "ReduceLROnPlateau", ("min", "max"))
        one_of(threshold_mode, "threshold_mode", "ReduceLROnPlateau", ("rel", "abs"))
        self._hold(optimizer, 0, np.int32)
        self.mode = mode
        self.factor = factor
        self.patience = patience
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.cooldown = cooldown
        self.eps = eps
        self.min_lrs = [rate_tensor(rate) for rate in per_group(optimizer, min_lr, "min_lrs")]
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.best = scalar_parameter(np.float32(self.mode_worse), "best", is_constant=True)
        self.cooldown_counter = 0
        self.wait = 0

    def step(self, metrics: Tensor | float) -> bool:
        """Take the metric of one more step; reading it waits for the device."""
        current = float(metrics)
        self.last_epoch._data.add_(1)
        if self._is_improvement(current, float(self.best)):
            self.best._data.fill_(current)
            self.wait = 0
        else:
            self.wait += 1
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if self.wait > self.patience:
            self._reduce()
            self.cooldown_counter = self.cooldown
            self.wait = 0
        return True

    def in_cooldown(self) -> bool:
        """Whether steps are not counted now."""
        return self.cooldown_counter > 0

    def _reduce(self) -> None:
        for held, lowest in zip(self._last_lr, self.min_lrs, strict=True):
            before = float(held)
            after = max(before * self.factor, float(lowest))
            if before > after + self.eps:
                held._data.fill_(after)

    def _is_improvement(self, current: float, best: float) -> bool:
        sign = -1.0 if self.mode == "min" else 1.0
        margin = sign * self.threshold
        return sign * current > sign * (best + margin if self.threshold_mode == "abs" else best * (1.0 + margin))
