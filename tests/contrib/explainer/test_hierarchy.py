"""Hierarchical occlusion: what a network decides by is found."""

import numpy as np
import pytest

from msbridge import Tensor, nn
from msbridge.contrib.explainer.hierarchy import Searcher, blur


class Spot(nn.Cell):
    """Its probability of class 1 is the share of ones in a part of the image."""

    def construct(self, x):
        share = x[:, 0, 70:90, 10:30].mean((1, 2)).reshape(-1, 1)
        return Tensor(np.array([[0, 1]], np.float32)) * share


def test_the_part_is_found():
    image = np.zeros((3, 112, 120), np.float32)
    image[:, 70:90, 10:30] = 1
    layers = Searcher(Spot(), threshold=0.9).search(image, 1)
    assert [len(layer.boxes) for layer in layers] == [1, 1]
    for layer, window in zip(layers, (56, 28), strict=True):
        ((x, y, width, height),) = layer.boxes
        assert (width, height) == (window, window)
        assert x <= 10
        assert y <= 70
        assert x + width >= 30
        assert y + height >= 90
        assert layer.output == pytest.approx(1)


def test_nothing_is_found_where_nothing_suffices():
    assert Searcher(Spot(), threshold=0.9).search(np.zeros((3, 112, 120), np.float32), 1) == []


def test_blur_is_a_gaussian():
    image = np.zeros((1, 75, 100), np.float32)
    image[0, 37, 50] = 1
    found = blur(image)[0]
    near = np.exp(-0.5 * (np.arange(-5, 6) / 3) ** 2)
    np.testing.assert_allclose(found[37, 45:56] / found[37, 50], near, rtol=1e-5)
    np.testing.assert_allclose(found.sum(), 1, rtol=1e-5)


def test_small_images_are_refused():
    with pytest.raises(ValueError, match="56 pixels"):
        Searcher(Spot()).search(np.zeros((3, 50, 80), np.float32), 1)
