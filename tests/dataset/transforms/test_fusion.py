"""A chain returns the same whether its rows are computed together, one by one, or by hand."""

import numpy as np
import pytest

from msbridge.dataset import transforms, vision
from msbridge.dataset.row_random import RowRandom, splitmix64
from msbridge.dataset.transforms.base import ChainStep, RandomTransform
from msbridge.dataset.transforms.fusion import LARGE_BYTES, apply_steps

PLANES = (vision.Normalize([121.0, 115.0, 100.0], [70.0, 68.0, 71.0]), vision.HWC2CHW())
CHAINS = {
    "crop, flip, planes": (vision.RandomCrop(30, 4), vision.RandomHorizontalFlip(), vision.Rescale(0.1, 0.2), *PLANES),
    "resize in between": (vision.RandomVerticalFlip(), vision.Resize((20, 24)), *PLANES),
    "no table": (vision.RandomHorizontalFlip(), vision.HWC2CHW()),
    "nothing random": PLANES,
    "by choice": (transforms.RandomChoice([vision.VerticalFlip(), vision.Invert()]), *PLANES),
}
SMALL, LARGE = (36, 32, 3), (90, 80, 3)


def steps_of(chain: str) -> tuple[ChainStep, ...]:
    return tuple(ChainStep(transform, splitmix64(number)) for number, transform in enumerate(CHAINS[chain]))


def rows_of(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    random = np.random.default_rng(2)
    return [random.integers(0, 256, shape, np.uint8) for shape in shapes]


def by_hand(chain: str, rows: list[np.ndarray], keys: np.ndarray) -> list[np.ndarray]:
    done = []
    for row, key in zip(rows, keys.tolist(), strict=True):
        for step in steps_of(chain):
            is_random = isinstance(step.transform, RandomTransform)
            row = (
                step.transform.transform_value(row, RowRandom(key ^ step.stream_id))
                if is_random
                else step.transform.transform_value(row)
            )
        done.append(row)
    return done


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("shapes", [[SMALL] * 5, [LARGE] * 5, [SMALL, LARGE, SMALL], [LARGE, SMALL], [LARGE]])
@pytest.mark.parametrize("chain", CHAINS)
def test_rows_are_those_of_the_single_steps(chain: str, shapes: list[tuple[int, ...]], together: bool) -> None:
    rows, keys = rows_of(*shapes), np.arange(len(shapes), dtype=np.uint64) * np.uint64(77)
    expected = by_hand(chain, rows, keys)
    for given in (rows, np.stack(rows)) if len(set(shapes)) == 1 else (rows,):
        found = apply_steps(steps_of(chain), given, keys, together)
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert (one.dtype, one.shape) == (other.dtype, other.shape)
            np.testing.assert_array_equal(one, other)


def test_large_rows_come_as_one_array_where_that_is_asked_for() -> None:
    steps, keys = steps_of("crop, flip, planes"), np.arange(4, dtype=np.uint64)
    rows = rows_of(*[LARGE] * 4)
    assert rows[0].nbytes > LARGE_BYTES
    assert isinstance(apply_steps(steps, rows, keys, together=True), np.ndarray)
    assert isinstance(apply_steps(steps, rows, keys), list)  # who keeps one of them must not keep all


@pytest.mark.parametrize("shape", [SMALL, LARGE])
@pytest.mark.parametrize("together", [True, False])
def test_the_failing_transform_is_named(shape: tuple[int, ...], together: bool) -> None:
    steps = (ChainStep(vision.RandomHorizontalFlip()), ChainStep(vision.Normalize([1.0, 2.0], [1.0, 2.0])))
    keys = np.arange(3, dtype=np.uint64)
    with pytest.raises(RuntimeError, match=r"map operation: \[Normalize\] failed"):
        apply_steps(steps, rows_of(*[shape] * 3), keys, together)
    with pytest.raises(RuntimeError, match=r"map operation: \[RandomHorizontalFlip\] failed.*keys"):
        apply_steps(steps, rows_of(*[shape] * 3), None, together)


def test_no_rows_are_no_rows() -> None:
    assert len(apply_steps(steps_of("nothing random"), [], None)) == 0
