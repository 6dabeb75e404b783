"""Random numbers of transforms: which rows and operations share them, and eager calls."""

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset import vision
from msbridge.dataset.transforms.base import Implementation
from tests.dataset.pipelines import PIXELS, images

pytestmark = pytest.mark.usefixtures("seeded")


def test_repeated_rows_get_other_numbers() -> None:
    data = ds.NumpySlicesDataset({"image": PIXELS}, shuffle=False).map(vision.RandomHorizontalFlip(), "image")
    first, second = [row[0] for row in data.repeat(2).batch(64).create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert (first != second).any()


def test_two_operations_get_other_numbers() -> None:
    flips = [vision.RandomHorizontalFlip(), vision.RandomHorizontalFlip()]
    assert (images(flips)[0] != PIXELS).any()  # equal numbers would undo each other


def test_a_shuffle_takes_the_numbers_along() -> None:
    def rows(behind: bool) -> list[bytes]:
        data = ds.NumpySlicesDataset({"image": PIXELS}, shuffle=False).map(vision.RandomHorizontalFlip(), "image")
        data = data.shuffle(64) if behind else data
        return sorted(row[0].tobytes() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True))

    assert rows(behind=True) == rows(behind=False)


def test_eager_calls_differ_and_repeat_with_the_seed() -> None:
    flip = vision.RandomCrop((3, 3))
    image = np.arange(40 * 40).reshape(40, 40).astype(np.float32)

    def corners() -> list[float]:
        return [flip(image)[0, 0] for _ in range(8)]

    ds.config.set_seed(5)
    first = corners()
    assert len(set(first)) > 1
    ds.config.set_seed(6)
    assert corners() != first
    ds.config.set_seed(5)
    assert corners() == first


def test_a_script_may_choose_the_implementation() -> None:  # of arrays or of PIL images: recorded from MindSpore 2.10
    adjust = vision.RandomColorAdjust(brightness=0.5)
    assert adjust.implementation is None
    adjust.implementation = Implementation.C
    assert isinstance(adjust(PIXELS[0]), np.ndarray)
    assert adjust.implementation == Implementation.C
