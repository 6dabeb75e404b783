"""Costly transforms of a source in memory are computed once for each row; nothing else changes."""

import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset import vision
from msbridge.dataset.engine import in_memory_rows

IMAGES = np.random.RandomState(0).randint(0, 256, (40, 6, 7, 1)).astype(np.uint8)


@pytest.fixture
def resized_rows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many images each call of Resize got."""
    calls: list[int] = []
    original = vision.Resize.stack
    monkeypatch.setattr(vision.Resize, "stack", lambda self, rows: calls.append(len(rows)) or original(self, rows))
    return calls


def epochs(count: int) -> list[np.ndarray]:
    data = ds.NumpySlicesDataset({"image": IMAGES, "number": np.arange(40)})
    data = data.map([vision.Resize((9, 9)), vision.Rescale(1 / 255.0, 0.0)], "image").batch(8)
    iterator = data.create_dict_iterator(output_numpy=True)
    found = []
    for _ in range(count):
        rows = list(iterator)
        order = np.argsort(np.concatenate([row["number"] for row in rows]))
        found.append(np.concatenate([row["image"] for row in rows])[order])
    return found


def expected() -> np.ndarray:
    resize, rescale = vision.Resize((9, 9)), vision.Rescale(1 / 255.0, 0.0)
    return np.stack([rescale(resize(image)) for image in IMAGES])


def test_each_row_is_computed_once(resized_rows: list[int]) -> None:
    for found in epochs(3):
        np.testing.assert_array_equal(found, expected())
    assert sum(resized_rows) == 40


def test_results_that_would_be_too_large_are_not_kept(resized_rows: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_memory_rows, "MAX_CACHED_BYTES", 1000)
    for found in epochs(2):
        np.testing.assert_array_equal(found, expected())
    assert sum(resized_rows) == 80


def test_a_user_may_change_what_was_kept() -> None:
    data = ds.NumpySlicesDataset({"image": IMAGES}, shuffle=False).map(vision.Resize((9, 9)), "image").batch(40)
    iterator = data.create_tuple_iterator(output_numpy=True)
    first = next(iterator)[0]
    kept = first.copy()
    first[:] = 0
    np.testing.assert_array_equal(next(row[0] for row in data.create_tuple_iterator(output_numpy=True)), kept)


def test_only_some_forms_of_a_source_are_kept() -> None:
    data = ds.NumpySlicesDataset({"image": IMAGES}, shuffle=False)
    for side in range(2, 12):
        next(data.map(vision.Resize(side), "image").create_tuple_iterator())
    assert len(data._columns["image"]._forms) == in_memory_rows.MAX_CACHED_FORMS
