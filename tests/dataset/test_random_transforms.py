"""Random transforms: the same numbers for the same seed, wherever the transform stands; judged by their properties."""

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.core import random as core_random
from msbridge.dataset import transforms, vision
from msbridge.dataset.draws import Draw, Draws

IMAGES = np.arange(64 * 6 * 8 * 3).reshape(64, 6, 8, 3).astype(np.uint8)


@pytest.fixture(autouse=True)
def seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(core_random._state, "seed", None)
    monkeypatch.setattr(ds.config._settings, "seed", None)
    ds.config.set_seed(11)


def images(operation: object, *, batched: bool = True, epochs: int = 1) -> list[np.ndarray]:
    data = ds.NumpySlicesDataset({"image": IMAGES}, shuffle=False).map(operation, "image")
    data = data.batch(64) if batched else data.map(lambda image: image, "image").batch(64)
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    return [row[0] for _ in range(epochs) for row in iterator]


RANDOM = [
    vision.RandomHorizontalFlip(),
    vision.RandomVerticalFlip(0.3),
    vision.RandomCrop((4, 5)),
    vision.RandomCrop((6, 8), 2),
    vision.RandomResizedCrop(5),
    vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.1),
    vision.RandomSolarize(),
    vision.RandomPosterize((2, 7)),
    vision.RandomResize((4, 4)),
    vision.CutOut(3),
    vision.RandomInvert(),
    transforms.RandomApply([vision.VerticalFlip()]),
    transforms.RandomChoice([vision.VerticalFlip(), vision.HorizontalFlip(), vision.Invert()]),
    transforms.RandomOrder([vision.RandomHorizontalFlip(), vision.RandomVerticalFlip()]),
]


@pytest.mark.parametrize("operation", RANDOM, ids=lambda operation: type(operation).__name__)
def test_a_seed_fixes_the_numbers(operation: object) -> None:
    first, second = images(operation, epochs=2)
    np.testing.assert_array_equal(images(operation)[0], first)
    assert (first != second).any()
    ds.config.set_seed(12)
    assert (images(operation)[0] != first).any()


@pytest.mark.parametrize("operation", RANDOM, ids=lambda operation: type(operation).__name__)
def test_a_batch_gets_the_numbers_of_its_rows(operation: object) -> None:
    np.testing.assert_array_equal(images(operation)[0], images(operation, batched=False)[0])


def test_repeated_rows_get_other_numbers() -> None:
    data = ds.NumpySlicesDataset({"image": IMAGES}, shuffle=False).map(vision.RandomHorizontalFlip(), "image")
    first, second = [row[0] for row in data.repeat(2).batch(64).create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert (first != second).any()


def test_two_operations_get_other_numbers() -> None:
    flips = [vision.RandomHorizontalFlip(), vision.RandomHorizontalFlip()]
    assert (images(flips)[0] != IMAGES).any()  # equal numbers would undo each other


def test_a_shuffle_takes_the_numbers_along() -> None:
    def rows(behind: bool) -> list[bytes]:
        data = ds.NumpySlicesDataset({"image": IMAGES}, shuffle=False).map(vision.RandomHorizontalFlip(), "image")
        data = data.shuffle(64) if behind else data
        return sorted(row[0].tobytes() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True))

    assert rows(behind=True) == rows(behind=False)


def test_flips_come_as_often_as_asked() -> None:
    flipped = (images(vision.RandomHorizontalFlip(0.25), epochs=20) != IMAGES[None]).any(axis=(2, 3, 4))
    assert abs(flipped.mean() - 0.25) < 0.06  # five standard deviations of 1,280 draws


def test_crops_are_parts_of_the_image() -> None:
    for image, crop in zip(IMAGES, images(vision.RandomCrop((4, 5)))[0], strict=True):
        windows = np.lib.stride_tricks.sliding_window_view(image, (4, 5, 3)).reshape(-1, 4, 5, 3)
        assert (windows == crop).all(axis=(1, 2, 3)).any()


def test_pil_images_stay_pil_images() -> None:
    pytest.importorskip("PIL")
    chain = [
        vision.ToPIL(),
        vision.RandomCrop((5, 6), 1),
        vision.RandomHorizontalFlip(),
        vision.RandomResizedCrop(6),
        vision.RandomColorAdjust(0.2, 0.2, 0.2, 0.1),
        vision.RandomGrayscale(0.5),
        vision.ToTensor(),
    ]
    (batch,) = images(chain)
    assert (batch.shape, batch.dtype) == ((64, 3, 6, 6), np.float32)


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


def test_rows_draw_what_blocks_draw() -> None:
    keys = np.arange(5, dtype=np.uint64)
    block = Draws(keys)
    one = [Draw(int(key)) for key in keys]
    np.testing.assert_array_equal(block.uniform(2, 5), [draw.uniform(2, 5) for draw in one])
    np.testing.assert_array_equal(block.integer(3, 9), [draw.integer(3, 9) for draw in one])
    assert [draw.uniform() for draw in Draws(keys)] == [Draw(int(key)).uniform() for key in keys]


def test_draws_are_evenly_distributed() -> None:
    values = Draws(np.arange(100000, dtype=np.uint64)).uniform()
    assert 0 <= values.min() < values.max() < 1
    assert abs(np.histogram(values, 10, (0, 1))[0] - 10000).max() < 500  # five standard deviations
    assert sorted(Draw(1).order(9)) == list(range(9))
