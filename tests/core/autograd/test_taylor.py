"""Taylor series, against the derivatives that are known."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn, ops

X = np.array([0.5, 1.0, 2.0], np.float32)


class Wave(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return ops.sin(x)


def test_jet_gives_each_order_of_the_chain_rule() -> None:
    first, second = np.array([1.0, 2.0, 3.0], np.float32), np.array([0.5, 0.0, -1.0], np.float32)
    value, series = ops.jet(Wave(), Tensor(X), Tensor(np.stack([first, second])))
    np.testing.assert_allclose(value.asnumpy(), np.sin(X), rtol=1e-6)
    expected = [np.cos(X) * first, -np.sin(X) * first**2 + np.cos(X) * second]
    np.testing.assert_allclose(series.asnumpy(), expected, rtol=1e-5, atol=1e-6)


def test_jet_of_several_inputs_moves_them_together() -> None:
    ones = Tensor(np.ones((1, 3), np.float32))
    _, series = ops.jet(ops.mul, (Tensor(X), Tensor(X + 1)), (ones, ones))
    np.testing.assert_allclose(series.asnumpy()[0], X + X + 1, rtol=1e-6)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_derivative_of_an_exponential_is_itself(order: int) -> None:
    _, last = ops.derivative(ops.exp, Tensor(X), order)
    np.testing.assert_allclose(last.asnumpy(), np.exp(X), rtol=1e-5)


def test_series_must_be_of_one_order() -> None:
    with pytest.raises(ValueError, match="order"):
        ops.jet(
            ops.mul, (Tensor(X), Tensor(X)), (Tensor(np.ones((1, 3), np.float32)), Tensor(np.ones((2, 3), np.float32)))
        )


def test_jvp_of_a_gradient_and_of_integers() -> None:
    x = Tensor(X)
    np.testing.assert_allclose(ms.jvp(ms.grad(lambda a: a * a * a), x, x)[1].asnumpy(), 6 * X * X, rtol=1e-6)
    assert ms.jvp(lambda a: a * a, Tensor([1, 2]), Tensor([1, 1]))[1].asnumpy().tolist() == [2, 4]
