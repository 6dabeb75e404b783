"""Quasi-Newton methods (Nocedal and Wright, chapters 6 and 7): BFGS and its form with limited memory."""

from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch

from msbridge.core.autograd import grad
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.scipy.optimize.line_search import Objective, search

__all__ = ["Minimum", "minimize_bfgs", "minimize_lbfgs"]

Pairs = deque[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]
MIN_CURVATURE = 1e-10


class Minimum(NamedTuple):
    """The results of a quasi-Newton method: where, value, gradient, inverse Hessian, and how it ended."""

    x: Tensor
    value: float
    gradient: Tensor
    inverse: Tensor | None
    is_converged: bool
    failed: bool
    status: int
    evaluations: int
    steps: int


def minimize_bfgs(
    func: Objective,
    x0: Tensor,
    jac: Objective | None = None,
    maxiter: int | None = None,
    norm: float = np.inf,
    gtol: float = 1e-5,
    line_search_maxiter: int = 10,
) -> Minimum:
    """Minimise by BFGS; the options are those of `minimize`."""
    unit = torch.eye(x0.size, dtype=x0._data.dtype, device=x0._data.device)
    inverse = unit

    def direction(gradient: torch.Tensor, step: torch.Tensor | None, change: torch.Tensor) -> torch.Tensor:
        nonlocal inverse
        if step is not None:
            rho = 1 / torch.dot(change, step)
            left = unit - rho * torch.outer(step, change)
            inverse = left @ inverse @ left.T + rho * torch.outer(step, step)
        return -(inverse @ gradient)

    found = _descend(func, x0, jac, maxiter, norm, gtol, line_search_maxiter, direction)
    return found._replace(inverse=wrap(inverse))


def minimize_lbfgs(
    func: Objective,
    x_0: Tensor,
    jac: Objective | None = None,
    history_size: int = 20,
    maxiter: int | None = None,
    norm: float = np.inf,
    gtol: float = 1e-5,
    line_search_maxiter: int = 10,
) -> Minimum:
    """Minimise by BFGS with the last `history_size` changes in place of a matrix; the options are `minimize`'s."""
    history: Pairs = deque(maxlen=history_size)

    def direction(gradient: torch.Tensor, step: torch.Tensor | None, change: torch.Tensor) -> torch.Tensor:
        if step is None or float(curvature := torch.dot(change, step)) <= MIN_CURVATURE:
            return -gradient
        history.append((step, change, curvature))
        return -_two_loops(gradient, history)

    return _descend(func, x_0, jac, maxiter, norm, gtol, line_search_maxiter, direction)


def _two_loops(gradient: torch.Tensor, history: Pairs) -> torch.Tensor:
    """Multiply the gradient with the inverse Hessian that the changes represent."""
    result = gradient
    moves = []
    for step, change, curvature in reversed(history):
        weight = torch.dot(step / curvature, result)
        result = result - weight * change
        moves.append(weight * step)
    _, change, curvature = history[-1]
    result = curvature / torch.dot(change, change) * result
    for (step, change, curvature), move in zip(history, reversed(moves), strict=True):
        result = result + move - torch.dot(change / curvature, result) * step
    return result


def _descend(
    func: Objective,
    x0: Tensor,
    jac: Objective | None,
    maxiter: int | None,
    norm: float,
    gtol: float,
    line_search_maxiter: int,
    direction: Callable[[torch.Tensor, torch.Tensor | None, torch.Tensor], torch.Tensor],
) -> Minimum:
    """Go down in steps along `direction(gradient, last step, last change of the gradient)`."""
    jac = jac or grad.grad(func)
    most = x0.size * 200 if maxiter is None else maxiter
    x = x0._data.detach()
    value: Any = float(func(x0))
    gradient = jac(x0)._data.detach()
    before = value + float(gradient.norm()) / 2
    is_converged, failed = bool(gradient.abs().max() < gtol), False
    evaluations, steps, ending = 1, 0, 0
    step, change = None, gradient
    while steps < most:
        way = direction(gradient, step, change)
        known = (value, wrap(gradient))
        searched = search(func, jac, wrap(x), wrap(way), known, before, maxiter=line_search_maxiter)
        evaluations, ending = evaluations + searched.evaluations, searched.status
        failed = searched.failed or not searched.is_done
        if failed:
            break
        step = float(searched.trial.step) * way
        x, change = x + step, searched.trial.gradient - gradient
        before, value, gradient = value, float(searched.trial.value), searched.trial.gradient
        is_converged = _size(gradient, norm) < gtol
        if is_converged:
            break
        steps += 1
    else:
        if step is not None:
            direction(gradient, step, change)  # the inverse Hessian belongs to the last point
    status = 0 if is_converged else 1 if steps == most else 2 + ending if failed else -1
    return Minimum(wrap(x), value, wrap(gradient), None, is_converged, failed, status, evaluations, steps)


def _size(gradient: torch.Tensor, norm: float) -> float:
    return float(gradient.abs().max() if norm == np.inf else gradient.norm())
