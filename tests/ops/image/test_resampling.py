"""Resampling of images. Judge: numpy loops; most of it is in the recorded cases."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, ops

X = np.random.default_rng(3).normal(size=(2, 3, 6, 7)).astype(np.float32)
WEIGHT = np.random.default_rng(4).normal(size=(3, 3, 2)).astype(np.float32)


@pytest.mark.parametrize(("stride", "dilation"), [((1, 1), (1, 1)), ((2, 1), (1, 2))])
def test_dilation(stride: tuple[int, int], dilation: tuple[int, int]) -> None:
    found = ops.Dilation2D(stride, dilation, "valid")(Tensor(X), Tensor(WEIGHT)).asnumpy()
    rows = range(0, 6 - 2 * dilation[0], stride[0])
    columns = range(0, 7 - dilation[1], stride[1])
    high, wide = 2 * dilation[0] + 1, dilation[1] + 1
    windows = [[X[:, :, top : top + high, left : left + wide] for left in columns] for top in rows]
    steps = (..., slice(None, None, dilation[0]), slice(None, None, dilation[1]))
    expected = np.array([[(one[steps] + WEIGHT).max((2, 3)) for one in row] for row in windows])
    np.testing.assert_allclose(found, expected.transpose(2, 3, 0, 1), rtol=1e-6)


def test_dilation_keeps_the_size_and_has_gradients() -> None:
    same = ops.Dilation2D(1, 1, "same")
    assert same(Tensor(X), Tensor(WEIGHT)).shape == X.shape
    dx, dw = ms.grad(lambda x, w: same(x, w).sum(), (0, 1))(Tensor(X), Tensor(WEIGHT))
    assert dx.asnumpy().sum() == dw.asnumpy().sum() == X.size


@pytest.mark.parametrize("noise", ["uniform", "gaussian"])
def test_outside_of_a_glimpse_is_noise(noise: str) -> None:
    op = ops.ExtractGlimpse(False, False, noise == "uniform", noise)
    images = Tensor(np.random.default_rng(0).normal(5, 2, (1, 8, 8, 1)).astype(np.float32))
    found = op(images, Tensor(np.array([40, 40], np.int32)), Tensor(np.array([[0.0, 0.0]], np.float32))).asnumpy()
    outside = found[0, :18]
    assert (100 < outside.mean() < 155) if noise == "uniform" else (4 < outside.mean() < 6)


def test_upsampling_takes_one_of_size_and_scales() -> None:
    with pytest.raises(ValueError, match="exactly one"):
        ops.UpsampleNearest3D()(Tensor(X[None, None]), None, None)
