"""Samplers of user code. Judge: what MindSpore 2.10 answered, and 2.0 and 1.0 for several indices at once."""

from collections.abc import Iterable, Iterator

import numpy as np
import pytest

import msbridge.dataset as ds


class Tens:
    """Six rows, and more that its length does not tell."""

    def __getitem__(self, index: int | np.ndarray) -> tuple[np.ndarray, int]:
        return np.asarray(index) % 20 * 10, np.ndim(index)

    def __len__(self) -> int:
        return 6


class Given:
    def __init__(self, indices: Iterable[object]) -> None:
        self.indices = indices

    def __iter__(self) -> Iterator[object]:
        return iter(self.indices)


class Sized(Given):
    def __len__(self) -> int:
        return 2


def rows(sampler: object) -> list[tuple[object, int]]:
    dataset = ds.GeneratorDataset(Tens(), ["value", "axes"], sampler=sampler)
    found = [
        (value.tolist(), int(axes)) for value, axes in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)
    ]
    assert dataset.get_dataset_size() == len(found)
    return found


@pytest.mark.parametrize(
    ("indices", "expected"),
    [
        ([[0, 1], [2, 3], [4, 5]], [([0, 10], 1), ([20, 30], 1), ([40, 50], 1)]),
        (np.array([[0, 1], [2, 3]]), [([0, 10], 1), ([20, 30], 1)]),
        ([(0, 1), (2,)], [([0, 10], 1), ([20], 1)]),
        ([[0], [1]], [(0, 0), (10, 0)]),
        ([[[0, 1]], [[2, 3]]], [([0, 10], 1), ([20, 30], 1)]),
        ([0, -1, 25], [(0, 0), (190, 0), (50, 0)]),
    ],
)
def test_what_is_yielded_is_the_index_of_a_row(indices: Iterable[object], expected: list[object]) -> None:
    assert rows(Given(indices)) == expected


@pytest.mark.parametrize("sampler", [Given([]), iter([]), (index for index in [2, 4])])
def test_a_sampler_without_indices_or_without_a_copy_is_refused(sampler: object) -> None:
    with pytest.raises(RuntimeError, match="sampler"):
        rows(sampler)


def test_an_iterator_is_copied_for_each_pass() -> None:
    indices = iter([2, 4])
    assert rows(indices) == rows(indices) == [(20, 0), (40, 0)]
    assert list(indices) == [2, 4]


class Indexed:
    """Has no `__iter__`; Python reads it by index until it raises an IndexError."""

    def __getitem__(self, index: int) -> int:
        return [3, 1, 0][index]


def test_a_sampler_may_be_read_by_index() -> None:
    assert rows(Indexed()) == [(30, 0), (10, 0), (0, 0)]


def test_a_length_limits() -> None:
    assert rows(Sized([3, 2, 1])) == [(30, 0), (20, 0)]


@pytest.mark.parametrize("indices", [[0.5], ["a"], [[0.5, 1]], [None]])
def test_other_things_are_refused(indices: Iterable[object]) -> None:
    with pytest.raises(RuntimeError, match="must yield ints"):
        rows(Given(indices))


@pytest.mark.parametrize(("indices", "says"), [([0, 7], "out of bound"), ([[0, 1]], "several indices at once")])
def test_readers_of_files_take_rows_that_are_there(indices: Iterable[object], says: str) -> None:
    dataset = ds.NumpySlicesDataset({"a": np.arange(6)}, sampler=Given(indices))
    with pytest.raises(RuntimeError, match=says):
        list(dataset.create_tuple_iterator(num_epochs=1))
