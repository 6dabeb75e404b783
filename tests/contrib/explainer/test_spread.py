"""Variances under dropout. Judge: moments of beta distributions."""

import numpy as np
import pytest

from msbridge import nn
from msbridge.contrib.explainer.spread import Spread, Variances
from tests.contrib.explainer.helpers_explainer import IMAGES, Net


@pytest.mark.needs(package="scipy")
def test_intervals():
    found = Variances(np.array([0.01, 0.0, 1 / 12])).of(np.array([0.5, 0.3, 0.5]))
    np.testing.assert_allclose(found["sd"], [0.1, 0, 12**-0.5])
    np.testing.assert_allclose(found["itl95_low"][1:], [0.3, 0.025], rtol=1e-6)  # none, and that of the uniform one
    np.testing.assert_allclose(found["itl95_hi"][1:], [0.3, 0.975], rtol=1e-6)
    assert found["itl95_low"][0] + found["itl95_hi"][0] == pytest.approx(1)


def test_dropout_alone_is_in_training():
    net = nn.SequentialCell([Net(), nn.Softmax()])
    variances = Spread(net).of(IMAGES)
    assert len(variances) == 2
    assert all((one.values > 0).all() for one in variances)
    assert net[0].drop.training
    assert not net[0].conv.training


def test_without_dropout():
    with pytest.raises(ValueError, match="Dropout"):
        Spread(nn.SequentialCell([nn.ReLU()]))
