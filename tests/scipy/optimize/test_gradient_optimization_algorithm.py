"""The frame of descents, with steepest descent in it; the numbers are MindSpore 2.10's."""

from typing import Any

import numpy as np

from msbridge import Tensor
from msbridge.core.autograd.grad import grad
from msbridge.scipy.optimize.gradient_optimization_algorithm import GradientOptimizationAlgorithm

BOTTOM, WEIGHTS = Tensor([1.0, 2.0]), Tensor([1.0, 3.0])


class Steepest(GradientOptimizationAlgorithm):
    def gen_search_vector(self, s_k: Tensor, y_k: Tensor, state: dict[str, Any]) -> None:
        state["search_vector"] = state["g_k"]


def bowl(x: Tensor) -> Tensor:
    return ((x - BOTTOM) ** 2 * WEIGHTS).sum()


def test_steps_are_made_until_there_are_enough() -> None:
    method = Steepest(bowl, grad(bowl))
    found = method.construct(Tensor(np.array([3.0, -1.0], np.float32)), maxiter=5)
    assert [found[name] for name in ("converged", "failed", "k", "nfev", "status")] == [False, False, 5, 9, 1]
    assert np.allclose(found["x_k"].asnumpy(), [1.1391624, 1.9579983], atol=1e-5)
    assert np.allclose([float(found["f_k"]), float(found["old_old_fval"])], [0.024658613, 0.09936658], atol=1e-5)
    assert method.construct(Tensor(np.array([3.0, -1.0], np.float32)))["status"] == 0
