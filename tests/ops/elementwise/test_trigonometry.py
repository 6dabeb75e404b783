"""Trigonometric functions of each element. Judge: numpy's formula, torch for gradients."""

import numpy as np
import pytest
import torch

import msbridge as ms
from msbridge import Tensor, ops

ANY = {
    "cos": np.cos,
    "cosh": np.cosh,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "deg2rad": np.deg2rad,
    "rad2deg": np.rad2deg,
    "sin": np.sin,
    "sinh": np.sinh,
    "tan": np.tan,
}
DIFFERENTIABLE = ["cos", "sin", "tan"]


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


@pytest.mark.parametrize("name", ["sin"])
@pytest.mark.parametrize("shape", [(), (0, 3)])
def test_scalars_and_empty_tensors_keep_their_shape(name, shape) -> None:
    assert getattr(ops, name)(ops.ones(shape)).shape == shape
