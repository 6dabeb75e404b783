"""The callback that lowers the learning rate when a value no longer improves."""

from typing import Any

import numpy as np

from msbridge.core.checks.arguments import boolean, in_range, instance, non_negative_int
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.core.runtime.standard_streams import print_now
from msbridge.train.callbacks.monitored_value import MonitoredValue


class ReduceLROnPlateau(Callback):
    """Lowers the learning rate when a value has not improved for `patience` epochs.

    Args:
        monitor: "loss" (of training), "eval_loss", or a metric's name.
        factor: by which the rate is multiplied, between 0 and 1.
        patience: epochs without improvement that are let pass.
        verbose: print what is done.
        mode: "max" or "min": what is better; "auto" goes by the metric.
        min_delta: a change that is not above this is no improvement.
        cooldown: epochs after a change in which none are counted.
        min_lr: the rate does not fall below.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or (at the start of training) the rate is not a single number.

    Follows: mindspore.train.ReduceLROnPlateau (2.10).
    """

    def __init__(
        self,
        monitor: str = "eval_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ) -> None:
        super().__init__()
        self.monitor = instance(monitor, "monitor", None, str)
        instance(factor, "factor", None, float)
        in_range(factor, "factor", None, 0.0, 1.0, "()")
        self.factor = factor
        self.patience = non_negative_int(patience, "patience", "ReduceLROnPlateau")
        self.verbose = boolean(verbose, "verbose", "ReduceLROnPlateau")
        instance(mode, "mode", None, str)
        instance(min_delta, "min_delta", None, (float, int))
        self.cooldown = non_negative_int(cooldown, "cooldown", "ReduceLROnPlateau")
        self.min_lr = instance(min_lr, "min_lr", None, (float, int))
        self._value = MonitoredValue(monitor, mode, min_delta, "ReduceLROnPlateau")
        self.mode, self.min_delta = mode, self._value.min_delta
        self.is_improvement = self._value.is_improvement
        self.best = self._value.worst
        self.cooldown_counter = 0
        self.wait = 0

    def on_train_begin(self, run_context: RunContext) -> None:
        """Reset the state."""
        learning_rate_of(run_context.original_args().optimizer, "ReduceLROnPlateau")
        self.cooldown_counter = 0
        self.wait = 0
        self.best = self._value.worst

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Compare, and lower the rate when the patience has ended."""
        cb_params = run_context.original_args()
        value = self._value.read(cb_params)
        if value is None:
            return
        if self.cooldown_counter:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.is_improvement(value, self.best):
            self.best = value
            self.wait = 0
        elif not self.cooldown_counter:
            self.wait += 1
            if self.wait >= self.patience:
                self._lower(cb_params)

    def _lower(self, cb_params: Any) -> None:
        parameter = learning_rate_of(cb_params.optimizer, "ReduceLROnPlateau")
        rate = np.float32(parameter._data.item())
        if rate <= np.float32(self.min_lr):
            return
        rate = max(rate * np.float32(self.factor), np.float32(self.min_lr))
        parameter.set_data(float(rate))
        if self.verbose:
            print_now(f"Epoch {cb_params.cur_epoch_num:05d}: ReduceLROnPlateau reducing learning rate to {rate!s}.")
        self.cooldown_counter = self.cooldown
        self.wait = 0


def learning_rate_of(optimizer: Any, callback: str) -> Parameter:
    """Return the Parameter that holds an optimizer's only learning rate.

    Raises:
        ValueError: there is no optimizer, or its rate is a schedule or differs between groups.
    """
    rate = getattr(optimizer, "learning_rate", None)
    if not isinstance(rate, Parameter) or rate.size != 1:
        raise ValueError(
            f"{callback} needs an optimizer whose learning rate is one number, got {type(optimizer).__name__} with "
            f"{'none' if rate is None else type(rate).__name__}."
        )
    return rate
