"""Learning rates as Cells, called with the step.

Follows: mindspore.nn.learning_rate_schedule (2.10).
"""

import torch

from msbridge.core.arguments import positive_int
from msbridge.core.tensor import Tensor, wrap
from msbridge.nn.cell import Cell
from msbridge.nn.schedules import curves


class LearningRateSchedule(Cell):
    """Base of the schedules; a subclass defines `construct(global_step)`, which gives the rate.

    Follows: mindspore.nn.learning_rate_schedule.LearningRateSchedule (2.10).
    """

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the learning rate of a step; every subclass defines it."""
        raise NotImplementedError(f"{type(self).__name__} must define construct(self, global_step).")


class CosineDecayLR(LearningRateSchedule):
    """From `max_lr` to `min_lr` along half a cosine.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range.

    Follows: mindspore.nn.CosineDecayLR (2.10).
    """

    def __init__(self, min_lr: float, max_lr: float, decay_steps: int) -> None:
        super().__init__()
        self.min_lr = curves.check_rate("CosineDecayLR", "min_lr", min_lr, zero=True)
        self.max_lr = curves.check_rate("CosineDecayLR", "max_lr", max_lr)
        self.decay_steps = positive_int(decay_steps, "decay_steps", "CosineDecayLR")
        curves.check_order("CosineDecayLR", min_lr, max_lr)

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the learning rate of a step."""
        return wrap(curves.cosine(_float(global_step), self.decay_steps, self.min_lr, self.max_lr))


class _Decay(LearningRateSchedule):
    """The schedules that decay by a rate, optionally in stairs."""

    def __init__(self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool = False) -> None:
        super().__init__()
        owner = type(self).__name__
        self.learning_rate = curves.check_rate(owner, "learning_rate", learning_rate)
        self.decay_rate = curves.check_rate(owner, "decay_rate", decay_rate)
        self.decay_steps = positive_int(decay_steps, "decay_steps", owner)
        if not isinstance(is_stair, bool):
            raise TypeError(f"For '{owner}', the 'is_stair' must be bool, but got '{type(is_stair).__name__}'")
        self.is_stair = is_stair

    def _curve(self, step: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the learning rate of a step."""
        return wrap(self._curve(_float(global_step)))


class ExponentialDecayLR(_Decay):
    """learning_rate·decay_rate^(step / decay_steps).

    Follows: mindspore.nn.ExponentialDecayLR (2.10).
    """

    def _curve(self, step: torch.Tensor) -> torch.Tensor:
        return curves.exponential(step, self.decay_steps, self.learning_rate, self.decay_rate, self.is_stair)


class NaturalExpDecayLR(_Decay):
    """learning_rate·exp(-decay_rate·step).

    Follows: mindspore.nn.NaturalExpDecayLR (2.10).
    """

    def _curve(self, step: torch.Tensor) -> torch.Tensor:
        return curves.natural(step, self.decay_steps, self.learning_rate, self.decay_rate, self.is_stair)


class InverseDecayLR(_Decay):
    """learning_rate / (1 + decay_rate·step / decay_steps).

    Follows: mindspore.nn.InverseDecayLR (2.10).
    """

    def _curve(self, step: torch.Tensor) -> torch.Tensor:
        return curves.inverse(step, self.decay_steps, self.learning_rate, self.decay_rate, self.is_stair)


class PolynomialDecayLR(LearningRateSchedule):
    """From `learning_rate` to `end_learning_rate` along a polynomial.

    Follows: mindspore.nn.PolynomialDecayLR (2.10).
    """

    def __init__(
        self,
        learning_rate: float,
        end_learning_rate: float,
        decay_steps: int,
        power: float,
        update_decay_steps: bool = False,
    ) -> None:
        super().__init__()
        self.learning_rate = curves.check_rate("PolynomialDecayLR", "learning_rate", learning_rate)
        self.end_learning_rate = curves.check_rate(
            "PolynomialDecayLR", "end_learning_rate", end_learning_rate, zero=True
        )
        self.decay_steps = positive_int(decay_steps, "decay_steps", "PolynomialDecayLR")
        self.power = curves.check_rate("PolynomialDecayLR", "power", power)
        self.update_decay_steps = update_decay_steps

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the learning rate of a step."""
        step = _float(global_step)
        return wrap(
            curves.polynomial(
                step, self.decay_steps, self.learning_rate, self.end_learning_rate, self.power, self.update_decay_steps
            )
        )


class WarmUpLR(LearningRateSchedule):
    """From 0 to `learning_rate` in a straight line.

    Follows: mindspore.nn.WarmUpLR (2.10).
    """

    def __init__(self, learning_rate: float, warmup_steps: int) -> None:
        super().__init__()
        self.learning_rate = curves.check_rate("WarmUpLR", "learning_rate", learning_rate, zero=True)
        self.warmup_steps = positive_int(warmup_steps, "warmup_steps", "WarmUpLR")

    def construct(self, global_step: Tensor) -> Tensor:
        """Give the learning rate of a step."""
        return wrap(curves.warmup(_float(global_step), self.warmup_steps, self.learning_rate))


def _float(global_step: Tensor) -> torch.Tensor:
    return global_step._data.float()


__all__ = [
    "CosineDecayLR",
    "ExponentialDecayLR",
    "InverseDecayLR",
    "LearningRateSchedule",
    "NaturalExpDecayLR",
    "PolynomialDecayLR",
    "WarmUpLR",
]
