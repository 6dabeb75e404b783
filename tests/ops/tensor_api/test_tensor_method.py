"""Functions that reach Tensor's methods; most of them are in the recorded cases."""

import numpy as np
import pytest

from msbridge import Tensor, ops
from msbridge.ops.tensor_api import tensor_method as T

X = Tensor(np.float32([[0.5, -1.5, 2.0], [-0.2, 1.0, 0.3]]))


def test_every_method_is_there() -> None:
    assert [name for name, method in T.methods().items() if not hasattr(Tensor, method)] == []


@pytest.mark.parametrize("name", ["asinh", "atan", "clone"])
def test_what_only_the_chip_computes(name: str) -> None:
    np.testing.assert_allclose(
        getattr(T, f"tensor_{name}")(X).asnumpy(), getattr(ops, name, ops.deepcopy)(X).asnumpy(), rtol=1e-6
    )


def test_in_place() -> None:
    x = X.copy()
    assert T.tensor_exp_(x) is x
    np.testing.assert_allclose(x.asnumpy(), np.exp(X.asnumpy()), rtol=1e-6)


def test_variance_with_a_correction() -> None:
    np.testing.assert_allclose(T.tensor_var(X, 1, correction=0).asnumpy(), X.asnumpy().var(1), rtol=1e-5)
    np.testing.assert_allclose(T.deprecated_tensor_var(X, 1, 1).asnumpy(), X.asnumpy().var(1, ddof=1), rtol=1e-5)
