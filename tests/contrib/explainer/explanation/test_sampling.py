"""RISE. Judge: its definition in NumPy on the masks that it draws."""

import numpy as np
import pytest

from msbridge import Tensor, int32, nn
from msbridge.contrib.explainer.explanation import RISE, sampling
from tests.contrib.explainer.helpers_explainer import IMAGES, Net, probabilities


def test_masks_weighted_by_probabilities(monkeypatch):
    drawn, draw = [], sampling._masks
    monkeypatch.setattr(sampling, "_masks", lambda *args: drawn.append(draw(*args)) or drawn[-1])
    rise = RISE(Net(), nn.Softmax(), perturbation_per_eval=8)
    rise._num_masks = 20
    found = rise(Tensor(IMAGES), Tensor([[2, 0], [1, 1]], int32))
    assert found.shape == (2, 2, 8, 10)
    assert [len(masks) for masks in drawn] == [8, 8, 4] * 2
    for image, masks, labels, maps in zip(
        IMAGES, (np.concatenate(drawn[:3]), np.concatenate(drawn[3:])), ((2, 0), (1, 1)), found.asnumpy(), strict=True
    ):
        for place, label in enumerate(labels):
            expected = sum(probabilities(mask * image)[label] * mask[0] for mask in masks) / 20
            np.testing.assert_allclose(maps[place], expected, rtol=1e-3, atol=1e-5)


def test_masks_are_smooth_and_let_a_half_through():
    np.random.seed(1)
    masks = sampling._masks(300, (40, 60))
    assert masks.shape == (300, 1, 40, 60)
    assert masks.min() >= 0
    assert masks.max() <= 1.000001
    assert abs(masks.mean() - 0.5) < 0.03
    assert np.abs(np.diff(masks, axis=2)).max() < 0.25


def test_bad_argument():
    with pytest.raises(ValueError, match="targets"):
        RISE(Net(), nn.Softmax())(Tensor(IMAGES), Tensor([1, 2, 0], int32))
