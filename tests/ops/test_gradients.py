"""Gradients as operators. Judge: the gradient of the operator itself; most of them are in the recorded cases."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, ops
from msbridge.ops import gradients

X = Tensor(np.array([[0.5, -1.5, 2.0], [-0.2, 1.0, 0.3]], np.float32))
DOUT = Tensor(np.array([[1.0, 2.0, -1.0], [0.5, -0.5, 3.0]], np.float32))


def close(result: Tensor, expected: Tensor) -> None:
    np.testing.assert_allclose(result.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)


def test_selu_from_its_result() -> None:
    close(gradients.SeluGrad()(DOUT, ops.SeLU()(X)), ms.grad(lambda x: (ops.SeLU()(x) * DOUT).sum())(X))


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_soft_margin_loss(reduction: str) -> None:
    label = Tensor(np.sign(DOUT.asnumpy()))
    dout = DOUT if reduction == "none" else Tensor(0.5, ms.float32)
    expected = ms.grad(lambda x: (ops.SoftMarginLoss(reduction)(x, label) * dout).sum())(X)
    close(gradients.SoftMarginLossGrad(reduction)(X, label, dout), expected)


def test_a_gradient_has_a_gradient() -> None:
    found = ms.grad(lambda x: gradients.SiLUGrad()(DOUT, x).sum())(X)
    expected = ms.grad(lambda x: (ms.grad(lambda y: ops.silu(y).sum())(x) * DOUT).sum())(X)
    close(found, expected)


def test_the_table_is_whole() -> None:
    assert len(gradients.__all__) == len(set(gradients.__all__)) >= 60
