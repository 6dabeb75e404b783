import numpy as np
import pytest

from msbridge.dataset import vision


@pytest.mark.usefixtures("seeded")
def test_a_rectangle_has_its_share_and_colour() -> None:
    image = np.ones((3, 40, 50), np.float32)
    for _ in range(20):
        erased = vision.RandomErasing(1.0, (0.1, 0.2), (0.5, 2.0), (7, 8, 9))(image)
        changed = erased != image
        assert 0.08 < changed.mean() < 0.22
        assert [set(plane[mask].tolist()) for plane, mask in zip(erased, changed, strict=True)] == [{7.0}, {8.0}, {9.0}]


@pytest.mark.usefixtures("seeded")
def test_in_place_the_input_is_changed() -> None:
    image = np.ones((3, 40, 50), np.float32)
    assert vision.RandomErasing(1.0, value="random", inplace=True)(image) is image
    assert (image != 1).any()
