"""Rprop and ASGD."""

from typing import Any

import numpy as np
import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.parameter.step_scalars import scalar_parameter
from msbridge.nn.cell.cell import Cell
from msbridge.nn.cell.tensor_attribute import TensorAttribute
from msbridge.nn.optim.cells.optimizer import Optimizer
from msbridge.nn.optim.cells.rates import Rate
from msbridge.nn.optim.checks import hyperparameter
from msbridge.nn.optim.engine import Bucket
from msbridge.ops.training.optimizer_updates import lists, rules
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["ASGD", "Rprop"]


class Rprop(Optimizer):
    """Resilient backpropagation: only the signs of the gradients count.

    Args:
        params: as in every optimizer.
        learning_rate: the first step of every element.
        etas: factors that shrink, in (0, 1), and grow, > 1, the steps.
        step_sizes: the smallest and the largest step.
        weight_decay: as in every optimizer.

    Inputs, Outputs: as in every optimizer.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range.

    Follows: mindspore.nn.Rprop (2.10).
    """

    _always_counts = True

    def __init__(
        self,
        params: Any,
        learning_rate: Rate = 0.1,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50.0),
        weight_decay: float | Cell = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        for name, value in (("etas", etas), ("step_sizes", step_sizes)):
            if len(instance(value, name, "Rprop", tuple)) != 2:
                raise ValueError(f"For 'Rprop', '{name}' must be a tuple of two numbers, but got {value!r}.")
        hyperparameter(etas[0], "etaminus", "Rprop", 0.0, 1.0)
        hyperparameter(etas[1], "etaplus", "Rprop", 1.0)
        hyperparameter(step_sizes[0], "min_step_sizes", "Rprop", 0.0)
        hyperparameter(step_sizes[1], "max_step_sizes", "Rprop", step_sizes[0])
        self.etas = etas
        self.etaminus, self.etaplus = etas
        self.step_sizes = step_sizes
        self.step_size_min, self.step_size_max = step_sizes
        self._keep("prev")
        self._keep("step_size")
        self._done = True

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        state = bucket.of(self.prev), bucket.of(self.step_size)
        rules.rprop(p, g, *state, self.etas, self.step_sizes, bucket.lr, bucket.is_first)


class ASGD(Optimizer):
    """Averaged stochastic gradient descent; the average is in the parameters `ax_*`.

    Args:
        params, learning_rate: as in every optimizer.
        lambd: decay of the parameters.
        alpha: power of the rate's decay.
        t0: the step at which averaging begins.
        weight_decay: as in every optimizer.

    Inputs, Outputs: as in every optimizer.

    Raises:
        TypeError: an argument is not a float.

    Follows: mindspore.nn.ASGD (2.10).
    """

    _always_counts = True
    t0 = TensorAttribute((1,))

    def __init__(
        self,
        params: Any,
        learning_rate: Rate = 0.1,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float | Cell = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        for name, value in (("lambd", lambd), ("alpha", alpha), ("t0", t0)):
            instance(value, name, "ASGD", float)
        self.lambd = float(lambd)
        self.alpha = float(alpha)
        self.t0 = float(t0)
        self.mu = _scalar_states(self.parameters, "mu_", 1.0)
        self.eta = _scalar_states(self.parameters, "eta_", 0.0)
        self.ax = ParameterTuple(_prefix_parameter(parameter.clone("zeros"), "ax_.") for parameter in self.parameters)
        self._done = True

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        first = bucket.indices[0] if bucket.indices else 0
        eta, mu = self._value(self.eta[first]), self._value(self.mu[first])
        if isinstance(eta, torch.Tensor):
            eta = torch.where(bucket.is_first, bucket.lr, eta)  # type: ignore[arg-type]
        elif bucket.is_first:
            eta = bucket.lr
        rules.averaged_sgd(p, g, bucket.of(self.ax), eta, self.lambd, mu)
        after = rules.averaging(bucket.lr, bucket.step, self.lambd, self.alpha, self._t0_number)
        lists.fill(bucket.of(self.eta), after[0])
        lists.fill(bucket.of(self.mu), after[1])

    def _state_of(self, bucket: Bucket) -> Tensors:
        return [data for state in (self.eta, self.mu, self.ax) for data in bucket.of(state)]


def _scalar_states(parameters: ParameterTuple, prefix: str, value: float) -> ParameterTuple:
    return ParameterTuple(scalar_parameter(np.float32(value), prefix + parameter.name) for parameter in parameters)


def _prefix_parameter(parameter: Parameter, prefix: str) -> Parameter:
    parameter.name = prefix + parameter.name
    return parameter
