import numpy as np
import pytest

from msbridge.dataset import vision
from tests.dataset.pipelines import PIXELS, images


@pytest.mark.usefixtures("seeded")
def test_crops_are_parts_of_the_image() -> None:
    for image, part in zip(PIXELS, images(vision.RandomCrop((4, 5)))[0], strict=True):
        windows = np.lib.stride_tricks.sliding_window_view(image, (4, 5, 3)).reshape(-1, 4, 5, 3)
        assert (windows == part).all(axis=(1, 2, 3)).any()
