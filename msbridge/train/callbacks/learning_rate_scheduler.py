"""A callback that sets the learning rate."""

import math
from collections.abc import Callable

import numpy as np

from msbridge.core.runtime.callback import Callback, RunContext
from msbridge.train.callbacks.plateau import learning_rate_of


class LearningRateScheduler(Callback):
    """Sets the learning rate after each step.

    Args:
        learning_rate_function: called with the rate and the number of steps done; returns the rate of the next step.

    Raises:
        ValueError: (in training) the optimizer's rate is not a single number.

    Follows: mindspore.train.LearningRateScheduler (2.10).
    """

    def __init__(self, learning_rate_function: Callable[[float, int], float]) -> None:
        super().__init__()
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context: RunContext) -> None:
        """Set the rate."""
        cb_params = run_context.original_args()
        parameter = learning_rate_of(cb_params.optimizer, "LearningRateScheduler")
        rate = float(str(np.float32(parameter._data.item())))  # 0.01, not 0.009999999776
        new_rate = self.learning_rate_function(rate, cb_params.cur_step_num)
        if not math.isclose(rate, new_rate, rel_tol=1e-10):
            parameter.set_data(float(new_rate))
