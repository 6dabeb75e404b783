"""Minima under constraints, by the augmented Lagrangian method (Conn, Gould and Toint, 1991) with Adam inside."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from msbridge.core.autograd import grad
from msbridge.core.tensor.tensor import Tensor, wrap

__all__ = ["LagrangeResults", "minimize_lagrange"]

ALPHA, BETA, GROWTH = 0.1, 0.9, 1.1


class LagrangeResults(NamedTuple):
    """The results: whether the constraints hold there, the place, the objective, and the constraints' values."""

    succeeded: bool
    best_value: Any
    object_value: Any
    loss_value: Any


def minimize_lagrange(
    func: Callable[..., Tensor],
    x0: Tensor,
    constraints: Sequence[Callable[..., Tensor]],
    save_tol: Sequence[float] | None = None,
    obj_weight: float = 1.0,
    lower: Any = None,
    upper: Any = None,
    learning_rate: float = 0.1,
    coincide_fun: Callable[[Tensor], Any] | None = None,
    rounds: int = 10,
    steps: int = 1000,
    log_sw: bool = False,
) -> LagrangeResults:
    """Minimise under constraints of the form g(x) ≤ 0.

    Args:
        func: the objective; with `coincide_fun` it gets that function's result, too.
        x0: where to begin.
        constraints: functions like `func`.
        save_tol: how far each constraint may be above 0 in what is returned; None means 1.
        obj_weight: of the objective.
        lower: lower bounds of x.
        upper: upper bounds of x.
        learning_rate: Adam's.
        coincide_fun: what objective and constraints have in common, computed once.
        rounds: how often the multipliers are adapted.
        steps: Adam's, in each round.
        log_sw: log every step.
    """
    limits = np.ones(len(constraints)) if save_tol is None else np.asarray(save_tol)
    bound = _make_bound(lower, upper)
    multipliers, sigma = [1.0] * len(constraints), 1.0
    epsilon = 1.0
    seen: dict[str, Any] = {}

    def lagrangian(free: Tensor) -> Tensor:
        x = bound(free)
        shared = () if coincide_fun is None else (coincide_fun(x),)
        violations = [constraint(x, *shared)._data.reshape(()) for constraint in constraints]
        objective = func(x, *shared)._data
        penalty = sum(
            torch.relu(multiplier / sigma + violation) ** 2 - (multiplier / sigma) ** 2
            for multiplier, violation in zip(multipliers, violations, strict=True)
        )
        seen.update(x=x._data.detach(), objective=float(objective.detach()))
        seen["violations"] = [float(one.detach()) for one in violations]
        return wrap(obj_weight * objective + sigma / 2 * penalty)

    best: LagrangeResults | None = None
    least = math.nan
    adam = _Adam(x0._data.detach().clone(), learning_rate)
    for number in range(rounds):
        for step in range(steps):
            value, gradient = grad.value_and_grad(lagrangian)(wrap(adam.weight))
            if log_sw:
                import logging

                values = (number, step, seen["objective"], seen["violations"], float(value))
                logging.info("round:%d, step:%d, object_value:%f, loss_value:%s, lagrange_value:%f", *values)
            if math.isnan(least):
                least = seen["objective"]
            if np.all(np.array(seen["violations"]) < limits) and seen["objective"] < least:
                least = seen["objective"]
                violations = np.array(seen["violations"], np.float32)
                best = LagrangeResults(True, seen["x"].cpu().numpy(), np.float32(least), violations)
            adam.update(gradient._data)
        worst = math.sqrt(sum(max(g, -m / sigma) ** 2 for g, m in zip(seen["violations"], multipliers, strict=True)))
        if worst <= epsilon:
            pairs = zip(multipliers, seen["violations"], strict=True)
            multipliers = [max(multiplier + sigma * violation, 0.0) for multiplier, violation in pairs]
            epsilon = epsilon / sigma**BETA
        else:
            sigma *= GROWTH
            epsilon = 1 / sigma**ALPHA
    if best is not None:
        return best
    return LagrangeResults(False, x0.asnumpy(), np.float32(least), wrap(torch.ones(len(constraints))))


class _Adam:
    """Adam with MindSpore's defaults."""

    def __init__(self, weight: torch.Tensor, rate: float) -> None:
        self.weight, self._rate, self._count = weight, rate, 0
        self._mean, self._square = torch.zeros_like(weight), torch.zeros_like(weight)

    def update(self, gradient: torch.Tensor) -> None:
        """Take a step."""
        self._count += 1
        self._mean = 0.9 * self._mean + 0.1 * gradient
        self._square = 0.999 * self._square + 0.001 * gradient**2
        rate = self._rate * math.sqrt(1 - 0.999**self._count) / (1 - 0.9**self._count)
        self.weight = self.weight - rate * self._mean / (self._square.sqrt() + 1e-8)


def _make_bound(lower: Any, upper: Any) -> Callable[[Tensor], Tensor]:
    """Return the function that maps all numbers to those between the bounds."""
    low, high = (None if bound is None else Tensor(bound)._data for bound in (lower, upper))

    def bound(free: Tensor) -> Tensor:
        x = free._data
        if low is not None and high is not None:
            return wrap((high - low) * torch.sigmoid(x) + low)
        if high is not None:
            return wrap(high - x**2)
        return free if low is None else wrap(x**2 + low)

    return bound
