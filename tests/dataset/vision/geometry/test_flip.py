import pytest

from msbridge.dataset import vision
from tests.dataset.pipelines import PIXELS, images


@pytest.mark.usefixtures("seeded")
def test_flips_come_as_often_as_asked() -> None:
    flipped = (images(vision.RandomHorizontalFlip(0.25), epochs=20) != PIXELS[None]).any(axis=(2, 3, 4))
    assert abs(flipped.mean() - 0.25) < 0.06  # five standard deviations of 1,280 draws
