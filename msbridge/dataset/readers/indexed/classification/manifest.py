"""Images that a manifest file of ModelArts lists."""

import os
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.core.runtime.path_mapping import resolve
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.image_files import ImageFilesDataset, Images, Table, all_lines, existing, is_image
from msbridge.dataset.readers.indexed.classification.image_folder import check_labels
from msbridge.dataset.readers.json_text import parse_json
from msbridge.dataset.readers.source import check_file

__all__ = ["ManifestDataset"]

USAGES = ("train", "eval", "inference")


class ManifestDataset(ImageFilesDataset):
    """Images of a manifest: `image` uint8, the file's bytes, and `label` int32, () or (n,) where there are several.

    Args:
        dataset_file: a file of JSON objects, one in a line.
        usage: "train", "eval" or "inference": the objects to read.
        class_indexing: name → label, for the classes to read; None numbers all in alphabetical order.
        num_samples, num_parallel_workers, shuffle, sampler, decode, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the file does not exist, or `shard_id` is out of range.
        RuntimeError: arguments contradict each other; on reading: `usage` is another one, the manifest is damaged, or
            an image is missing.

    Files that are neither JPEG nor PNG nor BMP are left out.

    Follows: mindspore.dataset.ManifestDataset (2.10).
    """

    def __init__(
        self,
        dataset_file: str | os.PathLike[str],
        usage: str = "train",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        class_indexing: dict[str, int] | None = None,
        decode: bool = False,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.dataset_file = check_file(dataset_file, "dataset_file")
        folder = self.dataset_file.parent
        super().__init__(
            folder, num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache
        )
        self.usage = "train" if usage is None else require_type(usage, "usage", str)
        self.class_indexing = None if class_indexing is None else check_labels(class_indexing) or None

    def get_class_indexing(self) -> dict[str, int]:
        """Return the labels by class name."""
        if self.class_indexing is None:
            names = sorted({name for _, names in self._images_of_usage for name in names})
            if not names:
                raise self._no_rows()
            self.class_indexing = {name: label for label, name in enumerate(names)}
        return self.class_indexing

    def num_classes(self) -> int | None:
        """Return the number of classes."""
        return len(self.get_class_indexing())

    def _table(self) -> Table:
        labels = self.get_class_indexing()
        rows = [(path, [labels[name] for name in names if name in labels]) for path, names in self._images_of_usage]
        rows = [(path, found) for path, found in rows if found]
        if not rows:
            raise self._no_rows()
        return {
            "image": Images(path for path, _ in rows),
            "label": [np.array(found[0] if len(found) == 1 else found, np.int32) for _, found in rows],
        }

    @cached_property
    def _images_of_usage(self) -> list[tuple[str, list[str]]]:
        """Return path and class names of the images of this usage."""
        if self.usage not in USAGES:
            raise pipeline_error(f"ManifestDataset: usage must be one of {list(USAGES)}, got {self.usage!r}.")
        rows = []
        for number, line in enumerate(all_lines(self.dataset_file), 1):
            path, usage, names = self._parse_line(line, number)
            path = existing(Path(resolve(path)))
            if usage == self.usage and is_image(path):
                rows.append((path, names))
        return rows

    def _parse_line(self, line: str, number: int) -> tuple[str, str, list[str]]:
        where = f"{self.dataset_file} at line {number}"
        try:
            row = parse_json(line)
        except (ValueError, RecursionError) as error:
            raise pipeline_error(f"Invalid manifest file, parse ManiFest file: {where} failed: {error}.") from error
        if not isinstance(row, dict) or not isinstance(row.get("source"), str):
            raise pipeline_error(f"Invalid manifest file, 'source' is missing in file: {where}.")
        annotations = row.get("annotation", [])
        if not isinstance(annotations, list) or not all(isinstance(each, dict) for each in annotations):
            raise pipeline_error(f"Invalid manifest file, 'annotation' is not a list of objects in file: {where}.")
        names = [str(each["name"]) for each in annotations if each.get("name")]
        return row["source"], str(row.get("usage", "")).lower(), names

    def _labels(self, column: str) -> np.ndarray | None:
        """Return the first class of each row, for samplers by class."""
        if column != "label":
            return super()._labels(column)
        labels = self._columns[column](np.arange(self._length()))
        return np.array([np.ravel(label)[0] for label in labels])

    def _no_rows(self) -> RuntimeError:
        return pipeline_error(
            "Invalid data, ManifestDataset API can't read the data file (no data found). Check file path: "
            f"{self.dataset_file}; usage {self.usage!r}."
        )
