"""The base of callbacks that watch a result of training or evaluation."""

import math
import warnings
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import instance, one_of
from msbridge.core.runtime.callback import Callback
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


class ValueMonitor(Callback):
    """Follows one value over the epochs."""

    def __init__(self, monitor: str) -> None:
        super().__init__()
        self.monitor = instance(monitor, "monitor", None, str)

    def _set_direction(self, mode: str, min_delta: float) -> None:
        """Choose which values are better: the mode is the last that is checked of a callback's arguments."""
        one_of(mode, "mode", None, ("auto", "min", "max"))
        self.mode = mode
        self.min_delta = abs(min_delta)
        self._sign = -1 if mode == "min" or (mode == "auto" and self.monitor in _LOWER_IS_BETTER) else 1
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
