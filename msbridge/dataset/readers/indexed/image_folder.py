"""A folder with one folder of images per class.

Follows: mindspore.dataset.ImageFolderDataset (2.10).
"""

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.arguments import typed
from msbridge.dataset.engine.blocks import Block, Column
from msbridge.dataset.engine.memory import ArrayRows, Fetch
from msbridge.dataset.engine.nodes import Run
from msbridge.dataset.engine.values import pipeline_error
from msbridge.dataset.readers.source import MappableDataset, checked_folder
from msbridge.dataset.transforms.base import Step, Transform
from msbridge.dataset.vision.decode import decoded

__all__ = ["ImageFolderDataset"]


class ImageFolderDataset(MappableDataset):
    """Images of a folder whose subfolders are the classes: `image` uint8, the file's bytes, and `label` int32 ().

    Args:
        dataset_dir: the folder.
        num_samples: at most how many; None is all.
        num_parallel_workers: threads for decoding; None takes the global setting.
        shuffle: None and True read in random order.
        sampler: chooses rows; excludes num_samples, shuffle, num_shards and shard_id.
        extensions: endings to read, with their dot; None reads every file.
        class_indexing: folder name → label, for the folders to read; None numbers all in alphabetical order.
        decode: read images (H, W, 3) instead of bytes.
        num_shards: into how many parts the rows are divided.
        shard_id: which part is read.
        cache: only None.
        decrypt: only None.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or arguments contradict each other.
        RuntimeError: on reading: there are no images, or one cannot be decoded.

    Follows: mindspore.dataset.ImageFolderDataset (2.10).
    """

    def __init__(
        self,
        dataset_dir: str | os.PathLike[str],
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        extensions: list[str] | None = None,
        class_indexing: dict[str, int] | None = None,
        decode: bool = False,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        decrypt: Any = None,
    ) -> None:
        self.dataset_dir = checked_folder(dataset_dir)
        if extensions is not None:
            typed(extensions, "extensions", list)
            for ending in extensions:
                typed(ending, "extensions", str)
        if class_indexing is not None:
            typed(class_indexing, "class_indexing", dict)
            for name, label in class_indexing.items():
                typed(name, "class_indexing key", str)
                typed(label, "class_indexing value", int)
        typed(decode, "decode", bool)
        if decrypt is not None:
            raise NotImplementedError(
                "For 'ImageFolderDataset', decrypt must be None: encrypted files are not available."
            )
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache)
        self.extensions = None if extensions is None else tuple(ending.lower() for ending in extensions)
        self.class_indexing = class_indexing
        self.decode = decode

    @cached_property
    def _files(self) -> tuple[list[Path], np.ndarray]:
        classes = self.get_class_indexing()
        files = [
            (path, label)
            for name, label in sorted(classes.items())
            for path in sorted((self.dataset_dir / name).iterdir() if (self.dataset_dir / name).is_dir() else [])
            if path.is_file() and (self.extensions is None or path.suffix.lower() in self.extensions)
        ]
        return [path for path, _ in files], np.array([label for _, label in files], np.int32)

    def get_class_indexing(self) -> dict[str, int]:
        """Return the labels by folder name."""
        if self.class_indexing is not None:
            return self.class_indexing
        folders = sorted(entry.name for entry in self.dataset_dir.iterdir() if entry.is_dir())
        return {name: label for label, name in enumerate(folders)}

    def num_classes(self) -> int | None:
        """Return the number of classes."""
        return len(self.get_class_indexing())

    def _names(self) -> list[str]:
        return ["image", "label"]

    def _length(self) -> int:
        return len(self._files[0])

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        paths, labels = self._files
        return {"image": PathRows(paths) if self.decode else FileRows(paths), "label": ArrayRows(labels)}

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        if not self._length():
            raise pipeline_error(
                "Invalid data, ImageFolderDataset can't read the data file (no data found). Check image folder file "
                f"path: {self.dataset_dir}; classes {sorted(self.get_class_indexing())}, extensions {self.extensions}."
            )
        for block in super()._stream(run, epoch):
            if self.decode:  # of the paths, so that a damaged file can be named
                image = Column(block.columns["image"].base, (Step(_DECODE_FILE),))
                yield Block(block.columns | {"image": image}, block.size, block.keys)
            else:
                yield block


class DecodeFile(Transform):
    """Decode image files, named by their paths."""

    heavy = True

    def one(self, value: Path) -> np.ndarray:
        try:
            return decoded(np.fromfile(value, np.uint8))
        except RuntimeError as error:
            raise pipeline_error(
                f"Invalid image, {value} decode failed, the image is broken or permission denied."
            ) from error


_DECODE_FILE = DecodeFile()  # one object, so that chains of different blocks are the same


class PathRows:
    """Paths of files, to be read by a transform."""

    def __init__(self, paths: list[Path]) -> None:
        self.paths = paths

    def __call__(self, indices: np.ndarray) -> list[Path]:
        return [self.paths[index] for index in indices.tolist()]


class FileRows:
    """The bytes of files, read when they are needed."""

    def __init__(self, paths: list[Path]) -> None:
        self.paths = paths

    def __call__(self, indices: np.ndarray) -> list[np.ndarray]:
        return [np.fromfile(self.paths[index], np.uint8) for index in indices.tolist()]
