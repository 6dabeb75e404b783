"""SVHN: house numbers."""

from functools import cached_property
from pathlib import Path
from typing import ClassVar, Unpack

import numpy as np

from msbridge.dataset.engine.dataset import UnionBaseDataset
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch
from msbridge.dataset.readers.common_arguments import StrPath, UncachedArguments
from msbridge.dataset.readers.matlab import load_mat
from msbridge.dataset.readers.source import FolderDataset, check_choice, check_file

__all__ = ["SVHNDataset"]

PARTS = ("train", "test", "extra")


class SVHNDataset(FolderDataset, UnionBaseDataset):
    """Images of SVHN: `image` uint8 (32, 32, 3), `label` uint32 ().

    Args:
        dataset_dir: folder with train_32x32.mat, test_32x32.mat and extra_32x32.mat, which are read at once.
        usage: "train", "test", "extra" or "all"; None is "all".
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder or a file does not exist, a file is damaged, or `usage` or `shard_id` is none of those
            allowed.
        RuntimeError: arguments contradict each other.
        ImportError: SciPy is missing.

    Follows: mindspore.dataset.SVHNDataset (2.10).
    """

    column_names = ("image", "label")
    default_arguments: ClassVar = {"num_parallel_workers": 1}

    def __init__(self, dataset_dir: StrPath, usage: str | None = None, **common: Unpack[UncachedArguments]) -> None:
        super().__init__(dataset_dir, **common)
        self.usage = "all" if usage is None else check_choice(usage, "usage", (*PARTS, "all"))
        parts = PARTS if self.usage == "all" else (self.usage,)
        files = [check_file(self.dataset_dir / f"{part}_32x32.mat", "dataset_dir") for part in parts]
        loaded = [_load(path) for path in files]
        images, digits = zip(*loaded, strict=True)
        self._images = images[0] if len(images) == 1 else np.concatenate(images)
        self._digits = np.concatenate(digits)

    def _length(self) -> int:
        return len(self._images)

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        return {"image": ArrayRows(self._images), "label": ArrayRows(self._digits)}


def _load(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Read images (n, 32, 32, 3) and digits; the files call the digit zero 10."""
    variables = load_mat(path, "X", "y")
    images, digits = variables["X"], variables["y"].astype(np.uint32).reshape(-1)
    if images.ndim != 4 or images.shape[3] != len(digits):
        raise ValueError(f"Invalid file, {path} has images of shape {images.shape} and {len(digits)} labels.")
    return np.ascontiguousarray(images.transpose(3, 0, 1, 2)), np.where(digits == 10, 0, digits).astype(np.uint32)
