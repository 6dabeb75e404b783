"""Samplers of user code that are empty, short, or yield indices out of range: sizes, rows and batches."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import mindspore.dataset as ds
import numpy as np
from mindspore.mindrecord import FileWriter

from tests.oracle.case import each


class Yields(ds.Sampler):
    def __init__(self, indices: Iterable, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.indices = indices

    def __iter__(self) -> Iterator:
        return iter(self.indices)


class Counts(Yields):
    def __init__(self, indices: Iterable, count: int) -> None:
        self.count = count
        super().__init__(indices)

    def __len__(self) -> int:
        return self.count


class More(ds.Sampler):
    """One index more in each pass."""

    def __init__(self) -> None:
        super().__init__()
        self.passes = 0

    def __iter__(self) -> Iterator:
        self.passes += 1
        return iter(range(self.passes))


class Reversed(ds.Sampler):
    def __iter__(self) -> Iterator:
        return iter(range(self.dataset_size - 1, -1, -2))


class Indices:
    def __init__(self, *indices: int) -> None:
        self.indices = indices

    def __iter__(self) -> Iterator:
        return iter(self.indices)


class Source:
    def __len__(self) -> int:
        return 5

    def __getitem__(self, index: int) -> np.ndarray:
        return np.array([0, 10, 20, 30, 40][index])


def generated(sampler: object, **more: object) -> object:
    return ds.GeneratorDataset(Source(), ["a"], sampler=sampler, **more)


def slices(sampler: object) -> object:
    return ds.NumpySlicesDataset(np.arange(5) * 10, ["a"], sampler=sampler)


def images(sampler: object) -> object:
    from PIL import Image

    folder = Path(tempfile.mkdtemp())
    for label in "xy":
        (folder / label).mkdir()
        for number in range(3):
            Image.fromarray(np.full((2, 2, 3), number, np.uint8)).save(folder / label / f"{number}.png")
    return ds.ImageFolderDataset(str(folder), sampler=sampler).project(["label"])


def records(sampler: object, **more: object) -> object:
    path = str(Path(tempfile.mkdtemp()) / "a.mindrecord")
    writer = FileWriter(path, 1)
    writer.add_schema({"a": {"type": "int32"}}, "numbers")
    writer.write_raw_data([{"a": number * 10} for number in range(5)])
    writer.commit()
    return ds.MindDataset(path, sampler=sampler, **more)


def answer(of: Callable) -> object:
    try:
        return of()
    except Exception as error:
        return type(error).__name__


def rows(dataset: object) -> list:
    return [row for (row,) in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def asked(make: Callable, sampler: object, **more: object) -> list:
    """Return the size of a dataset and of its batches, and their rows; the class of the error where there is one."""
    sized, read, batched = (answer(lambda: make(sampler, **more)) for _ in range(3))
    if isinstance(sized, str):
        return [sized]
    return [
        answer(sized.get_dataset_size),
        answer(lambda: rows(read)),
        answer(lambda: sized.batch(2).get_dataset_size()),
        answer(lambda: rows(batched.batch(2))),
    ]


def epochs(make: Callable, sampler: object) -> list:
    iterator = make(sampler).create_tuple_iterator(num_epochs=3, output_numpy=True)
    return [[row for (row,) in iterator] for _ in range(3)]


def twice(make: Callable, sampler: object) -> list:
    dataset = make(sampler)
    return [dataset.get_dataset_size(), rows(dataset), rows(dataset), sampler.passes]


EVERYWHERE = """
Yields([])
Yields([1, 3])
Yields([1, 3], 4)
Yields([1, 3, 2, 0], 2)
Yields([1, 9])
Yields([9])
Yields([1, 1, 1, 1, 1, 1, 1, 1])
Yields(["a"])
Yields([1.5])
Yields([True])
Yields([np.int64(2)])
Yields(np.array([1, 2], np.uint8))
Yields([[1, 2]])
Yields([[1], [2]])
Yields([1, [2]])
Counts([1, 2, 3], 2)
Reversed()
Indices(3, 1)
Indices()
iter([3, 1])
[1, 9]
3
ds.SubsetSampler([1, 9])
ds.WeightedRandomSampler([0.0, 0, 0, 0, 0], 2)
"""
LINES = [line for line in EVERYWHERE.splitlines() if line]

CASES = [
    *each("\n".join(f"asked({make}, {line})" for make in ("generated", "slices", "images") for line in LINES)),
    *each("\n".join(f"asked(records, {line})" for line in LINES if "SubsetSampler" not in line)),
    *each(
        """
        asked(generated, Counts([1, 2, 3], 7))
        asked(generated, Yields([1, -1]))
        asked(slices, Yields([1, -1]))
        asked(records, Yields([1]), num_shards=2, shard_id=1)
        asked(records, "a")
        epochs(generated, More())
        epochs(images, More())
        twice(generated, More())
        twice(images, More())
        Yields([1, 2, 3]).get_num_samples()
        Yields([1, 2, 3], 5).get_num_samples()
        Yields([]).get_num_samples()
        Reversed().get_num_samples()
        """
    ),
]
