"""MNIST as MindRecord files.

Follows: mindspore.mindrecord.MnistToMR (2.10).
"""

import gzip
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.dataset.mindrecord.arguments import checked_path
from msbridge.dataset.mindrecord.converting import LARGE_PAGE_BYTES, as_jpeg, write_rows
from msbridge.dataset.mindrecord.errors import SUCCESS, MSRStatus
from msbridge.dataset.mindrecord.file_writer import FileWriter

__all__ = ["MnistToMR"]

PARTS = {"train": "train", "test": "t10k"}


class MnistToMR:
    """MNIST's gzip files: fields `label` (int64) and `data` (JPEG).

    Args:
        source: folder with train-images-idx3-ubyte.gz, train-labels-idx1-ubyte.gz and the same of t10k.
        destination: the beginning of the names to write: "_train.mindrecord" and "_test.mindrecord" follow.
        partition_number: how many files for each.

    Raises:
        ParamValueError: an argument is of another type or not allowed.

    Follows: mindspore.mindrecord.MnistToMR (2.10).
    """

    def __init__(self, source: str, destination: str, partition_number: int = 1) -> None:
        self.source = checked_path(source)
        target = checked_path(destination)
        self._writers = {part: FileWriter(f"{target}_{part}.mindrecord", partition_number) for part in PARTS}

    def run(self) -> MSRStatus:
        """Write the files, as `transform` does."""
        for part, prefix in PARTS.items():
            images = _idx(self.source / f"{prefix}-images-idx3-ubyte.gz", 3)
            labels = _idx(self.source / f"{prefix}-labels-idx1-ubyte.gz", 1)
            if len(images) != len(labels):
                raise RuntimeError(f"{self.source}: {len(images)} images of {prefix}, but {len(labels)} labels.")
            writer = self._writers[part]
            writer.set_page_size(LARGE_PAGE_BYTES)
            writer.add_schema({"label": {"type": "int64"}, "data": {"type": "bytes"}}, "mnist_schema")
            write_rows(writer, _rows(images, labels))
        return SUCCESS

    def transform(self) -> MSRStatus:
        """Write the images for training and those for testing.

        Raises:
            FileNotFoundError: a file of the dataset is missing.
            RuntimeError: a file is damaged, or a destination is there already.
        """
        return self.run()


def _rows(images: np.ndarray, labels: np.ndarray) -> Iterator[dict[str, Any]]:
    for image, label in zip(images, labels.tolist(), strict=True):
        yield {"label": label, "data": as_jpeg(image[..., None], "MnistToMR")}


def _idx(path: Path, dimensions: int) -> np.ndarray:
    """Read a gzip file of bytes in IDX form."""
    try:
        data = gzip.decompress(path.read_bytes())
        magic, *sizes = struct.unpack_from(f">{dimensions + 1}I", data)
        if magic != 0x800 + dimensions:
            raise ValueError(f"it begins with {magic}")
        return np.frombuffer(data, np.uint8, offset=4 * (dimensions + 1)).reshape(sizes)
    except (gzip.BadGzipFile, EOFError, struct.error, ValueError) as error:
        raise RuntimeError(
            f"Invalid mnist file, {path} is no gzip file of {dimensions}-dimensional data: {error}."
        ) from error
