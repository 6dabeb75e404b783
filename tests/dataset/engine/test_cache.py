"""DatasetCache: rows that were computed once are found again."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import msbridge.dataset as ds
from tests.dataset.pipelines import column, counting, write_mnist


def passes(data: Any, epochs: int = 2) -> list[list[Any]]:
    iterator = data.create_dict_iterator(num_epochs=epochs, output_numpy=True)
    return [[row["a"].tolist() for row in iterator] for _ in range(epochs)]


def test_a_function_is_called_once_for_each_row() -> None:
    called: list[int] = []

    def seen(a: Any) -> Any:
        called.append(int(a))
        return a * 2

    cache = ds.DatasetCache(1)
    data = ds.NumpySlicesDataset(np.arange(4), ["a"]).map(seen, "a", cache=cache).batch(2)
    found = passes(data, 3)
    assert [sorted(np.ravel(each).tolist()) for each in found] == [[0, 2, 4, 6]] * 3
    assert sorted(called) == [0, 1, 2, 3]
    assert cache.get_stat().num_mem_cached == 4
    assert cache.get_stat().num_disk_cached == 0


@pytest.mark.parametrize("spilling", [True, False])
def test_what_does_not_fit_goes_to_disk_or_is_computed_again(spilling: bool) -> None:
    cache = ds.DatasetCache(1, 1, spilling)
    data = counting(4).map(lambda a: np.full(1 << 19, a, np.uint8), "a", cache=cache).map(lambda a: a[0], "a")
    assert passes(data) == [[0, 1, 2, 3]] * 2
    stat = cache.get_stat()
    assert stat.num_mem_cached == 1
    assert stat.num_disk_cached == (3 if spilling else 0)


def test_readers_share_what_they_read(tmp_path: Path) -> None:
    images = write_mnist(tmp_path)
    cache = ds.DatasetCache(1)
    data = ds.MnistDataset(str(tmp_path), "train", shuffle=False, cache=cache)
    for _ in range(2):
        assert np.array_equal(np.squeeze(column(data, "image"), -1), images)
    assert cache.get_stat().num_mem_cached == 24  # images and labels
    assert cache.get_stat().avg_cache_sz == (28 * 28 + 4) // 2


def test_rows_that_are_changed_do_not_change_what_is_kept() -> None:
    data = counting(2).map(lambda a: a, "a", cache=ds.DatasetCache(1))
    for _ in range(2):
        for number, row in enumerate(data.create_dict_iterator(num_epochs=1, output_numpy=True)):
            assert row["a"] == number
            row["a"][...] = 9


def test_random_transforms_are_not_kept() -> None:
    with pytest.raises(RuntimeError, match="random"):
        counting(2).map(ds.vision.RandomHorizontalFlip(), "a", cache=ds.DatasetCache(1))


def test_callbacks_and_failing_rows_are_not_forgotten_beside_a_cache() -> None:
    told: list[int] = []

    class Told(ds.DSCallback):
        def ds_step_end(self, ds_run_context: Any) -> None:
            told.append(ds_run_context.cur_step_num)

    data = ds.NumpySlicesDataset([1, 2], ["a"], shuffle=False)
    assert passes(data.map(lambda a: a * 2, "a", callbacks=Told(), cache=ds.DatasetCache(1))) == [[2, 4]] * 2
    assert told == [1, 2, 3, 4]

    def fails_at_two(a: Any) -> Any:
        if a == 2:
            raise ValueError("two")
        return a

    before = ds.config.get_error_samples_mode()
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.SKIP)
    try:
        assert passes(data.map(fails_at_two, "a", cache=ds.DatasetCache(1))) == [[1]] * 2
    finally:
        ds.config.set_error_samples_mode(before)
