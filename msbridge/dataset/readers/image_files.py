"""The base of readers of image files: rows are paths and annotations; the files are read when rows are needed."""

import os
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Protocol, Unpack

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.core.runtime.plain_files import open_file
from msbridge.dataset.engine.blocks import Block, Column
from msbridge.dataset.engine.dataset import VisionBaseDataset
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch, ListRows
from msbridge.dataset.engine.nodes import ExecutionContext
from msbridge.dataset.engine.user_values import pipeline_error, user_error
from msbridge.dataset.readers.common_arguments import ImageArguments, StrPath
from msbridge.dataset.readers.source import FolderDataset, check_choice, check_folder
from msbridge.dataset.readers.streamed.lines import decode_text, open_text
from msbridge.dataset.transforms.base import ChainStep, Rows, Transform
from msbridge.dataset.vision.codecs.decode import decode_image

SIGNATURES = (b"\xff\xd8\xff", b"\x89PN", b"BM")  # of JPEG, PNG and BMP

Decrypt = Callable[[str], bytes]


class Images(list[str]):
    """The paths of a column of image files, one for each row."""


class OwnRows(Protocol):
    """Rows that a reader computes when they are needed."""

    def __len__(self) -> int: ...

    def __call__(self, indices: np.ndarray) -> Rows: ...


TableColumn = Images | np.ndarray | list[Any] | OwnRows
Table = dict[str, TableColumn]


class ImageFilesDataset(FolderDataset, VisionBaseDataset):
    """Base of readers of image files; its readers document the arguments.

    Subclasses write `_table`, the rows by column: `Images`, an array, a list of arrays that differ in shape, or rows of
    its own. It is called once, when rows are first asked for.
    """

    column_names = ("image", "label")
    decrypt: Decrypt | None = None

    def __init__(
        self,
        dataset_dir: StrPath,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        super().__init__(dataset_dir, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.decode = decode is not None and require_type(decode, "decode", bool)

    def _table(self) -> Table:
        """Read the annotations: the rows of each column, in order."""
        raise NotImplementedError

    @cached_property
    def _rows_by_column(self) -> Table:
        return self._table()

    def _length(self) -> int:
        return len(next(iter(self._rows_by_column.values())))

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        return {name: self._fetch(rows) for name, rows in self._rows_by_column.items()}

    def _fetch(self, rows: TableColumn) -> Fetch:
        if isinstance(rows, Images):
            return PathRows(rows) if self.decode else FileRows(rows, self.decrypt)
        if isinstance(rows, list):
            return ListRows(rows)
        return ArrayRows(rows) if isinstance(rows, np.ndarray) else rows

    def _stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        if not self._length():
            raise self._no_rows()
        for block in super()._stream(context, epoch):
            yield Block(
                {name: self._decode_column(column) for name, column in block.columns.items()}, block.size, block.keys
            )

    def _decode_column(self, column: Column) -> Column:
        """Return the column of images behind one of paths, so that a damaged file can be named."""
        is_paths = isinstance(getattr(column.base, "fetch", None), PathRows)
        return Column(column.base, (ChainStep(self._decode_file),)) if is_paths else column

    @cached_property
    def _decode_file(self) -> "DecodeFile":
        return DecodeFile(self.decrypt)

    def _no_rows(self) -> RuntimeError:
        return pipeline_error(
            f"Invalid data, {type(self).__name__} can't read the data file (no data found). Check file path: "
            f"{self.dataset_dir}."
        )


class ImagesOfPart(ImageFilesDataset):
    """Base of readers of a folder of which `usage` names a part; its readers document the arguments."""

    usages: ClassVar[tuple[str, ...]] = ("train", "test", "all")
    usage_unless_given: ClassVar[str] = "all"

    def __init__(self, dataset_dir: StrPath, usage: str | None = None, **common: Unpack[ImageArguments]) -> None:
        check_folder(dataset_dir)
        self.usage = self.usage_unless_given if usage is None else check_choice(usage, "usage", self.usages)
        super().__init__(dataset_dir, **common)


class DecodeFile(Transform):
    """Decode image files, named by their paths."""

    heavy = True

    def __init__(self, decrypt: Decrypt | None = None) -> None:
        self.decrypt = decrypt

    def transform_value(self, value: str) -> np.ndarray:
        data = file_bytes(value, self.decrypt)
        try:
            return decode_image(data)
        except RuntimeError as error:
            raise pipeline_error(
                f"Invalid image, {value} decode failed, the image is broken or permission denied."
            ) from error


class PathRows:
    """Paths of files, to be read by a transform."""

    def __init__(self, paths: Images) -> None:
        self.paths = paths

    def __call__(self, indices: np.ndarray) -> list[str]:
        return [self.paths[index] for index in indices.tolist()]


class FileRows:
    """The bytes of files, read when they are needed."""

    def __init__(self, paths: Images, decrypt: Decrypt | None = None) -> None:
        self.paths, self.decrypt = paths, decrypt

    def __call__(self, indices: np.ndarray) -> list[np.ndarray]:
        return [file_bytes(self.paths[index], self.decrypt) for index in indices.tolist()]


def check_decrypt(decrypt: Decrypt | None) -> Decrypt | None:
    """Return the function that reads encrypted files, or None.

    Raises:
        TypeError: it is not a function.
    """
    if decrypt is not None and not callable(decrypt):
        raise TypeError(f"Argument decrypt is not a callable object, but got {type(decrypt)}.")
    return decrypt


def file_bytes(path: str, decrypt: Decrypt | None = None) -> np.ndarray:
    """Read a file, through the user's function where there is one."""
    if decrypt is not None:
        try:
            data = decrypt(path)
        except Exception as error:
            raise user_error(error, f"decrypt of {path}") from error
        if not isinstance(data, bytes):
            raise pipeline_error(f"The return value of the decrypt function is not of type bytes, got {type(data)}.")
        return np.frombuffer(data, np.uint8).copy()
    try:
        with open_file(path) as file:
            return np.fromfile(file, np.uint8)
    except OSError as error:
        raise pipeline_error(f"Failed to open file: {path} ({error.strerror}).") from error


def all_lines(path: Path) -> list[str]:
    """Return the lines of a text file, without their ends; a last one that is empty is not one."""
    with open_text(path) as file:
        lines = decode_text(file.read(), path).split("\n")
    return [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]


def files_of(folder: Path, *endings: str, holds_folders: bool = True) -> list[str]:
    """List the paths of the files in a folder by name; where there are endings, of those only.

    Raises:
        RuntimeError: there is no such folder, or something that is not a file is there against `holds_folders`.
    """
    entries = [
        entry
        for entry in _entries(folder)
        if not endings or os.path.splitext(entry.name)[1] in endings  # noqa: PTH122 - of names
    ]
    files = [entry.path for entry in entries if entry.is_file()]
    if not holds_folders and len(files) < len(entries):
        other = next(entry.path for entry in entries if not entry.is_file())
        raise pipeline_error(f"Invalid file found: {other}, should be file, but got directory.")
    return files


def subfolders(folder: Path) -> list[Path]:
    """List the folders in a folder by name."""
    return [Path(entry.path) for entry in _entries(folder) if entry.is_dir()]


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise pipeline_error(f"Invalid path, failed to open folder: {folder} ({error.strerror}).") from error


def is_image(path: str) -> bool:
    """Whether a file begins as JPEG, PNG or BMP files do."""
    with open_file(path) as file:
        head = file.read(3)
    if len(head) < 3:
        raise pipeline_error(f"Invalid file, failed to read {path}: the file content is incomplete.")
    return head.startswith(SIGNATURES)


def existing(path: Path) -> str:
    """Return the path of a file that annotations name.

    Raises:
        RuntimeError: there is no such file.
    """
    if not path.is_file():
        raise pipeline_error(f"Invalid file path, {path} does not exist.")
    return str(path)
