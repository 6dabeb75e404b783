"""Callbacks that watch a result of training or evaluation: stop when it no longer improves, or lower the rate."""

import math
import warnings
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import boolean, in_range, instance, non_negative_int, one_of
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.core.runtime.standard_streams import print_now
from msbridge.core.tensor.tensor import Tensor
from msbridge.train.callbacks.callback import first_output

_LOWER_IS_BETTER = (
    "eval_loss",
    "hausdorff_distance",
    "loss",
    "mae",
    "mean_surface_distance",
    "mse",
    "perplexity",
    "root_mean_square_distance",
)


class _Monitor(Callback):
    """Follows one value over the epochs."""

    def __init__(self, monitor: str, mode: str, min_delta: float) -> None:
        super().__init__()
        self.monitor = instance(monitor, "monitor", None, str)
        one_of(mode, "mode", None, ("auto", "min", "max"))
        self.mode = mode
        instance(min_delta, "min_delta", None, (float, int))
        self.min_delta = abs(min_delta)
        self._sign = -1 if mode == "min" or (mode == "auto" and monitor in _LOWER_IS_BETTER) else 1
        self._is_warned = False
        self.best = -math.inf * self._sign

    def is_improvement(self, value: float, than: float) -> bool:
        """Whether a value is better than another by more than `min_delta`."""
        return self._sign * (value - than) > self.min_delta

    def _get_monitor_value(self, cb_params: Any) -> float | None:
        """Return the value after this epoch; None, and a warning once, where the run does not have it."""
        if self.monitor == "loss":
            loss = first_output(cb_params.net_outputs)
            return float(np.mean(loss.asnumpy())) if isinstance(loss, Tensor) else float(loss)
        results = cb_params.get("eval_results") or {}
        value = results.get(self.monitor)
        if value is None:
            if not self._is_warned:
                self._is_warned = True
                known = sorted({"loss", *results})
                warnings.warn(
                    f"{type(self).__name__}: there is no value {self.monitor!r} to monitor; there are {known}. Metrics "
                    "of an evaluation are there after `Model.fit` with a valid_dataset.",
                    stacklevel=2,
                )
            return None
        if np.ndim(value):
            raise ValueError(f"{type(self).__name__} cannot monitor {self.monitor!r}: it is an array, {value!r}.")
        return float(value)


class EarlyStopping(_Monitor):
    """Stops the training when a value has not improved for `patience` epochs.

    Args:
        monitor: "loss" (of training), "eval_loss", or a metric's name.
        min_delta: a change that is not above this is no improvement.
        patience: epochs without improvement that are let pass.
        verbose: print what is done.
        mode: "max" or "min": what is better; "auto" goes by the metric.
        baseline: a value that must be passed for the epochs to count as good.
        restore_best_weights: put the weights of the best epoch back at the stop.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Follows: mindspore.train.EarlyStopping (2.10).
    """

    def __init__(
        self,
        monitor: str = "eval_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: bool = False,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
    ) -> None:
        super().__init__(monitor, mode, min_delta)
        self.patience = non_negative_int(patience, "patience", "EarlyStopping")
        self.verbose = boolean(verbose, "verbose", "EarlyStopping")
        self.baseline = baseline
        self.restore_best_weights = boolean(restore_best_weights, "restore_best_weights", "EarlyStopping")
        self.wait = 0
        self.stopped_epoch = 0
        self.best_weights: list[tuple[Parameter, Tensor]] = []

    def on_train_begin(self, run_context: RunContext) -> None:
        """Reset the state."""
        self.wait = 0
        self.stopped_epoch = 0
        self.best = -math.inf * self._sign
        self.best_weights = []

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Compare, and stop the training when the patience has ended."""
        cb_params = run_context.original_args()
        value = self._get_monitor_value(cb_params)
        if value is None:
            return
        if self.restore_best_weights and not self.best_weights:
            self._keep_weights(cb_params.train_network)
        self.wait += 1
        if self.is_improvement(value, self.best):
            self.best = value
            if self.restore_best_weights:
                self._keep_weights(cb_params.train_network)
            if self.baseline is None or self.is_improvement(value, self.baseline):
                self.wait = 0
        if self.wait >= self.patience:
            self.stopped_epoch = cb_params.cur_epoch_num
            run_context.request_stop()
            if self.restore_best_weights:
                if self.verbose:
                    print_now("Restoring model weights from the end of the best epoch.")
                for parameter, best in self.best_weights:
                    parameter.set_data(best)

    def on_train_end(self, run_context: RunContext) -> None:
        """Print that the training was stopped."""
        if self.stopped_epoch and self.verbose:
            print_now(f"Epoch {self.stopped_epoch:05d}: early stopping")

    def _keep_weights(self, network: Any) -> None:
        self.best_weights = [(parameter, parameter.data.copy()) for parameter in network.get_parameters()]


class ReduceLROnPlateau(_Monitor):
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
        super().__init__(monitor, mode, min_delta)
        instance(factor, "factor", None, float)
        in_range(factor, "factor", None, 0.0, 1.0, "()")
        self.factor = factor
        self.patience = non_negative_int(patience, "patience", "ReduceLROnPlateau")
        self.verbose = boolean(verbose, "verbose", "ReduceLROnPlateau")
        self.cooldown = non_negative_int(cooldown, "cooldown", "ReduceLROnPlateau")
        self.min_lr = instance(min_lr, "min_lr", None, (float, int))
        self.cooldown_counter = 0
        self.wait = 0

    def on_train_begin(self, run_context: RunContext) -> None:
        """Reset the state."""
        learning_rate_of(run_context.original_args().optimizer, "ReduceLROnPlateau")
        self.cooldown_counter = 0
        self.wait = 0
        self.best = -math.inf * self._sign

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Compare, and lower the rate when the patience has ended."""
        cb_params = run_context.original_args()
        value = self._get_monitor_value(cb_params)
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
