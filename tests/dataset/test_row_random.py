"""Random numbers of rows and of blocks of rows, and the transforms that draw them."""

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset import audio, transforms, vision
from msbridge.dataset.row_random import BlockRandom, RowRandom
from tests.dataset.pipelines import PIXELS

SOUND = np.abs(np.random.default_rng(1).random((12, 6, 9)))
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
    vision.AutoAugment(),
    vision.RandAugment(),
    vision.TrivialAugmentWide(),
    vision.RandomAffine(20, (-0.2, 0.2, -0.1, 0.1), (0.5, 2.0), 10),
    vision.RandomRotation(90),
    vision.RandomLighting(1.0),
    vision.RandomSharpness(),
    vision.RandomAdjustSharpness(2.0),
    vision.RandomColor(),
    vision.RandomErasing(0.9, (0.1, 0.3)),
    vision.UniformAugment([vision.VerticalFlip(), vision.HorizontalFlip(), vision.Invert()]),
    vision.RandomSelectSubpolicy([[(vision.Invert(), 0.5)], [(vision.VerticalFlip(), 0.9), (vision.Invert(), 1.0)]]),
    transforms.RandomApply([vision.VerticalFlip()]),
    transforms.RandomChoice([vision.VerticalFlip(), vision.HorizontalFlip(), vision.Invert()]),
    transforms.RandomOrder([vision.RandomHorizontalFlip(), vision.RandomVerticalFlip()]),
    audio.Dither(audio.DensityFunction.RPDF),
    audio.Dither(audio.DensityFunction.GPDF, True),
    audio.MaskAlongAxisIID(3, 9.0, 1),
    audio.FrequencyMasking(True, 3, 0, 9.0),
    audio.TimeMasking(True, 3, 0, 9.0),
    audio.InverseMelScale(4, 6, max_iter=2),
    audio.GriffinLim(10, 2),
]


def test_rows_draw_what_blocks_draw() -> None:
    keys = np.arange(5, dtype=np.uint64)
    block = BlockRandom(keys)
    one = [RowRandom(int(key)) for key in keys]
    np.testing.assert_array_equal(block.uniform(2, 5), [draw.uniform(2, 5) for draw in one])
    np.testing.assert_array_equal(block.integer(3, 9), [draw.integer(3, 9) for draw in one])
    assert [draw.uniform() for draw in BlockRandom(keys)] == [RowRandom(int(key)).uniform() for key in keys]


def test_draws_are_evenly_distributed() -> None:
    values = BlockRandom(np.arange(100000, dtype=np.uint64)).uniform()
    assert 0 <= values.min() < values.max() < 1
    assert abs(np.histogram(values, 10, (0, 1))[0] - 10000).max() < 500  # five standard deviations
    assert sorted(RowRandom(1).order(9)) == list(range(9))


def passes(operation: object, batched: bool = True, epochs: int = 1) -> list[np.ndarray]:
    """What the rows of each epoch become, as one array."""
    rows = SOUND if ".audio." in type(operation).__module__ else PIXELS
    data = ds.NumpySlicesDataset(rows, ["x"], shuffle=False).map(operation, "x")
    data = data.batch(len(rows)) if batched else data.map(lambda row: row, "x").batch(len(rows))
    return [row[0] for row in data.repeat(epochs).create_tuple_iterator(num_epochs=1, output_numpy=True)]


@pytest.mark.parametrize("operation", RANDOM, ids=lambda operation: type(operation).__name__)
@pytest.mark.usefixtures("seeded")
def test_a_seed_fixes_the_numbers(operation: object) -> None:
    first, second = passes(operation, epochs=2)
    np.testing.assert_array_equal(passes(operation)[0], first)
    assert (first != second).any()
    ds.config.set_seed(12)
    assert (passes(operation)[0] != first).any()


@pytest.mark.parametrize("operation", RANDOM, ids=lambda operation: type(operation).__name__)
@pytest.mark.usefixtures("seeded")
def test_a_batch_gets_the_numbers_of_its_rows(operation: object) -> None:
    np.testing.assert_array_equal(passes(operation)[0], passes(operation, batched=False)[0])
