"""Learning rates as Cells, called with the step."""

from collections.abc import Callable

import torch

from msbridge.core.checks.arguments import boolean, non_negative_float, positive_float, positive_int
from msbridge.core.context.context import torch_device
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.nn.schedules import curves

__all__ = [
    "CosineDecayLR",
    "ExponentialDecayLR",
    "InverseDecayLR",
    "LearningRateSchedule",
    "NaturalExpDecayLR",
    "PolynomialDecayLR",
    "WarmUpLR",
]


class LearningRateSchedule(Cell):
    """Base of the schedules; a subclass defines `construct(global_step)`, which returns the rate.

    Follows: mindspore.nn.learning_rate_schedule.LearningRateSchedule (2.10).
    """

    def construct(self, global_step: Tensor) -> Tensor:
        """Return the learning rate of a step; every subclass defines it."""
        raise NotImplementedError(f"{type(self).__name__} must define construct(self, global_step).")


class _Curve(LearningRateSchedule):
    """A schedule that evaluates a curve; a subclass defines `_curve`, on a float torch tensor."""

    def construct(self, global_step: Tensor | float) -> Tensor:
        """Return the learning rate of a step, a Tensor or a number."""
        data = (
            global_step._data if isinstance(global_step, Tensor) else torch.tensor(global_step, device=torch_device())
        )
        return wrap(self._curve(data.float()))

    def _curve(self, step: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError


class CosineDecayLR(_Curve):
    """From `max_lr` to `min_lr` along half a cosine.

    Args:
        min_lr: the last rate, at least 0.
        max_lr: the first rate, over `min_lr`.
        decay_steps: as in every schedule.

    Inputs, Outputs: as in every schedule.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range.

    Follows: mindspore.nn.CosineDecayLR (2.10).
    """

    def __init__(self, min_lr: float, max_lr: float, decay_steps: int) -> None:
        super().__init__()
        self.min_lr = non_negative_float(min_lr, "min_lr", "CosineDecayLR")
        self.max_lr = positive_float(max_lr, "max_lr", "CosineDecayLR")
        self.decay_steps = positive_int(decay_steps, "decay_steps", "CosineDecayLR")
        curves.check_order(min_lr, max_lr, "CosineDecayLR")

    def _curve(self, step: torch.Tensor) -> torch.Tensor:
        return curves.cosine(step, self.decay_steps, self.min_lr, self.max_lr)


class _Decay(_Curve):
    """The schedules that decay by a rate, optionally in stairs."""

    _formula: Callable[..., torch.Tensor]

    def __init__(self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool = False) -> None:
        super().__init__()
        owner = type(self).__name__
        self.decay_steps = positive_int(decay_steps, "decay_steps", owner)
        self.learning_rate = positive_float(learning_rate, "learning_rate", owner)
        self.decay_rate = positive_float(decay_rate, "decay_rate", owner)
        self.is_stair = boolean(is_stair, "is_stair", owner)

    def _curve(self, step: torch.Tensor) -> torch.Tensor:
        return self._formula(step, self.decay_steps, self.learning_rate, self.decay_rate, self.is_stair)


class ExponentialDecayLR(_Decay):
    """learning_rate·decay_rate^(step / decay_steps).

    Args:
        learning_rate, decay_rate: as in every schedule.
        decay_steps: after how many steps the rate has fallen by `decay_rate` once, > 0.
        is_stair: as in every schedule.

    Inputs, Outputs: as in every schedule.

    Follows: mindspore.nn.ExponentialDecayLR (2.10).
    """

    _formula = staticmethod(curves.exponential)


class NaturalExpDecayLR(_Decay):
    """learning_rate·exp(-decay_rate·step).

    Args:
        learning_rate, decay_rate: as in every schedule.
        decay_steps: the length of a stair.
        is_stair: as in every schedule.

    Inputs, Outputs: as in every schedule.

    Follows: mindspore.nn.NaturalExpDecayLR (2.10).
    """

    _formula = staticmethod(curves.natural)


class InverseDecayLR(_Decay):
    """learning_rate / (1 + decay_rate·step / decay_steps).

    Args:
        learning_rate, decay_rate: as in every schedule.
        decay_steps: the unit of the steps, > 0.
        is_stair: as in every schedule.

    Inputs, Outputs: as in every schedule.

    Follows: mindspore.nn.InverseDecayLR (2.10).
    """

    _formula = staticmethod(curves.inverse)


class PolynomialDecayLR(_Curve):
    """From `learning_rate` to `end_learning_rate` along a polynomial.

    Args:
        learning_rate: as in every schedule.
        end_learning_rate: the last rate, at least 0.
        decay_steps: as in every schedule.
        power: the exponent of what is left of the way, > 0.
        update_decay_steps: whether the curve grows longer, to the next multiple of `decay_steps`, instead of ending.

    Inputs, Outputs: as in every schedule.

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
        self.learning_rate = positive_float(learning_rate, "learning_rate", "PolynomialDecayLR")
        self.end_learning_rate = non_negative_float(end_learning_rate, "end_learning_rate", "PolynomialDecayLR")
        self.decay_steps = positive_int(decay_steps, "decay_steps", "PolynomialDecayLR")
        self.power = positive_float(power, "power", "PolynomialDecayLR")
        self.update_decay_steps = boolean(update_decay_steps, "update_decay_steps", "PolynomialDecayLR")

    def _curve(self, step: torch.Tensor) -> torch.Tensor:
        end, is_renewed = self.end_learning_rate, self.update_decay_steps
        return curves.polynomial(step, self.decay_steps, self.learning_rate, end, self.power, is_renewed)


class WarmUpLR(_Curve):
    """From 0 to `learning_rate` in a straight line.

    Args:
        learning_rate: the last rate, at least 0.
        warmup_steps: how many steps it takes, > 0.

    Inputs, Outputs: as in every schedule.

    Follows: mindspore.nn.WarmUpLR (2.10).
    """

    def __init__(self, learning_rate: float, warmup_steps: int) -> None:
        super().__init__()
        self.learning_rate = non_negative_float(learning_rate, "learning_rate", "WarmUpLR")
        self.warmup_steps = positive_int(warmup_steps, "warmup_steps", "WarmUpLR")

    def _curve(self, step: torch.Tensor) -> torch.Tensor:
        return curves.warmup(step, self.warmup_steps, self.learning_rate)
