"""ClassSensitivity. Judge: NumPy's correlation of maps."""

import numpy as np

from msbridge import Tensor
from msbridge.contrib.explainer.benchmark import ClassSensitivity
from msbridge.contrib.explainer.explanation import Gradient
from tests.contrib.explainer.helpers_explainer import IMAGES, Net, gradient, logits


def test_correlation_of_the_extreme_classes():
    scores = logits(IMAGES[0])
    most, least = (
        np.abs(gradient(IMAGES[0], label)).max(0).reshape(-1) for label in (scores.argmax(), scores.argmin())
    )
    found = ClassSensitivity().evaluate(Gradient(Net()), Tensor(IMAGES[:1]))
    np.testing.assert_allclose(found, [(1 - np.corrcoef(most, least)[0, 1]) / 2], rtol=1e-4)
