"""The frame of methods that search along a line after another; a method says in which direction."""

from abc import abstractmethod
from typing import Any, NamedTuple

import numpy as np
import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.scipy.optimize.line_search import LineSearch, Objective

__all__ = ["GradientOptimizationAlgorithm", "GradientOptimizationResults"]

State = dict[str, Any]
CONVERGED, TOO_MANY, SEARCH_FAILED, UNDEFINED = 0, 1, 2, -1


class GradientOptimizationResults(NamedTuple):
    """The results of a method.

    Attributes:
        converged: the gradient is small enough.
        failed: a search along a line failed.
        k: number of steps.
        nfev: number of evaluations.
        ngev: number of gradients.
        nhev: number of Hessians.
        x_k: where.
        f_k: the value.
        g_k: the gradient.
        H_k: the inverse Hessian.
        old_old_fval: the value of the point before.
        status: 0, 1 after as many steps as were allowed, 2 and more where a search failed.
        line_search_status: that of the search.
    """

    converged: bool
    failed: bool
    k: int
    nfev: int
    ngev: int
    nhev: int
    x_k: Tensor
    f_k: float
    g_k: Tensor
    H_k: Tensor
    old_old_fval: float
    status: int
    line_search_status: int


class GradientOptimizationAlgorithm:
    """A method that goes against `state["search_vector"]`, which `gen_search_vector` changes after each step.

    Args:
        func: the function of a Tensor of shape (n,) that returns a 0-d Tensor.
        jac: its gradient.

    Follows: mindspore.scipy.optimize.gradient_optimization_algorithm.GradientOptimizationAlgorithm (2.10).
    """

    def __init__(self, func: Objective, jac: Objective) -> None:
        self.func = func
        self.jac = jac
        self.line_search = LineSearch(func, jac)

    @abstractmethod
    def gen_search_vector(self, s_k: Tensor, y_k: Tensor, state: State) -> None:
        """Put the next direction, against which to go, into `state["search_vector"]`.

        Args:
            s_k: the step that was made.
            y_k: how the gradient changed.
            state: what is known.
        """

    def construct(
        self,
        x_0: Tensor,
        maxiter: int | None = None,
        norm: float = np.inf,
        gtol: float = 1e-5,
        line_search_maxiter: int = 10,
    ) -> State:
        """Search, and return the state: `converged`, `failed`, `k`, `nfev`, `x_k`, `f_k`, `g_k`, `status` and others.

        Args:
            x_0: where to begin.
            maxiter: how many steps are made; None: 200 for each dimension.
            norm: the order of the norm of gradients.
            gtol: how small the gradient is to be.
            line_search_maxiter: how many steps a search tries.
        """
        most = x_0.size * 200 if maxiter is None else maxiter
        value, slope = self.func(x_0), self.jac(x_0)
        state: State = dict.fromkeys(("nhev", "k", "line_search_status"), 0)
        state |= {"converged": _norm(slope, np.inf) < gtol, "failed": False, "H_k": None, "nfev": 1, "ngev": 1}
        state |= {"x_k": x_0, "f_k": value, "g_k": slope, "search_vector": slope}
        state |= {"old_old_fval": value + _norm(slope, 2) / 2, "a_star": None, "phi_star": None, "g_star": None}
        while state["k"] < most:
            direction = -state["search_vector"]
            self._search(state, direction, line_search_maxiter)
            if state["failed"]:
                break
            step, change = state["a_star"] * direction, state["g_star"] - state["g_k"]
            state["old_old_fval"] = state["f_k"]
            state["converged"] = _norm(state["g_star"], norm) < gtol
            state |= {"x_k": state["x_k"] + step, "f_k": state["phi_star"], "g_k": state["g_star"]}
            if state["converged"]:
                break
            self.gen_search_vector(step, change, state)
            state["k"] += 1
        state["status"] = _status(state, most)
        return state

    def _search(self, state: State, direction: Tensor, most: int) -> None:
        searched = self.line_search(
            state["x_k"],
            direction,
            old_fval=state["f_k"],
            old_old_fval=state["old_old_fval"],
            gfk=state["g_k"],
            maxiter=most,
        )
        state["failed"] = not bool(searched["done"]) or bool(searched["failed"])
        for count in ("nfev", "ngev"):
            state[count] += int(searched[count])
        state |= {name: searched[name] for name in ("a_star", "phi_star", "g_star")}
        state["line_search_status"] = int(searched["status"])


def _norm(gradient: Tensor, order: float) -> float:
    return float(torch.linalg.vector_norm(gradient._data.detach(), order))


def _status(state: State, most: int) -> int:
    if state["converged"]:
        return CONVERGED
    if state["k"] == most:
        return TOO_MANY
    return SEARCH_FAILED + int(state["line_search_status"]) if state["failed"] else UNDEFINED
