"""Robustness. Judge: its definition, on networks whose maps are known."""

import numpy as np
import pytest

from msbridge import Tensor, nn
from msbridge.contrib.explainer.benchmark import Robustness
from msbridge.contrib.explainer.explanation import Gradient
from tests.contrib.explainer.helpers_explainer import IMAGES, Net


class Linear(nn.Cell):
    """A classifier whose gradients are the same everywhere."""

    def construct(self, x):
        return x.mean((2, 3))


def test_a_map_that_stays_is_robust():
    found = Robustness(2, nn.Softmax()).evaluate(Gradient(Linear()), Tensor(IMAGES[:1]), 1)
    np.testing.assert_allclose(found, [1])


def test_the_greatest_distance_counts():
    maps = iter([1.0, 1.5, *[1.25] * 9])

    class Counted(Gradient):
        def __call__(self, inputs, targets):
            return Tensor(np.full((1, 1, 2, 2), next(maps), np.float32))

    found = Robustness(2, nn.Softmax()).evaluate(Counted(Linear()), Tensor(IMAGES[:1]), 1)
    np.testing.assert_allclose(found, [np.exp(-0.5)], rtol=1e-6)


def test_a_map_of_zeros_has_no_result(capsys):
    found = Robustness(3, nn.Softmax()).evaluate(
        Gradient(Net()), Tensor(IMAGES[:1]), 1, Tensor(np.zeros((1, 1, 8, 10), np.float32))
    )
    assert np.isnan(found).tolist() == [True]
    assert "NaN" in capsys.readouterr().err


def test_bad_argument():
    with pytest.raises(TypeError, match="activation_fn"):
        Robustness(2, len)
