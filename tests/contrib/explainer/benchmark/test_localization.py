"""Localization. Judge: its definition, on maps made by hand."""

import numpy as np
import pytest

from msbridge import Tensor, nn
from msbridge.contrib.explainer.benchmark import Localization
from msbridge.contrib.explainer.explanation import Gradient


class Flat(nn.Cell):
    """A classifier of images of any size."""

    def construct(self, x):
        return x.mean((2, 3))


IMAGE = Tensor(np.zeros((1, 2, 40, 60), np.float32))
SALIENCY = np.zeros((1, 1, 40, 60), np.float32)
SALIENCY[0, 0, 5, 50] = 1
SALIENCY[0, 0, 10:12, 10:20] = 0.6


def evaluate(metric, rows, columns):
    mask = np.zeros((1, 1, 40, 60))
    mask[:, :, rows, columns] = 1
    measure = Localization(2, metric)
    return measure.evaluate(Gradient(Flat()), IMAGE, 1, Tensor(SALIENCY), mask).tolist()


@pytest.mark.parametrize(
    ("rows", "columns", "expected"),
    [
        (slice(0, 10), slice(45, 55), 1),  # around the greatest value
        (slice(5, 6), slice(20, 37), 1),  # 14 pixels away
        (slice(5, 6), slice(20, 36), 0),  # 15 pixels away
        (slice(30, 40), slice(0, 10), 0),
    ],
)
def test_pointing_game(rows, columns, expected):
    assert evaluate("PointingGame", rows, columns) == [expected]


def test_share_of_the_salient_region():
    assert evaluate("IoSR", slice(10, 12), slice(15, 30)) == [10 / 21]


def test_bad_argument():
    with pytest.raises(ValueError, match="metric"):
        Localization(2, "no")
    with pytest.raises(ValueError, match="mask"):
        Localization(2).evaluate(Gradient(Flat()), IMAGE, 1)
    with pytest.raises(TypeError, match="mask"):
        Localization(2).evaluate(Gradient(Flat()), IMAGE, 1, mask=1)
