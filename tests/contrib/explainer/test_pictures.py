"""Files of images and maps."""

import numpy as np
import pytest

from msbridge.contrib.explainer.pictures import Pictures

pytestmark = pytest.mark.needs(package="PIL")


def test_paths_and_sizes(tmp_path):
    from PIL import Image

    pictures = Pictures(tmp_path, 12)
    image = pictures.save_image(1002, np.random.default_rng(0).normal(size=(3, 8, 10)))
    grey = pictures.save_image(1, np.zeros((1, 8, 10)))
    heat = pictures.save_map("Gradient", 3, 5, np.arange(80.0).reshape(8, 10))
    assert (image, grey) == ("_explain_12/origin_images/1/1002.jpg", "_explain_12/origin_images/0/1.jpg")
    assert heat == "_explain_12/heatmap/Gradient/0/3_5.jpg"
    with Image.open(tmp_path / image) as one, Image.open(tmp_path / heat) as other:
        assert (one.mode, one.size, other.mode, other.size) == ("RGB", (10, 8), "L", (10, 8))
        assert other.getextrema()[1] > 240
