"""Optimizers of 1.7."""

from typing import Any

from msbridge.core.parameter.parameter import Parameter
from msbridge.nn.optim.cells.optimizer import Optimizer


def _get_lr(self: Optimizer) -> Any:
    """Return the learning rate now; one that changes with the steps has one axis."""
    rates = _today(self)
    several = rates if isinstance(rates, tuple) else (rates,)
    shown = tuple(rate if isinstance(rate, Parameter) else rate.reshape((1,)) for rate in several)
    return shown if isinstance(rates, tuple) else shown[0]


_today = Optimizer.get_lr
OVERRIDES = {"nn.Optimizer.get_lr": _get_lr}
