"""Searches along a line for a step that satisfies the strong Wolfe conditions (Nocedal and Wright, chapter 3).

Every trial is read by the host, which decides on the next one.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch

from msbridge.core.autograd import grad  # a function would be replaced where a release has another of its name
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types.dtype import int32
from msbridge.nn.cell.cell import Cell

__all__ = ["Found", "LineSearch", "LineSearchResults", "line_search", "search"]

Objective = Callable[[Tensor], Tensor]
ZOOMS = 10
OK, ZOOM_FAILED, TOO_MANY = 0, 1, 3


class LineSearchResults(NamedTuple):
    """The results of a search along a line.

    Attributes:
        failed: no step satisfies the conditions.
        nit: number of steps that were tried.
        nfev: number of evaluations.
        ngev: number of gradients.
        k: number of the next step.
        a_k: the step.
        f_k: the value there.
        g_k: the gradient there.
        status: 0, 1 if the zoom failed, 3 after as many steps as were allowed.
    """

    failed: bool
    nit: int
    nfev: int
    ngev: int
    k: int
    a_k: float
    f_k: float
    g_k: Tensor
    status: int


class Trial(NamedTuple):
    """A step along the line: its length, the value, the slope along the line and the gradient there."""

    step: Any
    value: Any
    slope: Any
    gradient: torch.Tensor


class Found(NamedTuple):
    """The end of a search."""

    trial: Trial
    is_done: bool
    failed: bool
    steps: int
    evaluations: int
    status: int


def line_search(
    f: Objective,
    xk: Tensor,
    pk: Tensor,
    jac: Objective | None = None,
    gfk: Tensor | None = None,
    old_fval: float | Tensor | None = None,
    old_old_fval: float | Tensor | None = None,
    c1: float = 1e-4,
    c2: float = 0.9,
    maxiter: int = 20,
) -> LineSearchResults:
    """Search along a line for a step that satisfies the strong Wolfe conditions.

    Args:
        f: the function of a Tensor of shape (n,) that returns a 0-d Tensor.
        xk: where the line begins.
        pk: its direction.
        jac: the gradient of `f`; None computes it.
        gfk: the gradient at `xk`; None computes it.
        old_fval: the value at `xk`; None computes it.
        old_old_fval: the value before that, from which the first step is guessed.
        c1: how much of the slope a step must win.
        c2: how much of the slope may be left.
        maxiter: how many steps are tried.

    Returns:
        A record: whether there is a step, its length `a_k`, and the value and gradient there.

    Follows: mindspore.scipy.optimize.line_search (2.10).
    """
    known = None if old_fval is None or gfk is None else (old_fval, gfk)
    searched = search(f, jac or grad.grad(f), xk, pk, known, old_old_fval, c1, c2, maxiter)
    trial = searched.trial
    return LineSearchResults(
        failed=searched.failed or not searched.is_done,
        nit=searched.steps - 1,
        nfev=searched.evaluations,
        ngev=searched.evaluations,
        k=searched.steps,
        a_k=float(trial.step),
        f_k=float(trial.value),
        g_k=wrap(trial.gradient),
        status=searched.status,
    )


class LineSearch(Cell):
    """Searches along lines as `line_search` does; a call returns a dict of Tensors.

    It holds `done`, `failed`, `i` (the next step's number), `nfev`, `ngev`, `status`, and of the step that was found
    `a_star` (its length), `phi_star` (the value), `dphi_star` (the slope) and `g_star` (the gradient).

    Args:
        func: the function of a Tensor of shape (n,) that returns a 0-d Tensor.
        jac: its gradient.

    Follows: mindspore.scipy.optimize.line_search.LineSearch (2.10).
    """

    def __init__(self, func: Objective, jac: Objective) -> None:
        super().__init__()
        self.func = func
        self.jac = jac

    def construct(
        self,
        xk: Tensor,
        pk: Tensor,
        old_fval: Any = None,
        old_old_fval: Any = None,
        gfk: Tensor | None = None,
        c1: float = 1e-4,
        c2: float = 0.9,
        maxiter: int = 20,
    ) -> dict[str, Tensor]:
        known = None if old_fval is None or gfk is None else (old_fval, gfk)
        searched = search(self.func, self.jac, xk, pk, known, old_old_fval, c1, c2, maxiter)
        trial, real, counts = searched.trial, xk.dtype, searched.evaluations
        return {
            "done": Tensor(searched.is_done),
            "failed": Tensor(searched.failed),
            "i": Tensor(searched.steps, int32),
            "nfev": Tensor(counts, int32),
            "ngev": Tensor(counts, int32),
            "a_star": Tensor(float(trial.step), real),
            "phi_star": Tensor(float(trial.value), real),
            "dphi_star": Tensor(float(trial.slope), real),
            "g_star": wrap(trial.gradient),
            "status": Tensor(searched.status, int32),
        }


def search(
    f: Objective,
    jac: Objective,
    xk: Tensor,
    pk: Tensor,
    known: tuple[Any, Tensor] | None = None,
    before: Any = None,
    c1: float = 1e-4,
    c2: float = 0.9,
    maxiter: int = 20,
) -> Found:
    """Search as `line_search` does; `known` are value and gradient at `xk`, `before` the value of the point before."""
    real = np.float64 if xk._data.dtype is torch.float64 else np.float32
    place, direction = xk._data.detach(), pk._data.detach()

    def at(step: Any) -> Trial:
        point = wrap(place + float(step) * direction)
        return _trial(real, step, f(point), jac(point), direction)

    evaluations = 0 if known else 1
    start = _trial(real, real(0), *known, direction) if known else at(real(0))
    with np.errstate(all="ignore"):
        return _search(at, real, start, _first_step(real, start, before), evaluations, c1, c2, maxiter)


def _trial(real: Any, step: Any, value: Any, gradient: Tensor, direction: torch.Tensor) -> Trial:
    slope = torch.dot(gradient._data.detach(), direction)
    return Trial(step, real(float(value)), real(slope.item()), gradient._data.detach())


def _first_step(real: Any, start: Trial, before: Any) -> Any:
    if before is None:
        return real(1)
    with np.errstate(all="ignore"):
        guess = real(2.02 * (start.value - real(float(before))) / start.slope)
    return min(guess, real(1)) if np.isfinite(guess) else real(1)


def _search(
    at: Callable[[Any], Trial],
    real: Any,
    start: Trial,
    first: Any,
    evaluations: int,
    c1: float,
    c2: float,
    maxiter: int,
) -> Found:
    last, best = start, start
    is_done = failed = False
    steps = 1
    while not is_done and steps <= maxiter:
        trial = at(real(last.step * 2) if steps > 1 else first)
        evaluations += 1
        is_too_high = trial.value > start.value + c1 * trial.step * start.slope
        if is_too_high or (trial.value >= last.value and steps > 1):
            best, more, failed = _zoom(at, real, last, trial, start, c1, c2)
            evaluations, is_done = evaluations + more, True
        elif abs(trial.slope) <= -c2 * start.slope:
            best, is_done = trial, True
        elif trial.slope >= 0:
            best, more, failed = _zoom(at, real, trial, last, start, c1, c2)
            evaluations, is_done = evaluations + more, True
        steps, last = steps + 1, trial
    status = ZOOM_FAILED if failed else TOO_MANY if steps > maxiter else OK
    if real is np.float32 and abs(best.step) < 1e-8:
        best = best._replace(step=real(np.sign(best.step) * 1e-8))
    return Found(best, is_done, failed, steps, evaluations, status)


def _zoom(
    at: Callable[[Any], Trial], real: Any, low: Trial, high: Trial, start: Trial, c1: float, c2: float
) -> tuple[Trial, int, bool]:
    """Narrow an interval that holds a fitting step; return the step, how many were tried, and whether that failed."""
    first_low = low
    recent_step, recent_value = real((low.step + high.step) / 2), real((low.value + high.value) / 2)
    for count in range(1, ZOOMS + 1):
        trial = at(_between(real, low, high, recent_step, recent_value, has_recent=count > 1))
        if trial.value > start.value + c1 * trial.step * start.slope or trial.value >= low.value:
            recent_step, recent_value, high = high.step, high.value, trial
            continue
        if abs(trial.slope) <= -c2 * start.slope:
            return trial, count, count == ZOOMS
        if trial.slope * (high.step - low.step) >= 0:
            high = first_low  # MindSpore takes the interval's first end, where the book has its present one
        recent_step, recent_value, low = low.step, low.value, trial
    return Trial(real(1), first_low.value, first_low.slope, start.gradient), ZOOMS, True


def _between(real: Any, low: Trial, high: Trial, recent_step: Any, recent_value: Any, has_recent: bool) -> Any:
    """Return the minimum of a cubic, or of a parabola, that is well inside of the interval; else its middle."""
    ends = min(low.step, high.step), max(low.step, high.step)
    width = high.step - low.step
    if has_recent:
        cubic = _cubic_minimum(low, high, recent_step, recent_value)
        if ends[0] + 0.2 * width < cubic < ends[1] - 0.2 * width:
            return real(cubic)
    slope_change = (high.value - low.value - low.slope * width) / width**2
    parabola = low.step - low.slope / (2 * slope_change)
    if ends[0] + 0.1 * width < parabola < ends[1] - 0.1 * width:
        return real(parabola)
    return real((low.step + high.step) / 2)


def _cubic_minimum(low: Trial, high: Trial, recent_step: Any, recent_value: Any) -> Any:
    """Return the minimum of the cubic through three values, with the slope at the first; NaN where it has none."""
    to_high, to_recent = high.step - low.step, recent_step - low.step
    rises = np.array([high.value - low.value - low.slope * to_high, recent_value - low.value - low.slope * to_recent])
    factors = np.array([[to_recent**2, -(to_high**2)], [-(to_recent**3), to_high**3]])
    third, second = factors @ rises / ((to_high * to_recent) ** 2 * (to_high - to_recent))
    return low.step + (-second + np.sqrt(second * second - 3 * third * low.slope)) / (3 * third)
