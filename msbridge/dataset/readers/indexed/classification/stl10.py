"""STL-10's binary files."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Unpack

import numpy as np

from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.engine.dataset import VisionBaseDataset
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import IndexedArguments, StrPath
from msbridge.dataset.readers.source import PartsDataset, check_file

__all__ = ["STL10Dataset"]

SIDE = 96
PIXELS = 3 * SIDE * SIDE
IMAGES_AT_ONCE = 256
PARTS = {
    "train": ("train",),
    "test": ("test",),
    "unlabeled": ("unlabeled",),
    "train+unlabeled": ("train", "unlabeled"),
    "all": ("test", "train", "unlabeled"),
}
WITH_LABELS = ("train", "test")


class STL10Dataset(PartsDataset, VisionBaseDataset):
    """Images of STL-10: `image` uint8 (96, 96, 3), `label` int32 (), -1 for those without one.

    Args:
        dataset_dir: folder with train_X.bin, train_y.bin, test_X.bin, test_y.bin and unlabeled_X.bin.
        usage: "train", "test", "unlabeled", "train+unlabeled" or "all"; None is "all".
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, it has not the files of the named part, or `usage` or `shard_id` is none
            of those allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.STL10Dataset (2.10).
    """

    column_names = ("image", "label")
    usages: ClassVar = ("train", "test", "unlabeled", "train+unlabeled", "all")

    def __init__(self, dataset_dir: StrPath, usage: str | None = None, **common: Unpack[IndexedArguments]) -> None:
        super().__init__(dataset_dir, usage, **common)
        if usage not in (None, "all"):
            for path in self._files():
                check_file(path, "dataset_dir")

    def _parts(self) -> tuple[str, ...]:
        return PARTS[self.usage or "all"]

    def _files(self) -> list[Path]:
        names = [name for part in self._parts() for name in (f"{part}_X.bin", f"{part}_y.bin")]
        return [self.dataset_dir / name for name in names if name != "unlabeled_y.bin"]

    def _length(self) -> int:
        for path in self._files():
            if not path.is_file():
                raise pipeline_error(f"Invalid file, failed to find STL10 file: {path}.")
        return sum((self.dataset_dir / f"{part}_X.bin").stat().st_size // PIXELS for part in self._parts())

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        images, labels = np.empty((self._length(), SIDE, SIDE, 3), np.uint8), []
        start = 0
        for part in self._parts():
            path = self.dataset_dir / f"{part}_X.bin"
            count, rest = divmod(path.stat().st_size, PIXELS)
            if rest:
                raise pipeline_error(f"Invalid file, the length of {path} is not a multiple of {PIXELS} bytes.")
            labels.append(self._labels_of(part, count))
            for planes in _planes(path, count):
                images[start : start + len(planes)] = planes.transpose(0, 3, 2, 1)
                start += len(planes)
        return {"image": ArrayRows(images), "label": ArrayRows(np.concatenate(labels))}

    def _labels_of(self, part: str, count: int) -> np.ndarray:
        if part not in WITH_LABELS:
            return np.full(count, -1, np.int32)
        path = self.dataset_dir / f"{part}_y.bin"
        with open_file(path) as file:
            labels = np.fromfile(file, np.uint8).astype(np.int32) - 1
        if len(labels) != count:
            raise pipeline_error(
                f"Invalid file, error in {path}: the number of labels is {len(labels)}, but {part}_X.bin has {count} "
                "images."
            )
        return labels


def _planes(path: Path, count: int) -> Iterator[np.ndarray]:
    """Yield images of a file, some at a time: of the unlabeled ones a copy takes gigabytes."""
    with open_file(path) as file:
        for start in range(0, count, IMAGES_AT_ONCE):
            planes = np.fromfile(file, np.uint8, min(IMAGES_AT_ONCE, count - start) * PIXELS)
            if planes.size % PIXELS:
                raise pipeline_error(f"Invalid file, {path} became shorter while it was read.")
            yield planes.reshape(-1, 3, SIDE, SIDE)
