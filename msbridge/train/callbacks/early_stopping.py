"""The callback that stops a training when a value no longer improves."""

from typing import Any

from msbridge.core.checks.arguments import boolean, instance, non_negative_int
from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.core.runtime.standard_streams import print_now
from msbridge.core.tensor.tensor import Tensor
from msbridge.train.callbacks.monitored_value import MonitoredValue


class EarlyStopping(Callback):
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
        super().__init__()
        self.monitor = instance(monitor, "monitor", None, str)
        instance(min_delta, "min_delta", None, (float, int))
        self.patience = non_negative_int(patience, "patience", "EarlyStopping")
        self.verbose = boolean(verbose, "verbose", "EarlyStopping")
        instance(mode, "mode", None, str)
        self.baseline = baseline
        self.restore_best_weights = boolean(restore_best_weights, "restore_best_weights", "EarlyStopping")
        self._value = MonitoredValue(monitor, mode, min_delta, "EarlyStopping")
        self.mode, self.min_delta = mode, self._value.min_delta
        self.is_improvement = self._value.is_improvement
        self.best = self._value.worst
        self.wait = 0
        self.stopped_epoch = 0
        self.best_weights_param_dict: dict[str, Tensor] | None = None

    def on_train_begin(self, run_context: RunContext) -> None:
        """Reset the state."""
        self.wait = 0
        self.stopped_epoch = 0
        self.best = self._value.worst
        self.best_weights_param_dict = None

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Compare, and stop the training when the patience has ended."""
        cb_params = run_context.original_args()
        value = self._value.read(cb_params)
        if value is None:
            return
        if self.restore_best_weights and self.best_weights_param_dict is None:
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
                named = cb_params.train_network.parameters_dict()
                for name, best in (self.best_weights_param_dict or {}).items():
                    named[name].set_data(best)

    def on_train_end(self, run_context: RunContext) -> None:
        """Print that the training was stopped."""
        if self.stopped_epoch and self.verbose:
            print_now(f"Epoch {self.stopped_epoch:05d}: early stopping")

    def _keep_weights(self, network: Any) -> None:
        named = network.parameters_dict()
        self.best_weights_param_dict = {name: parameter.data.copy() for name, parameter in named.items()}
