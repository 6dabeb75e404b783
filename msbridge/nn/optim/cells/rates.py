"""What holds the learning rates of `mindspore.nn`'s optimizers: a Parameter on the host, or a schedule."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from msbridge.core.parameter import Parameter
from msbridge.core.tensor import Tensor, wrap
from msbridge.nn.cell import Cell
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
        ValueError: it is negative, or a Tensor of more than one axis.
    """
    if isinstance(rate, LearningRateSchedule):
        return rate
    if isinstance(rate, Cell):
        raise TypeError(f"For '{owner}', a learning rate Cell must be a LearningRateSchedule.")
    if isinstance(rate, Tensor) and rate.ndim > 1:
        raise ValueError(
            f"For 'Optimizer', the dim of learning rate must be 0 or 1, but got a Tensor of shape {rate.shape}."
        )
    if isinstance(rate, Tensor):
        rate = rate.asnumpy().tolist()
    if isinstance(rate, Iterable) and not isinstance(rate, str):
        return _IteratorLearningRate([_checked(value, owner) for value in rate], name)
    return host_parameter(np.float32(_checked(rate, owner)), name)


def as_schedule(rate: Parameter | LearningRateSchedule) -> LearningRateSchedule:
    """Return a schedule as it is, and a Parameter as a constant one."""
    return _FixedRate(rate) if isinstance(rate, Parameter) else rate


def _checked(rate: Any, owner: str) -> float:
    rate = float(rate)
    if not rate >= 0:
        raise ValueError(
            f"For '{owner}', the 'learning rate' must be float and must >= 0, but got '{rate}' "
            f"with type '{type(rate).__name__}'."
        )
    return rate
