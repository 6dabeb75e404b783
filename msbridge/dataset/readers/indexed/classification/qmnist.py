"""QMNIST: MNIST with all test images, and what is known of the writers."""

from functools import cached_property
from pathlib import Path
from typing import ClassVar, Unpack

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.engine.dataset import VisionBaseDataset
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.common_arguments import IndexedArguments, StrPath
from msbridge.dataset.readers.indexed.classification.mnist import IMAGES_MAGIC, header
from msbridge.dataset.readers.source import PartsDataset

__all__ = ["QMnistDataset"]

LABELS_MAGIC = 3074
FIELDS = 8  # of a label; the first one is the digit
ORIGINAL_TESTS = 10_000  # as many of the test images are MNIST's
FILES = {
    "train": ("qmnist-train-images-idx3-ubyte", "qmnist-train-labels-idx2-int"),
    "test": ("qmnist-test-images-idx3-ubyte", "qmnist-test-labels-idx2-int"),
    "nist": ("xnist-images-idx3-ubyte", "xnist-labels-idx2-int"),
}
ROWS = {"test10k": slice(0, ORIGINAL_TESTS), "test50k": slice(ORIGINAL_TESTS, None)}


class QMnistDataset(PartsDataset, VisionBaseDataset):
    """Images of QMNIST: `image` uint8 (28, 28, 1), `label` uint32, () or, with all that is known, (8,).

    Args:
        dataset_dir: folder with the files of images and labels of qmnist-train, qmnist-test and xnist.
        usage: "train", "test", "test10k", "test50k", "nist" or "all"; None is "all".
        compat: the label is the digit only.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the folder does not exist, or `usage` or `shard_id` is none of those allowed.
        RuntimeError: arguments contradict each other; on reading: a file is missing or damaged.

    Follows: mindspore.dataset.QMnistDataset (2.10).
    """

    column_names = ("image", "label")
    usages: ClassVar = ("train", "test", "test10k", "test50k", "nist", "all")

    def __init__(
        self, dataset_dir: StrPath, usage: str | None = None, compat: bool = True, **common: Unpack[IndexedArguments]
    ) -> None:
        super().__init__(dataset_dir, usage, **common)
        self.compat = require_type(compat, "compat", bool)

    @cached_property
    def _shapes(self) -> list[tuple[Path, Path, tuple[int, ...]]]:
        """Return the files that are read, with the shapes of their images."""
        usage = self.usage or "all"
        parts = ("train", "test", "nist") if usage == "all" else ("test" if usage in ROWS else usage,)
        files = []
        for part in parts:
            images, labels = (self.dataset_dir / name for name in FILES[part])
            for path in (images, labels):
                if not path.is_file():
                    raise pipeline_error(f"Invalid file path, Qmnist data file: {path} does not exist.")
            shape, label_shape = header(images, IMAGES_MAGIC, 3), header(labels, LABELS_MAGIC, 2, 4)
            if label_shape != (shape[0], FIELDS):
                raise pipeline_error(
                    f"Invalid qmnist file, {labels} should have labels of shape {(shape[0], FIELDS)}, as {images} has "
                    f"{shape[0]} images, got {label_shape}."
                )
            files.append((images, labels, shape))
        return files

    def _length(self) -> int:
        rows = ROWS.get(self.usage or "all", slice(None))
        return len(range(sum(shape[0] for *_, shape in self._shapes))[rows])

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        rows = ROWS.get(self.usage or "all", slice(None))
        images = [_numbers(path, np.dtype(np.uint8), shape) for path, _, shape in self._shapes]
        labels = [_numbers(path, np.dtype(">u4"), (shape[0], FIELDS)) for _, path, shape in self._shapes]
        known = np.concatenate(labels)[rows].astype(np.uint32)
        return {
            "image": ArrayRows(np.concatenate(images)[rows][..., None]),
            "label": ArrayRows(known[:, 0] if self.compat else known),
        }


def _numbers(path: Path, kind: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    with open_file(path) as file:
        file.seek(4 * (len(shape) + 1))
        return np.fromfile(file, kind).reshape(shape)
