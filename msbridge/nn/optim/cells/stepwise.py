"""Rprop and ASGD.

Follows: mindspore.nn.Rprop, ASGD (2.10).
"""

from collections.abc import Sequence
from typing import Any

import torch

from msbridge.core.parameter import Parameter, ParameterTuple
from msbridge.core.tensor import Tensor
from msbridge.nn.cell import Cell
from msbridge.nn.optim import rules
from msbridge.nn.optim.cells.optimizer import Optimizer, Rate, _Bucket, check_range, host_parameter
from msbridge.nn.optim.rules import Tensors


class _Single(Optimizer):
    """Gives one True, not one for each parameter."""

    def construct(self, gradients: Sequence[Tensor]) -> bool:  # type: ignore[override]
        """Update all parameters from their gradients."""
        return all(super().construct(gradients))


class Rprop(_Single):
    """Resilient backpropagation: only the signs of the gradients count.

    Args:
        params: Parameters or groups of them.
        learning_rate: the first step of every element.
        etas: factors that shrink, in (0, 1), and grow, > 1, the steps.
        step_sizes: the smallest and the largest step.
        weight_decay: added to the gradient times the parameter.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range.

    Follows: mindspore.nn.Rprop (2.10).
    """

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
            if not isinstance(value, tuple) or len(value) != 2:
                raise TypeError(f"For Rprop, {name} must be a tuple of two numbers, but got {value!r}.")
        check_range("Rprop", "etaminus", etas[0], 0.0, 1.0)
        check_range("Rprop", "etaplus", etas[1], 1.0, float("inf"))
        check_range("Rprop", "min_step_sizes", step_sizes[0], 0.0, float("inf"))
        check_range("Rprop", "max_step_sizes", step_sizes[1], step_sizes[0], float("inf"))
        self.etas = etas
        self.step_sizes = step_sizes
        self.prev = self.parameters.clone(prefix="prev", init="zeros")
        self.step_size = self.parameters.clone(prefix="step_size", init="zeros")

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        if decay:
            g = torch._foreach_add(g, p, alpha=decay)
        size = bucket.of(self.step_size)
        if self.global_step._data.item() == 0:
            torch._foreach_zero_(size)
            torch._foreach_add_(size, lr)
        rules.rprop(p, g, bucket.of(self.prev), size, self.etas, self.step_sizes)


class ASGD(_Single):
    """Averaged stochastic gradient descent; the average stands in the parameters `ax_*`.

    Args:
        params: Parameters or groups of them.
        learning_rate: a number, a schedule, or a list.
        lambd: decay of the parameters.
        alpha: power of the rate's decay.
        t0: the step at which averaging begins.
        weight_decay: added to the gradient times the parameter.

    Raises:
        TypeError: an argument is no float.

    Follows: mindspore.nn.ASGD (2.10).
    """

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
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"For 'ASGD', the type of '{name}' should be 'float', but got type '{type(value)}'.")
        self.lambd = float(lambd)
        self.alpha = float(alpha)
        self.t0 = float(t0)
        self.mu = _host_copies(self.parameters, "mu_", 1.0)
        self.eta = _host_copies(self.parameters, "eta_", 0.0)
        self.ax = ParameterTuple(_renamed(parameter.clone("zeros"), "ax_.") for parameter in self.parameters)

    def _update(self, bucket: _Bucket, p: Tensors, g: Tensors, lr: float, decay: float) -> None:
        if decay:
            g = torch._foreach_add(g, p, alpha=decay)
        step = int(self.global_step._data.item())
        eta, mu = bucket.of(self.eta), bucket.of(self.mu)
        rules.averaged(p, g, bucket.of(self.ax), lr if step == 0 else eta[0].item(), self.lambd, mu[0].item())
        for rate in eta:
            rate.fill_(lr / (1 + self.lambd * lr * (step + 1)) ** self.alpha)
        for share in mu:
            share.fill_(1 / max(1.0, step + 1 - self.t0))


def _host_copies(parameters: ParameterTuple, prefix: str, value: float) -> ParameterTuple:
    return ParameterTuple(host_parameter(value, prefix + parameter.name) for parameter in parameters)


def _renamed(parameter: Parameter, prefix: str) -> Parameter:
    parameter.name = prefix + parameter.name
    return parameter


__all__ = ["ASGD", "Rprop"]
