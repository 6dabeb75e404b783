"""Semeion: digits of a bit for each pixel."""

from functools import cached_property

import numpy as np

from msbridge.dataset.engine.dataset import VisionBaseDataset
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.image_files import all_lines
from msbridge.dataset.readers.source import FolderDataset

__all__ = ["SemeionDataset"]

SIDE, CLASSES = 16, 10


class SemeionDataset(FolderDataset, VisionBaseDataset):
    """Images of Semeion: `image` uint8 (16, 16), `label` uint32 ().

    Args:
        dataset_dir: folder with semeion.data.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `shard_id` is out of range.
        RuntimeError: arguments contradict each other; on reading: the file is missing or damaged.

    Follows: mindspore.dataset.SemeionDataset (2.10).
    """

    column_names = ("image", "label")

    @cached_property
    def _lines(self) -> list[str]:
        return all_lines(self.dataset_dir / "semeion.data")

    def _length(self) -> int:
        return len(self._lines)

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        path, rows = self.dataset_dir / "semeion.data", []
        for number, line in enumerate(self._lines, 1):
            fields = line.split()
            try:
                row = [int(float(field)) for field in fields]
            except (ValueError, OverflowError) as error:
                raise pipeline_error(
                    f"Invalid data, line {number} of {path} has fields that are not numbers."
                ) from error
            if len(row) != SIDE * SIDE + CLASSES or row[SIDE * SIDE :].count(1) != 1:
                raise pipeline_error(
                    f"Invalid data, line {number} of {path} should be {SIDE * SIDE} pixels and a 1 among {CLASSES} "
                    f"classes, got {len(row)} fields."
                )
            rows.append(row)
        whole = np.array(rows, np.int64).reshape(-1, SIDE * SIDE + CLASSES)
        images = whole[:, : SIDE * SIDE].astype(np.uint8).reshape(-1, SIDE, SIDE)
        labels = whole[:, SIDE * SIDE :].argmax(1).astype(np.uint32)
        return {"image": ArrayRows(images), "label": ArrayRows(labels)}
