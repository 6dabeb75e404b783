"""CIFAR's binary files."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.engine.dataset import VisionBaseDataset
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.source import PartsDataset

__all__ = ["Cifar10Dataset", "Cifar100Dataset"]

PIXELS = 3 * 32 * 32
ROWS_AT_ONCE = 1024


class _Cifar(PartsDataset):
    """Images and labels of files whose rows are label bytes, then red, green and blue planes."""

    marks: ClassVar[dict[str, str]]  # usage → what the names of its files hold
    labels: ClassVar[tuple[str, ...]]

    @cached_property
    def _paths(self) -> list[Path]:
        marks = [mark for usage, mark in self.marks.items() if self.usage in (usage, "all", None)]
        present = sorted(path for path in self.dataset_dir.glob("*.bin") if any(mark in path.name for mark in marks))
        if not present:
            raise pipeline_error(
                f"Invalid cifar folder, cifar(.bin) files are missing under {self.dataset_dir}; usage {self.usage!r} "
                f"reads those with {' or '.join(marks)} in their name."
            )
        for path in present:
            if not path.is_file():
                raise pipeline_error(f"Invalid cifar file, {path} is a directory.")
        return present

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        width, count = len(self.labels) + PIXELS, self._length()
        pixels, labels = np.empty((count, 32, 32, 3), np.uint8), np.empty((count, len(self.labels)), np.uint8)
        start = 0
        for path in self._paths:
            for rows in _rows(path, width):
                part = slice(start, start + len(rows))
                labels[part] = rows[:, : len(self.labels)]
                planes = rows[:, len(self.labels) :].reshape(-1, 3, 32, 32)
                for channel in range(3):  # a third of the time that all at once take
                    pixels[part, ..., channel] = planes[:, channel]
                start += len(rows)
        columns: dict[str, Fetch] = {"image": ArrayRows(pixels)}
        for place, name in enumerate(self.labels):
            columns[name] = ArrayRows(labels[:, place].astype(np.uint32))
        return columns

    def _names(self) -> list[str]:
        return ["image", *self.labels]

    def _length(self) -> int:
        width = len(self.labels) + PIXELS
        return sum(_count(path, width) for path in self._paths)


class Cifar10Dataset(_Cifar, VisionBaseDataset):
    """CIFAR-10's binary version: `image` uint8 (32, 32, 3), `label` uint32 ().

    Args:
        dataset_dir: folder with data_batch_1.bin … data_batch_5.bin and test_batch.bin; as in MindSpore, any file with
            `data_batch` or `test_batch` in its name and `.bin` at its end.
        usage: "train", "test" or "all"; None is "all", which reads what is there.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        ValueError: the folder does not exist, `usage` is another one, or arguments contradict each other.
        RuntimeError: on reading: there are no files, or one is damaged.

    Follows: mindspore.dataset.Cifar10Dataset (2.10).
    """

    marks: ClassVar = {"train": "data_batch", "test": "test_batch"}
    labels = ("label",)


class Cifar100Dataset(_Cifar, VisionBaseDataset):
    """CIFAR-100's binary version: `image` uint8 (32, 32, 3), `coarse_label` and `fine_label` uint32 ().

    Args:
        dataset_dir: folder with train.bin and test.bin; as in MindSpore, any file with `train` or `test` in its name
            and `.bin` at its end.
        usage: "train", "test" or "all"; None is "all", which reads what is there.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        ValueError: the folder does not exist, `usage` is another one, or arguments contradict each other.
        RuntimeError: on reading: there are no files, or one is damaged.

    Follows: mindspore.dataset.Cifar100Dataset (2.10).
    """

    marks: ClassVar = {"train": "train", "test": "test"}
    labels = ("coarse_label", "fine_label")


def _rows(path: Path, width: int) -> Iterator[np.ndarray]:
    """Yield the rows of a file, some at a time: the whole file is in memory once, as images."""
    left = _count(path, width)
    with open_file(path) as file:
        while left:
            count = min(left, ROWS_AT_ONCE)
            data = file.read(count * width)
            if len(data) < count * width:
                raise pipeline_error(f"Invalid cifar file, {path} became shorter while it was read.")
            yield np.frombuffer(data, np.uint8).reshape(count, width)
            left -= count


def _count(path: Path, width: int) -> int:
    size = path.stat().st_size
    if size % width or not size:
        raise pipeline_error(
            f"Invalid cifar file, {path} has {size} bytes, which is not a multiple of a row's {width}: re-download "
            "dataset (make sure it is the binary version)."
        )
    return size // width
