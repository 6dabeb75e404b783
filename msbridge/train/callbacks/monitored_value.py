"""A result of training or evaluation that a callback watches."""

import math
import warnings
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import one_of
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


class MonitoredValue:
    """One value over the epochs, and which of its values are better.

    Args:
        monitor: "loss" (of training), "eval_loss", or a metric's name.
        mode: "max" or "min": what is better; "auto" goes by the metric.
        min_delta: a change that is not above this is no improvement.
        owner: the callback's name.

    Attributes:
        worst: what every value improves on.
    """

    def __init__(self, monitor: str, mode: str, min_delta: float, owner: str) -> None:
        one_of(mode, "mode", None, ("auto", "min", "max"))
        self.monitor, self.owner = monitor, owner
        self.min_delta = abs(min_delta)
        self._sign = -1 if mode == "min" or (mode == "auto" and monitor in _LOWER_IS_BETTER) else 1
        self._is_warned = False
        self.worst = -math.inf * self._sign

    def is_improvement(self, value: float, than: float) -> bool:
        """Whether a value is better than another by more than `min_delta`."""
        return self._sign * (value - than) > self.min_delta

    def read(self, cb_params: Any) -> float | None:
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
                    f"{self.owner}: there is no value {self.monitor!r} to monitor; there are {known}. Metrics "
                    "of an evaluation are there after `Model.fit` with a valid_dataset.",
                    stacklevel=2,
                )
            return None
        if np.ndim(value):
            raise ValueError(f"{self.owner} cannot monitor {self.monitor!r}: it is an array, {value!r}.")
        return float(value)
