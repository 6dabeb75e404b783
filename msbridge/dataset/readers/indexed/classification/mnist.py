"""MNIST's IDX files."""

import math
import os
import re
import struct
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.engine.dataset import VisionBaseDataset
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import IndexedArguments, StrPath
from msbridge.dataset.readers.source import PartsDataset, check_choice, check_folder

__all__ = ["EMnistDataset", "FashionMnistDataset", "KMnistDataset", "MnistDataset"]

IMAGES_MAGIC, LABELS_MAGIC = 2051, 2049
STEMS = {"train": ("train",), "test": ("t10k",), "all": ("t10k", "train"), None: ("t10k", "train")}


class MnistDataset(PartsDataset, VisionBaseDataset):
    """Images and labels of IDX files: `image` uint8 (28, 28, 1), `label` uint32 ().

    Args:
        dataset_dir: folder with train-/t10k- images-idx3-ubyte and labels-idx1-ubyte.
        usage: "train", "test" or "all"; None is "all", which reads what is there.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, `usage` is another one, or arguments contradict each other.
        RuntimeError: on reading: there are no files, or one is damaged.

    Follows: mindspore.dataset.MnistDataset (2.10).
    """

    column_names = ("image", "label")

    def _stems(self) -> tuple[str, ...]:
        """Return the beginnings of the names of the files that are read."""
        return STEMS[self.usage]

    @cached_property
    def _files(self) -> list[tuple[Path, Path]]:
        return [pair for stem in self._stems() for pair in _pairs(self.dataset_dir, stem)]

    @cached_property
    def _data(self) -> tuple[np.ndarray, np.ndarray]:
        if not self._files or not self._length():
            raise pipeline_error(
                f"Invalid data, {type(self).__name__} can't read the data file (no data found). Check mnist file in "
                f"directory: {self.dataset_dir}; usage {self.usage!r} reads "
                f"{[f'{stem}-images-idx3-ubyte' for stem in self._stems()]}."
            )
        paths = [images for images, _ in self._files], [labels for _, labels in self._files]
        shapes = [header(path, IMAGES_MAGIC, 3) for path in paths[0]]
        counts = [header(path, LABELS_MAGIC, 1) for path in paths[1]]
        for image_path, label_path, shape, count in zip(*paths, shapes, counts, strict=True):
            if shape[0] != count[0]:
                raise pipeline_error(
                    f"Invalid mnist file, the images number of {image_path} should be equal to the labels number of "
                    f"{label_path}, got {shape[0]} and {count[0]}."
                )
            if shape[1:] != shapes[0][1:]:
                raise pipeline_error(
                    f"Invalid mnist file, the images of {image_path} have {shape[1:]} pixels, those of {paths[0][0]} "
                    f"{shapes[0][1:]}."
                )
        return _read_joined(paths[0], shapes)[..., None], _read_joined(paths[1], counts)

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        images, labels = self._data
        return {"image": ArrayRows(images), "label": LabelRows(labels)}

    def _length(self) -> int:
        return sum(header(labels, LABELS_MAGIC, 1)[0] for _, labels in self._files)

    def _size(self) -> int | None:
        for images, _ in self._files:
            header(images, IMAGES_MAGIC, 3)
        length = self._length()
        return self.sampler._count_rows(length) if length else 0

    def _order(self, context: Any, epoch: int) -> np.ndarray:
        self._data  # noqa: B018 - damaged or missing files are reported before anything is ordered
        return super()._order(context, epoch)


class FashionMnistDataset(MnistDataset):
    """Fashion-MNIST, in MNIST's form: `image` uint8 (28, 28, 1), `label` uint32 ().

    Args:
        dataset_dir: folder with train-/t10k- images-idx3-ubyte and labels-idx1-ubyte.
        usage: "train", "test" or "all"; None is "all", which reads what is there.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Follows: mindspore.dataset.FashionMnistDataset (2.10).
    """


class KMnistDataset(MnistDataset):
    """Kuzushiji-MNIST, in MNIST's form: `image` uint8 (28, 28, 1), `label` uint32 ().

    Args:
        dataset_dir: folder with train-/t10k- images-idx3-ubyte and labels-idx1-ubyte.
        usage: "train", "test" or "all"; None is "all", which reads what is there.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Follows: mindspore.dataset.KMnistDataset (2.10).
    """


class EMnistDataset(MnistDataset):
    """Extended MNIST, which has MNIST's form: `image` uint8 (28, 28, 1), `label` uint32 ().

    Args:
        dataset_dir: folder with emnist-mnist-train-images-idx3-ubyte, …
        name: "byclass", "bymerge", "balanced", "letters", "digits" or "mnist".
        usage: "train", "test" or "all"; None is "all", which reads what is there.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `name`, `usage` or `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: there are no files, or one is damaged.

    Follows: mindspore.dataset.EMnistDataset (2.10).
    """

    def __init__(
        self, dataset_dir: StrPath, name: str, usage: str | None = None, **common: Unpack[IndexedArguments]
    ) -> None:
        check_folder(dataset_dir)
        self.name = check_choice(name, "name", ("byclass", "bymerge", "balanced", "letters", "digits", "mnist"))
        super().__init__(dataset_dir, usage, **common)

    def _stems(self) -> tuple[str, ...]:
        parts = ("test", "train") if self.usage in (None, "all") else (self.usage,)
        return tuple(f"emnist-{self.name}-{part}" for part in parts)


class LabelRows(ArrayRows):
    """Labels, of a byte each in memory, as uint32."""

    def __call__(self, indices: np.ndarray) -> np.ndarray:
        return super().__call__(indices).astype(np.uint32)


def _pairs(folder: Path, stem: str) -> Iterator[tuple[Path, Path]]:
    """Yield the files of images and of labels whose names hold `stem`, in the order of names."""
    wanted = re.compile(rf"(?P<stem>.*{re.escape(stem)}-)(?P<kind>images|labels)(?P<point>.?)idx[13]-ubyte(?P<rest>.*)")
    both: dict[tuple[str, ...], set[str]] = {}
    for name in sorted(entry.name for entry in folder.iterdir()):
        if not name.endswith(".gz") and (found := wanted.fullmatch(name)):
            both.setdefault(found.group("stem", "point", "rest"), set()).add(found["kind"])
    for (start, point, rest), kinds in both.items():
        images = folder / f"{start}images{point}idx3-ubyte{rest}"
        labels = folder / f"{start}labels{point}idx1-ubyte{rest}"
        if len(kinds) == 1:
            present, missing = (labels, images) if "labels" in kinds else (images, labels)
            raise pipeline_error(f"Invalid mnist file: {present} is there, but {missing} is not.")
        yield images, labels


def _read_joined(paths: Sequence[Path], shapes: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Read what comes behind the headers of some files into one array."""
    whole = np.empty((sum(shape[0] for shape in shapes), *shapes[0][1:]), np.uint8)
    start = 0
    for path, shape in zip(paths, shapes, strict=True):
        part = whole[start : start + shape[0]].reshape(-1)
        start += shape[0]
        with open_file(path) as file:
            file.seek(4 * (len(shape) + 1))
            if part.size and file.readinto(part.data) != part.size:  # type: ignore[attr-defined]
                raise pipeline_error(f"Invalid mnist file, {path} became shorter while it was read.")
    return whole


def header(path: Path, magic: int, dimensions: int, item_bytes: int = 1) -> tuple[int, ...]:
    """Read the shape that an IDX file says it has, which has to fit its length."""
    length = 4 * (dimensions + 1)
    with open_file(path) as file:
        head, actual = file.read(length), os.fstat(file.fileno()).st_size
    if len(head) < length:
        raise pipeline_error(f"Invalid mnist file, {path} has {len(head)} bytes, which is less than a header.")
    found, *sizes = struct.unpack(f">{dimensions + 1}I", head)
    if found != magic:
        raise pipeline_error(f"Invalid mnist file, the magic number of {path} should be {magic}, but got {found}.")
    expected = length + math.prod(sizes) * item_bytes
    if expected != actual:
        raise pipeline_error(
            f"Invalid mnist file, {path} should have {expected} bytes by its header, but has {actual}."
        )
    return tuple(sizes)
