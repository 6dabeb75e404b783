"""Faithfulness. Judge: its definitions in NumPy."""

import numpy as np
import pytest

from msbridge import Tensor, nn
from msbridge.contrib.explainer.benchmark import Faithfulness
from msbridge.contrib.explainer.explanation import Gradient
from tests.contrib.explainer.helpers_explainer import IMAGES, Net, probabilities

IMAGE, SALIENCY = IMAGES[:1], np.random.default_rng(1).random((1, 1, 8, 10)).astype(np.float32)
ORDER = np.argsort(-SALIENCY.reshape(-1))
STEPS = [ORDER[first : first + 5] for first in range(0, 40, 5)]  # √80 = 8 steps of 40 / 8 pixels


def hidden(pixels, image=IMAGE[0], other=0.0):
    changed = image.copy().reshape(2, -1)
    changed[:, pixels] = other if np.isscalar(other) else other.reshape(2, -1)[:, pixels]
    return probabilities(changed.reshape(2, 8, 10))[1]


def evaluate(metric):
    net = Net()
    measure = Faithfulness(3, nn.Softmax(), metric)
    return measure.evaluate(Gradient(net), Tensor(IMAGE), 1, Tensor(SALIENCY))


def test_correlation():
    importance = [SALIENCY.reshape(-1)[step].mean() for step in STEPS]
    expected = -np.corrcoef(importance, [hidden(step) for step in STEPS])[0, 1]
    np.testing.assert_allclose(evaluate("NaiveFaithfulness"), [(1 + expected) / 2], rtol=1e-3)


def test_deletion():
    falls = [probabilities(IMAGE[0])[1] - hidden(np.concatenate(STEPS[: last + 1])) for last in range(8)]
    expected = 1 - sum(falls[1:-1]) / 8
    np.testing.assert_allclose(evaluate("DeletionAUC"), [(1 + expected) / 2], rtol=1e-4)


def test_insertion():
    black = np.zeros_like(IMAGE[0])
    rises = [hidden(np.concatenate(STEPS[: last + 1]), black, IMAGE[0]) - probabilities(black)[1] for last in range(8)]
    np.testing.assert_allclose(evaluate("InsertionAUC"), [(1 + sum(rises[1:-1]) / 8) / 2], rtol=1e-4)


def test_a_uniform_map_counts_as_uncorrelated():
    measure = Faithfulness(3, nn.Softmax())
    found = measure.evaluate(Gradient(Net()), Tensor(IMAGE), 1, Tensor(np.ones_like(SALIENCY)))
    assert found.tolist() == [0.5]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: Faithfulness(3, nn.Softmax(), "no"), ValueError, "metric"),
        (lambda: Faithfulness(3, 1), TypeError, "activation_fn"),
        (lambda: Faithfulness(2, nn.Softmax()).evaluate(Gradient(Net()), Tensor(IMAGE), 1), ValueError, "classes"),
        (lambda: Faithfulness(3, nn.Softmax()).evaluate(Gradient(Net()), Tensor(IMAGES), 1), ValueError, "one image"),
        (lambda: Faithfulness(3, nn.Softmax()).evaluate(Gradient(Net()), Tensor(IMAGE), 3), ValueError, "targets"),
        (lambda: Faithfulness(3, nn.Softmax()).evaluate(Net(), Tensor(IMAGE), 1), TypeError, "explainer"),
    ],
)
def test_bad_argument(call, error, words):
    with pytest.raises(error, match=words):
        call()
