"""Learning rates of `mindspore.nn`'s optimizers: a Parameter, or a schedule."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch

from msbridge.core.parameter import step_scalars
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.parameter.step_scalars import number, scalar_parameter
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.nn.cell.cell import Cell
from msbridge.nn.optim.checks import legal
from msbridge.nn.optim.engine import NumberRate
from msbridge.nn.schedules.cells import LearningRateSchedule

__all__ = ["Rate", "as_schedule", "listed_rates", "rate_of"]

Rate = float | Tensor | LearningRateSchedule | Iterable[float]


class _IteratorLearningRate(LearningRateSchedule, NumberRate):
    """Learning rates listed step by step."""

    def __init__(self, rates: Sequence[float], name: str) -> None:
        super().__init__()
        self.learning_rate = scalar_parameter(np.asarray(rates, np.float32), name)

    def construct(self, global_step: Tensor) -> Tensor:
        """Return the rate of a step, in its shape; on the device, which no step looks at, 0 after the end of the list.

        Raises:
            RuntimeError: the list has ended.
        """
        rates, step = self.learning_rate._data, global_step._data
        if not step_scalars.are_tensors(rates.device):
            return wrap(torch.full(step.shape, self.number_at(int(number(global_step)))))
        last = rates.numel() - 1
        rate = rates.index_select(0, step.clamp(max=last).reshape(1)).reshape(step.shape)
        return wrap(torch.where(step > last, 0.0, rate))

    def number_at(self, global_step: int) -> float:
        """Return the rate after `global_step` steps.

        Raises:
            RuntimeError: the list has ended.
        """
        rates = step_scalars.memory_of(self.learning_rate)
        if global_step >= rates.size:
            raise RuntimeError(
                f"For 'Optimizer', the list of learning rates has {rates.size} entries, but step {global_step} "
                "was reached."
            )
        return float(rates[global_step])


class _FixedRate(LearningRateSchedule, NumberRate):
    """A constant learning rate, among groups of which another one changes."""

    def __init__(self, rate: Parameter) -> None:
        super().__init__()
        self.learning_rate = rate

    def construct(self, global_step: Tensor) -> Tensor:
        """Return the rate."""
        return wrap(self.learning_rate._data)

    def number_at(self, global_step: int) -> float:
        """Return the rate."""
        return float(number(self.learning_rate))


def listed_rates(rate: Any) -> Any:
    """Return the Parameter of rates that are listed or fixed; a schedule as it is."""
    return rate.learning_rate if isinstance(rate, _IteratorLearningRate | _FixedRate) else rate


def rate_of(rate: Any, name: str, owner: str) -> Parameter | LearningRateSchedule:
    """Make a Parameter of a number, and a schedule of a list; `name` is that of the Parameter.

    Raises:
        TypeError: `rate` is a Cell, but no schedule, or no number.
        ValueError: it is negative, infinite or NaN, a text, or a Tensor or a list of more than one axis.
    """
    if isinstance(rate, LearningRateSchedule):
        return rate
    if isinstance(rate, Cell):
        raise TypeError(f"For '{owner}', a learning rate Cell must be a LearningRateSchedule.")
    if isinstance(rate, Tensor) and rate.ndim > 1:
        raise ValueError(
            f"For 'Optimizer', the dim of learning rate must be 0 or 1, but got a Tensor of shape {rate.shape}."
        )
    if isinstance(rate, str):
        raise ValueError(f"For '{owner}', the learning rate must be a number, not a string, but got {rate!r}.")
    if isinstance(rate, Tensor):
        rate = rate.asnumpy().tolist()
        if isinstance(rate, int | float):
            return scalar_parameter(np.float32(rate), name)
    if isinstance(rate, Iterable):
        return _IteratorLearningRate([_rate_of_list(value, owner) for value in rate], name)
    if not isinstance(rate, int | float | np.number):
        raise TypeError(
            "For 'Optimizer', the argument 'learning_rate' must be int, float, Tensor, Iterable or "
            f"LearningRateSchedule, but got {type(rate).__name__}."
        )
    return scalar_parameter(np.float32(legal(float(rate), "learning rate", owner)), name)


def as_schedule(rate: Parameter | LearningRateSchedule) -> LearningRateSchedule:
    """Return a schedule as it is, and a Parameter as a constant one."""
    return _FixedRate(rate) if isinstance(rate, Parameter) else rate


def _rate_of_list(rate: Any, owner: str) -> float:
    """Return an entry of a list of learning rates as a float."""
    if isinstance(rate, Iterable) and np.ndim(rate):
        raise ValueError(f"For '{owner}', a list of learning rates must hold one number per step, but got {rate!r}.")
    try:
        return float(rate)
    except (TypeError, ValueError) as error:
        raise type(error)(f"For '{owner}', a list of learning rates must hold numbers, but got {rate!r}.") from error
