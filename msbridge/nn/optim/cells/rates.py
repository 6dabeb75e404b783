"""What holds the learning rates of `mindspore.nn`'s optimizers: a Parameter on the host, or a schedule."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from msbridge.core.parameter import Parameter
from msbridge.core.tensor import Tensor, wrap
from msbridge.nn.cell import Cell
from msbridge.nn.optim.checks import legal
from msbridge.nn.optim.engine import host_parameter
from msbridge.nn.schedules.cells import LearningRateSchedule

__all__ = ["Rate", "as_schedule", "rate_of"]

Rate = float | Tensor | LearningRateSchedule | Iterable[float]


class _IteratorLearningRate(LearningRateSchedule):
    """Learning rates listed step by step."""

    def __init__(self, rates: Sequence[float], name: str) -> None:
        super().__init__()
        self.learning_rate = host_parameter(np.asarray(rates, np.float32), name)

    def construct(self, global_step: Tensor) -> Tensor:
        """Return the rate of a step.

        Raises:
            RuntimeError: the list has ended.
        """
        step = int(global_step._data.item())
        rates = self.learning_rate._data
        if step >= rates.numel():
            raise RuntimeError(
                f"For 'Optimizer', the list of learning rates has {rates.numel()} entries, but step {step} was reached."
            )
        return wrap(rates[step])


class _FixedRate(LearningRateSchedule):
    """A constant learning rate, among groups of which another one changes."""

    def __init__(self, rate: Parameter) -> None:
        super().__init__()
        self.learning_rate = rate

    def construct(self, global_step: Tensor) -> Tensor:
        """Return the rate."""
        return wrap(self.learning_rate._data)


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
        raise ValueError(f"For '{owner}', the learning rate must be a number, not a text, but got {rate!r}.")
    if isinstance(rate, Tensor):
        rate = rate.asnumpy().tolist()
        if isinstance(rate, int | float):
            return host_parameter(np.float32(rate), name)
    if isinstance(rate, Iterable):
        return _IteratorLearningRate([_listed(value, owner) for value in rate], name)
    if not isinstance(rate, int | float | np.number):
        raise TypeError(
            "For 'Optimizer', the argument 'learning_rate' must be int, float, Tensor, Iterable or "
            f"LearningRateSchedule, but got {type(rate).__name__}."
        )
    return host_parameter(np.float32(legal(float(rate), "learning rate", owner)), name)


def as_schedule(rate: Parameter | LearningRateSchedule) -> LearningRateSchedule:
    """Return a schedule as it is, and a Parameter as a constant one."""
    return _FixedRate(rate) if isinstance(rate, Parameter) else rate


def _listed(rate: Any, owner: str) -> float:
    """Return an entry of a list of learning rates as a float."""
    if isinstance(rate, Iterable) and np.ndim(rate):
        raise ValueError(f"For '{owner}', a list of learning rates must hold one number per step, but got {rate!r}.")
    try:
        return float(rate)
    except (TypeError, ValueError) as error:
        raise type(error)(f"For '{owner}', a list of learning rates must hold numbers, but got {rate!r}.") from error
