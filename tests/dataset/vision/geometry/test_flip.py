import pytest

from msbridge.dataset import vision
from msbridge.dataset.vision.geometry import flip
from tests.dataset.transform_tests import PIXELS, RandomTests, RecordedTests, RefusalTests, images


class TestFlip(RandomTests, RecordedTests, RefusalTests):
    module = flip


@pytest.mark.usefixtures("seeded")
def test_flips_come_as_often_as_asked() -> None:
    flipped = (images(vision.RandomHorizontalFlip(0.25), epochs=20) != PIXELS[None]).any(axis=(2, 3, 4))
    assert abs(flipped.mean() - 0.25) < 0.06  # five standard deviations of 1,280 draws
