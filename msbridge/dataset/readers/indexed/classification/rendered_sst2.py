"""Rendered SST-2: sentences as images, in a folder for each sentiment."""

from pathlib import Path
from typing import ClassVar

import numpy as np

from msbridge.dataset.readers.image_files import Images, ImagesOfPart, Table, files_of, subfolders

__all__ = ["RenderedSST2Dataset"]

PARTS = {"train": ("train",), "val": ("val", "valid"), "test": ("test",), "all": ("test", "train", "valid")}


class RenderedSST2Dataset(ImagesOfPart):
    """Images of Rendered SST-2: `image` uint8, the file's bytes, and `label` uint32 ().

    Args:
        dataset_dir: folder with train, test and valid; in each, folders of .png files, named by the class.
        usage: "train", "val", "test" or "all"; None is "all".
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `usage` or `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: there are no images, or one cannot be decoded.

    Labels number the classes by name: negative is 0, positive is 1. MindSpore numbers them in the order in which the
    file system lists the folders.

    Follows: mindspore.dataset.RenderedSST2Dataset (2.10).
    """

    usages: ClassVar = ("val", "all", "train", "test")

    def num_classes(self) -> int | None:
        return len({folder.name for folder in self._folders()})

    def _folders(self) -> list[Path]:
        parts = [self.dataset_dir / part for part in PARTS[self.usage]]
        return [folder for part in parts if part.is_dir() for folder in subfolders(part)]

    def _table(self) -> Table:
        folders = self._folders()
        labels = {name: label for label, name in enumerate(sorted({folder.name for folder in folders}))}
        rows = [(path, labels[folder.name]) for folder in folders for path in files_of(folder, ".png")]
        return {"image": Images(path for path, _ in rows), "label": np.array([label for _, label in rows], np.uint32)}
