"""Special functions. Judge: Python's math and torch."""

import math

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, ops

ANY = {
    "sinc": np.sinc,
}
DIFFERENTIABLE = ["erf", "lgamma"]


@pytest.mark.parametrize("name", ANY)
def test_functions_of_any_number(name) -> None:
    x = np.linspace(-2.3, 2.4, 12, dtype=np.float32).reshape(3, 4)
    np.testing.assert_allclose(getattr(ops, name)(Tensor(x)).asnumpy(), ANY[name](x), rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients_are_torchs(name) -> None:
    data = torch.linspace(0.3, 1.4, 4, requires_grad=True)
    getattr(torch, name)(data).sum().backward()
    mine = ms.grad(lambda x: getattr(ops, name)(x).sum())(Tensor(data.detach()))
    np.testing.assert_allclose(mine.asnumpy(), data.grad.numpy(), rtol=1e-5)


@pytest.mark.parametrize("name", ["erf"])
@pytest.mark.parametrize("shape", [(), (0, 3)])
def test_scalars_and_empty_tensors_keep_their_shape(name, shape) -> None:
    assert getattr(ops, name)(ops.ones(shape)).shape == shape


def test_special_functions() -> None:
    x = Tensor([0.5])
    assert ops.erf(x).item() == pytest.approx(math.erf(0.5))
    assert ops.lgamma(Tensor([4.5])).item() == pytest.approx(math.lgamma(4.5), rel=1e-6)
    assert ops.Polygamma()(Tensor(1), Tensor([1.0])).item() == pytest.approx(math.pi**2 / 6)
    assert ops.igamma(Tensor([1.0]), Tensor([1.0])).item() == pytest.approx(1 - math.exp(-1))
    assert ops.erfinv(ops.erf(x)).item() == pytest.approx(0.5, rel=1e-5)
