"""Rows of MindRecord files by their number, read where they are."""

import contextlib
import mmap
import os
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from msbridge.dataset.mindrecord.errors import damage_error
from msbridge.dataset.mindrecord.format.encryption import Decrypted, decrypt_files, is_encrypted
from msbridge.dataset.mindrecord.format.header import Header, read_header
from msbridge.dataset.mindrecord.format.index import read_places, read_values
from msbridge.dataset.mindrecord.format.msgpack_rows import Scalar
from msbridge.dataset.mindrecord.format.row_encoding import decode_blob, decode_raw
from msbridge.dataset.mindrecord.format.schema import FieldValue, Schema
from msbridge.dataset.mindrecord.writing.record_group import Note, index_path, read_note

MAX_ATTEMPTS = 5  # to open files that a writer is replacing


class RecordFile:
    """One file: its header, and its rows by their number in it.

    Args:
        path: what it is called.
        note: says where it is, if it did not take its name yet, or is encrypted.

    Raises:
        RuntimeError: the file is missing or damaged.
    """

    def __init__(self, path: Path, note: Note | Decrypted | None = None) -> None:
        self.path, self._note = path, note  # what was decrypted lasts as long as its note
        self._places = {name: note.locate(name) if note else name for name in (path, index_path(path))}
        _check_present(self._places)
        self._states = {name: _state(place.stat()) for name, place in self._places.items()}
        with self.open() as file:
            self.header: Header = read_header(file, path)
        if self.header.shard_names[self.header.shard_id] != path.name:
            written = self.header.shard_names[self.header.shard_id]
            raise damage_error(path, f"it was written as {written}, mindrecord files cannot be renamed")

    def __getstate__(self) -> dict[str, Any]:
        # A copy opens the file again.
        return {name: value for name, value in self.__dict__.items() if name not in ("_bytes", "_note")}

    @property
    def schema(self) -> Schema:
        """The fields of its rows."""
        return self.header.schema  # type: ignore[return-value]

    @cached_property
    def places(self) -> np.ndarray:
        """int64 (rows, 4): begin and end of a row's raw and blob part."""
        return read_places(self.path, self._place(index_path(self.path)), self.header)

    @cached_property
    def _bytes(self) -> Callable[[int, int], bytes]:
        """Reads the bytes from one place to another."""
        with self.open() as file:
            if not hasattr(os, "pread"):  # Windows, where no mapped file can be cut
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                return lambda start, end: mapped[start:end]
            # A mapped file that somebody cuts, as `cp` does before it writes, would end the process.
            fd = os.dup(file.fileno())
        weakref.finalize(self, os.close, fd)
        return lambda start, end: os.pread(fd, end - start, start)

    def open(self) -> BinaryIO:
        """Open the file that this was made of.

        Raises:
            RuntimeError: another one has taken its place.
        """
        try:
            file = self._place(self.path).open("rb")
        except FileNotFoundError:  # it took its name after the look
            file = self._place(self.path).open("rb")
        if _state(os.fstat(file.fileno())) != self._states[self.path]:
            file.close()
            raise _change_error(self.path)
        return file

    def iterate_indexed_values(self, field: str) -> Iterator[tuple[int, Scalar | None]]:
        """Yield the number of each row and its value of an indexed field, None for NaN.

        Raises:
            RuntimeError: the index is damaged, or another one has taken its place.
        """
        return read_values(self.path, self._place(index_path(self.path)), self.header, field)

    def check_unchanged(self) -> None:
        """Raise RuntimeError if the file or its index was written again since this was made."""
        for name in self._places:
            self._place(name)

    def _place(self, name: Path) -> Path:
        """Return the path that the file or its index has now."""
        for place in (self._places[name], name):  # it may take its name meanwhile, at any moment
            with contextlib.suppress(FileNotFoundError):
                if _state(place.stat()) == self._states[name]:
                    return place
        raise _change_error(name)

    def read(self, row: int, names: Sequence[str]) -> dict[str, FieldValue]:
        """Read some fields of a row.

        Raises:
            RuntimeError: the row's bytes are damaged, or those of another file.
        """
        raw, raw_end, blob, blob_end = self.places[row].tolist()
        schema, wanted = self.schema, set(names)
        values: dict[str, FieldValue] = {}
        try:
            if not wanted.isdisjoint(schema.scalar_fields):
                scalars = decode_raw(self._bytes(raw, raw_end), wanted)
                for name in schema.scalar_fields:
                    if name in wanted:
                        values[name] = value = scalars[name]
                        schema.check_scalar(name, value)
            if not wanted.isdisjoint(schema.blob_fields):
                values.update(decode_blob(schema, self._bytes(blob, blob_end), wanted))
        except (ValueError, KeyError) as error:
            raise damage_error(self.path, f"row {row} cannot be read ({error})") from error
        return values


class RecordFiles:
    """Files with the same schema, in sequence."""

    def __init__(self, files: Sequence[RecordFile]) -> None:
        self.files = list(files)
        first = self.files[0]
        for file in self.files[1:]:
            if (file.schema.fields, file.schema.blob_fields) != (first.schema.fields, first.schema.blob_fields):
                raise damage_error(
                    file.path,
                    f"the metadata of mindrecord file is different from others: its fields are "
                    f"{dict(file.schema.fields)}, those of {first.path.name} {dict(first.schema.fields)}",
                )
        self.sizes = [len(file.places) for file in self.files]
        self._ends = np.cumsum(self.sizes)
        for file in self.files:  # all of them were there at this moment, so none is older than another
            file.check_unchanged()

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

    def resolve_columns(self, columns: Sequence[str] | None) -> list[str]:
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


def open_each(paths: Sequence[Path]) -> RecordFiles:
    """Open some files.

    Raises:
        RuntimeError: one is missing or damaged.
    """
    return RecordFiles([RecordFile(path, _note_about(path)) for path in paths])


def open_together(path: Path) -> RecordFiles:
    """Open all files that were written together with one, in their order.

    Raises:
        RuntimeError: one is missing or damaged, or was not written together with the others.
    """
    for _ in range(MAX_ATTEMPTS):
        with contextlib.suppress(FileNotFoundError):  # new files took their names between a look and the opening
            return _open_together(path)
    raise _change_error(path)


def _open_together(path: Path) -> RecordFiles:
    note = _note_about(path)
    _check_present({name: note.locate(name) if note else name for name in (path, index_path(path))})
    with (note.locate(path) if note else path).open("rb") as file:
        names = read_header(file, path).shard_names
    files = []
    for number, each in enumerate(map(path.with_name, names)):
        if not (note.locate(each) if note else each).is_file():
            raise damage_error(
                path,
                f"mindrecord file: {each} can not be found; it was written together with {len(names) - 1} others"
                if len(names) > 1
                else f"mindrecord file: {each} can not be found: the file was renamed",
            )
        files.append(RecordFile(each, note))
        header = files[-1].header
        if (header.shard_names, header.shard_id) != (names, number):
            raise damage_error(
                each,
                f"it is file {header.shard_id + 1} of the {len(header.shard_names)} that begin with "
                f"{header.shard_names[0]}, but {path.name} was written as one of {len(names)}: they are of different "
                "runs of their writer. Remove the older ones, or write all of them again",
            )
    return RecordFiles(files)


def first_of(path: Path) -> Path:
    """Return the first of the files that were written together with one."""
    if not path.is_file() or is_encrypted(path):  # encrypted files come one by one
        return path
    with path.open("rb") as file:
        return path.with_name(read_header(file, path).shard_names[0])


def _note_about(path: Path) -> Note | Decrypted | None:
    """Return the note about a file's path: new files that are about to replace it, or its decrypted content."""
    return decrypt_files(path) or read_note(path) or read_note(first_of(path))


def _check_present(places: Mapping[Path, Path]) -> None:
    for name, place in places.items():
        if not place.is_file():
            raise RuntimeError(
                f"The input: {name} is not exists. A MindRecord file needs the .db that was written with it; without "
                "it, the writer may have been killed while it replaced older files: write them again."
            )


def _state(found: os.stat_result) -> tuple[int, ...]:
    return found.st_ino, found.st_size, found.st_mtime_ns


def _change_error(path: Path) -> RuntimeError:
    return RuntimeError(f"{path} was rewritten after it had been opened here, so its rows are others: open it again.")
