"""Minima: the recorded ones are in tests/oracle/cases/scipylike.py; here those that end in rounding."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, ops
from msbridge.scipy.optimize import minimize

START = np.zeros(2)


def rosenbrock(x: Tensor) -> Tensor:
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


@pytest.mark.parametrize("method", ["BFGS", "lbfgs"])
def test_a_curved_valley_is_followed_to_its_end(method: str) -> None:
    found = minimize(rosenbrock, Tensor(START), method=method)
    assert found.success
    assert np.allclose(found.x.asnumpy(), 1, atol=1e-5)
    assert found.nfev == found.njev < 60


def test_the_gradient_may_be_given() -> None:
    calls = []

    def slope(x: Tensor) -> Tensor:
        calls.append(x)
        return 2 * (x - 3)

    found = minimize(lambda x: ((x - 3) ** 2).sum(), Tensor(START), method="BFGS", jac=slope)
    assert len(calls) == found.njev
    assert np.allclose(found.x.asnumpy(), 3)


def test_constraints_hold_with_the_lagrangian_method() -> None:
    found = minimize(
        lambda x: ((x - 2) ** 2).sum(),
        Tensor(np.zeros(2, np.float32)),
        method="LAGRANGE",
        constraints=[lambda x: x.sum() - 2],
        tol=[0.05],
        options={"steps": 60, "rounds": 4},
    )
    assert found.succeeded
    assert np.allclose(found.best_value, 1, atol=0.1)


def test_bounds_hold_with_the_lagrangian_method() -> None:
    found = minimize(
        lambda x: (x - 2).sum() ** 2,
        Tensor(np.zeros(1, np.float32)),
        method="lagrange",
        constraints=[lambda x: ops.zeros((), ms.float32) - 1],
        options={"steps": 80, "rounds": 2, "lower": [0.0], "upper": [1.0]},
    )
    assert 0 < found.best_value[0] < 1
