"""A folder with one folder of images per class."""

import os
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.image_files import (
    Decrypt,
    ImageFilesDataset,
    Images,
    Table,
    check_decrypt,
    files_of,
    subfolders,
)

__all__ = ["ImageFolderDataset"]


class ImageFolderDataset(ImageFilesDataset):
    """Images of a folder whose subfolders are the classes: `image` uint8, the file's bytes, and `label` int32 ().

    Args:
        dataset_dir: the folder.
        extensions: endings to read, with their dot; None reads every file.
        class_indexing: folder name → label, for the folders to read; None numbers all in alphabetical order.
        decrypt: function from the path of an encrypted file to the bytes of the image; None reads the file.
        num_samples, num_parallel_workers, shuffle, sampler, decode, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or arguments contradict each other.
        RuntimeError: on reading: there are no images, one cannot be decoded, or a folder of a class holds another one.

    Examples:
        >>> for name in ("cats", "dogs"):
        ...     os.makedirs(f"animals/{name}")
        ...     np.zeros(8, np.uint8).tofile(f"animals/{name}/0.png")  # an image in a script of yours
        >>> data = ds.ImageFolderDataset("animals", shuffle=False)
        >>> [int(row["label"]) for row in data.create_dict_iterator(output_numpy=True)]
        [0, 1]

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
        decrypt: Decrypt | None = None,
    ) -> None:
        if extensions is not None:
            for ending in require_type(extensions, "extensions", list):
                require_type(ending, "extensions", str)
        if class_indexing is not None:
            check_labels(class_indexing)
        super().__init__(
            dataset_dir, num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache
        )
        self.decrypt = check_decrypt(decrypt)
        self.extensions = tuple(extensions or ())
        self.class_indexing = class_indexing or None

    def _table(self) -> Table:
        rows = [
            (path, label)
            for name, label in sorted(self._label_by_class().items())
            for path in files_of(self.dataset_dir / name, *self.extensions, holds_folders=False)
        ]
        labels = np.array([label for _, label in rows], np.int64).astype(np.int32)
        return {"image": Images(path for path, _ in rows), "label": labels}

    def _label_by_class(self) -> dict[str, int]:
        folders = [folder.name for folder in subfolders(self.dataset_dir)]
        if self.class_indexing is None:
            return {name: label for label, name in enumerate(folders)}
        return {name: label for name, label in self.class_indexing.items() if name in folders}

    def get_class_indexing(self) -> dict[str, int]:
        """Return the labels by folder name.

        Raises:
            RuntimeError: there are no folders.
        """
        if self.class_indexing is not None:
            return self.class_indexing
        if not (found := self._label_by_class()):
            raise self._no_rows()
        return found

    def num_classes(self) -> int | None:
        """Return the number of classes."""
        return len(self.class_indexing or self._label_by_class())

    def _no_rows(self) -> RuntimeError:
        return pipeline_error(
            "Invalid data, ImageFolderDataset can't read the data file (no data found). Check image folder file path: "
            f"{self.dataset_dir}; classes {sorted(self._label_by_class())}, extensions {list(self.extensions)}."
        )


def check_labels(class_indexing: Any) -> dict[str, int]:
    """Return a mapping from class names to labels.

    Raises:
        TypeError: it is another one.
    """
    for name, label in require_type(class_indexing, "class_indexing", dict).items():
        require_type(name, "class_indexing key", str)
        if not isinstance(label, int):
            raise TypeError(f"Argument class_indexing value with value {label!r} is not of type int.")
    return dict(class_indexing)
