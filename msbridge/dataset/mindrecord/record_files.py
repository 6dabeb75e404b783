"""Rows of MindRecord files by their number, read where they stand."""

import mmap
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.dataset.mindrecord.errors import damaged
from msbridge.dataset.mindrecord.header import Header, read_header
from msbridge.dataset.mindrecord.index import index_path, read_places
from msbridge.dataset.mindrecord.rows import decode_blob, decode_raw
from msbridge.dataset.mindrecord.schema import FieldValue, Schema


class RecordFile:
    """One file: its header, and its rows by their number in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            self.header: Header = read_header(file, path)
        if self.header.shard_names[self.header.shard_id] != path.name:
            written = self.header.shard_names[self.header.shard_id]
            raise damaged(path, f"it was written as {written}, mindrecord files cannot be renamed")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_bytes"}  # a copy maps the file anew

    @property
    def schema(self) -> Schema:
        """The fields of its rows."""
        return self.header.schema  # type: ignore[return-value]

    @cached_property
    def places(self) -> np.ndarray:
        """int64 (rows, 4): begin and end of a row's raw and blob part."""
        return read_places(self.path, self.header)

    @cached_property
    def _bytes(self) -> mmap.mmap:
        with self.path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def read(self, row: int, names: Sequence[str]) -> dict[str, FieldValue]:
        """Read some fields of a row.

        Raises:
            RuntimeError: the row's bytes are damaged.
        """
        raw, raw_end, blob, blob_end = self.places[row].tolist()
        values: dict[str, FieldValue] = {}
        try:
            if any(name in names for name in self.schema.scalar_fields):
                scalars = decode_raw(self._bytes[raw:raw_end])
                values.update({name: scalars[name] for name in self.schema.scalar_fields if name in names})
            if any(name in names for name in self.schema.blob_fields):
                values.update(decode_blob(self.schema, self._bytes[blob:blob_end], names))
        except (ValueError, KeyError) as error:
            raise damaged(self.path, f"row {row} cannot be read ({error})") from error
        return values


class RecordFiles:
    """Files with the same schema, one after the other."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.files = [RecordFile(path) for path in paths]
        first = self.files[0]
        for file in self.files[1:]:
            if (file.schema.fields, file.schema.blob_fields) != (first.schema.fields, first.schema.blob_fields):
                raise damaged(
                    file.path,
                    f"the metadata of mindrecord file is different from others: its fields are "
                    f"{dict(file.schema.fields)}, those of {first.path.name} {dict(first.schema.fields)}",
                )
        self.sizes = [len(file.places) for file in self.files]
        self._ends = np.cumsum(self.sizes)

    @property
    def schema(self) -> Schema:
        """The fields of all rows."""
        return self.files[0].schema

    def __len__(self) -> int:
        return int(self._ends[-1])

    def read(self, row: int, names: Sequence[str]) -> dict[str, FieldValue]:
        """Read some fields of a row, which is counted through all files."""
        number = int(np.searchsorted(self._ends, row, "right"))
        return self.files[number].read(row - int(self._ends[number]) + self.sizes[number], names)

    def checked_columns(self, columns: Sequence[str] | None) -> list[str]:
        """Return the names to read: those asked for, or all in alphabetical order.

        Raises:
            RuntimeError: one is not in the schema, or named twice.
        """
        for place, name in enumerate(columns or []):
            if name not in self.schema.fields:
                raise RuntimeError(
                    f"Invalid data, column name: {name} can not found in schema. Please check the 'column_list'; the "
                    f"fields of {self.files[0].path} are {list(self.schema.fields)}."
                )
            if name in (columns or [])[:place]:
                raise RuntimeError(
                    f"'columns_list' : Invalid parameter, duplicate column names are not allowed: {name}"
                )
        return list(columns or self.schema.fields)


def written_together(path: Path) -> list[Path]:
    """Return the paths of the files that were written together with one of them, in their order.

    Raises:
        RuntimeError: a file is missing.
    """
    check_present([path])
    with path.open("rb") as file:
        names = read_header(file, path).shard_names
    paths = [path.with_name(name) for name in names]
    for each in paths:
        if not each.is_file():
            raise damaged(
                path,
                f"mindrecord file: {each} can not be found; it was written together with {len(paths) - 1} others"
                if len(paths) > 1
                else f"mindrecord file: {each} can not be found: the file was renamed",
            )
    check_present(paths)
    return paths


def check_present(paths: Sequence[Path]) -> None:
    """Raise RuntimeError unless all files and their indices are there."""
    for path in paths:
        for each in (path, index_path(path)):
            if not each.is_file():
                raise RuntimeError(f"The input: {each} is not exists.")
