"""The callback that stops a training when a value no longer improves."""

import math
from typing import Any

from msbridge.core.checks.arguments import boolean, instance, non_negative_int
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime.callback import RunContext
from msbridge.core.runtime.standard_streams import print_now
from msbridge.core.tensor.tensor import Tensor
from msbridge.train.callbacks.monitored_value import ValueMonitor


class EarlyStopping(ValueMonitor):
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
        super().__init__(monitor)
        instance(min_delta, "min_delta", None, (float, int))
        self.patience = non_negative_int(patience, "patience", "EarlyStopping")
        self.verbose = boolean(verbose, "verbose", "EarlyStopping")
        instance(mode, "mode", None, str)
        self.baseline = baseline
        self.restore_best_weights = boolean(restore_best_weights, "restore_best_weights", "EarlyStopping")
        self._set_direction(mode, min_delta)
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
