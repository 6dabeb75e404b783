"""MNIST as MindRecord files."""

import gzip
import math
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.mindrecord.arguments import check_path
from msbridge.dataset.mindrecord.convert.base import LARGE_PAGE_BYTES, as_jpeg, write_rows
from msbridge.dataset.mindrecord.errors import SUCCESS, MSRStatus
from msbridge.dataset.mindrecord.writing.file_writer import FileWriter

__all__ = ["MnistToMR"]

MAX_ROW_BYTES = 16 << 20  # an image of 4096 × 4096
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
        self.source = check_path(source)
        target = check_path(destination)
        self._writers = {part: FileWriter(f"{target}_{part}.mindrecord", partition_number) for part in PARTS}

    def run(self) -> MSRStatus:
        """Write the files, as `transform` does."""
        for part, prefix in PARTS.items():
            images = _Idx(self.source / f"{prefix}-images-idx3-ubyte.gz", 3)
            labels = _Idx(self.source / f"{prefix}-labels-idx1-ubyte.gz", 1)
            if images.count != labels.count:
                raise RuntimeError(f"{self.source}: {images.count} images of {prefix}, but {labels.count} labels.")
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


def _rows(images: "_Idx", labels: "_Idx") -> Iterator[dict[str, Any]]:
    for image, label in zip(images.rows(), labels.rows(), strict=True):
        yield {"label": int(label), "data": as_jpeg(image[..., None], "MnistToMR")}


class _Idx:
    """A gzip file of bytes in IDX form: a row at a time is inflated, as a megabyte can become a gigabyte.

    Attributes:
        count: the number of rows.
    """

    def __init__(self, path: Path, dimensions: int) -> None:
        self._path = path
        self._dimensions = dimensions
        with self._open_packed() as file:
            self.count, *self._shape = self._sizes(file)

    def rows(self) -> Iterator[np.ndarray]:
        """Yield the rows."""
        size = math.prod(self._shape)
        with self._open_packed() as file:
            self._sizes(file)
            for _ in range(self.count):
                data = file.read(size)
                if len(data) < size:
                    raise EOFError("it ends before its last row")
                yield np.frombuffer(data, np.uint8).reshape(self._shape)
            if file.read(1):
                raise ValueError("it continues behind its last row")

    @contextmanager
    def _open_packed(self) -> Iterator[gzip.GzipFile]:
        try:
            with open_file(self._path) as packed, gzip.GzipFile(fileobj=packed) as file:
                yield file
        except FileNotFoundError:
            raise
        except (OSError, EOFError, zlib.error, struct.error, ValueError) as error:
            raise RuntimeError(
                f"Invalid mnist file, {self._path} is not a gzip file of {self._dimensions}-dimensional data: {error}."
            ) from error

    def _sizes(self, file: gzip.GzipFile) -> tuple[int, ...]:
        magic, *sizes = struct.unpack(f">{self._dimensions + 1}I", file.read(4 * (self._dimensions + 1)))
        if magic != 0x800 + self._dimensions:
            raise ValueError(f"it begins with {magic}")
        if not 0 < math.prod(sizes[1:]) <= MAX_ROW_BYTES:
            raise ValueError(f"images of {sizes[1]} × {sizes[2]} are empty or too large")
        return tuple(sizes)
