"""Occlusion. Judge: its definition in NumPy."""

import numpy as np
import pytest

from msbridge import Tensor, nn
from msbridge.contrib.explainer.explanation import Occlusion
from tests.contrib.explainer.helpers_explainer import IMAGES, Net, probabilities


def test_falls_are_averaged_over_the_windows():
    falls, counts = np.zeros((8, 10)), np.ones((8, 10))
    for row in range(6):
        for column in range(8):
            image = IMAGES[1].copy()
            image[:, row : row + 3, column : column + 3] = 0
            falls[row : row + 3, column : column + 3] += probabilities(IMAGES[1])[2] - probabilities(image)[2]
            counts[row : row + 3, column : column + 3] += 1
    found = Occlusion(Net(), nn.Softmax(), perturbation_per_eval=7)(Tensor(IMAGES), 2)
    assert found.shape == (2, 1, 8, 10)
    np.testing.assert_allclose(found.asnumpy()[1, 0], np.abs(falls / counts), rtol=1e-3, atol=1e-6)


def test_bad_argument():
    with pytest.raises(TypeError, match="activation_fn"):
        Occlusion(Net(), 1)
    with pytest.raises(ValueError, match="perturbation_per_eval"):
        Occlusion(Net(), nn.Softmax(), 0)
