"""USPS: digits of letters, a line of text for each."""

from functools import cached_property
from pathlib import Path

import numpy as np

from msbridge.dataset.engine.dataset import VisionBaseDataset
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.streamed.lines import LinesDataset
from msbridge.dataset.readers.streamed.stream import FolderStreamDataset, Portion
from msbridge.dataset.transforms.base import Rows

__all__ = ["USPSDataset"]

SIDE = 16
FILES = {"train": ("usps",), "test": ("usps.t",), "all": ("usps", "usps.t")}


class USPSDataset(LinesDataset, FolderStreamDataset, VisionBaseDataset):
    """Images of USPS: `image` uint8 (16, 16, 1), `label` uint32 ().

    Args:
        dataset_dir: folder with usps and usps.t.
        usage: "train", "test" or "all"; None is "all".
        num_parallel_workers: with more than one, rows of both files alternate; None takes the global setting.
        shuffle: None, True and `Shuffle.GLOBAL` put files in random order and mix rows in a buffer; `Shuffle.FILES`
            puts files in random order; everything else keeps the order.
        num_samples, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `usage` or `shard_id` is none of those allowed.
        RuntimeError: only one of `num_shards` and `shard_id` is given; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.USPSDataset (2.10).
    """

    @cached_property
    def _paths(self) -> list[Path]:
        paths = [self.dataset_dir / name for name in FILES[self.usage]]
        for path in paths:
            if not path.is_file():
                raise pipeline_error(f"Invalid file, USPS dataset file: {path} does not exist or is a directory.")
        return paths

    def _names(self) -> list[str]:
        self._paths  # noqa: B018 - MindSpore misses the files already here
        return ["image", "label"]

    def _columns(self, portion: Portion) -> dict[str, Rows]:
        rows = [self._row(line, file) for line, file in zip(portion.rows, portion.files, strict=True)]
        numbers = np.stack([pixels for _, pixels in rows]).astype(np.float64)
        images = ((numbers + 1) / 2 * 255).astype(np.uint8).reshape(-1, SIDE, SIDE, 1)
        return {"image": images, "label": np.array([label for label, _ in rows], np.uint32)}

    def _row(self, line: str, file: int) -> tuple[int, np.ndarray]:
        """Parse a line such as 4 1:-0.9 2:0.25 … of a label and pixels between -1 and 1."""
        label, *pixels = line.split()
        try:
            values = np.array([pixel.partition(":")[2] for pixel in pixels], np.float32)
            if len(values) == SIDE * SIDE and np.isfinite(values).all() and int(label) > 0:
                return int(label) - 1, values
        except ValueError as error:
            raise self._damage_error(line, file) from error
        raise self._damage_error(line, file)

    def _damage_error(self, line: str, file: int) -> RuntimeError:
        return pipeline_error(
            f"Invalid data, a line of {self._paths[file]} should be a label from 1 on and {SIDE * SIDE} pixels with "
            f"their numbers, got {line[:80]!r}."
        )
