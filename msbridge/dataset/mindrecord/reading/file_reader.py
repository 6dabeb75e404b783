"""FileReader: the rows of MindRecord files as dicts."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msbridge.dataset.mindrecord.arguments import check_consumers, check_path
from msbridge.dataset.mindrecord.errors import ParamTypeError, ParamValueError
from msbridge.dataset.mindrecord.format.schema import FieldValue
from msbridge.dataset.mindrecord.reading.record_files import RecordFiles, open_each, open_together

__all__ = ["FileReader"]


class FileReader:
    """Reads rows in the order of the file.

    Args:
        file_name: one of the files that were written together, which reads all of them; or a list of the files to read.
        num_consumer: accepted; rows are read by this thread.
        columns: the fields to read; None or [] is all.
        operator: only None.

    Raises:
        ParamValueError: `file_name` or `num_consumer` is of another type or not allowed.
        ParamTypeError: `columns` is not a list.
        RuntimeError: a file is missing or damaged, or a field is not in the schema.

    Follows: mindspore.mindrecord.FileReader (2.10).
    """

    def __init__(
        self,
        file_name: str | list[str],
        num_consumer: int = 4,
        columns: list[str] | None = None,
        operator: Any = None,
    ) -> None:
        check_consumers(num_consumer)
        if columns is not None and not isinstance(columns, list):
            raise ParamTypeError("columns", "list")
        for name in columns or ():
            if not isinstance(name, str):
                raise TypeError(f"'columns' must hold strings, got {name!r}.")
        if operator is not None:
            raise TypeError(f"For 'FileReader', operator must be None, got {operator!r}.")
        self._files = open_files(file_name)
        self._columns = self._files.resolve_columns(columns)
        self._next = 0

    def get_next(self) -> Iterator[dict[str, FieldValue]]:
        """Yield the rows that were not read yet: numbers, strings, bytes and ndarrays by field name.

        A float is a Python float, also where MindSpore makes an int of a whole one.

        Follows: mindspore.mindrecord.FileReader.get_next (2.10).
        """
        while self._next < len(self._files):
            self._next += 1
            yield self._files.read(self._next - 1, self._columns)

    def close(self) -> None:
        """End reading.

        Follows: mindspore.mindrecord.FileReader.close (2.10).
        """
        self._next = len(self._files)

    def len(self) -> int:
        """Return the number of rows.

        Follows: mindspore.mindrecord.FileReader.len (2.10).
        """
        return len(self._files)

    def schema(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the fields: name → {"type": …} or {"type": …, "shape": […]}.

        Follows: mindspore.mindrecord.FileReader.schema (2.10).
        """
        return {name: dict(field) for name, field in self._files.schema.fields.items()}


def open_files(file_name: str | os.PathLike[str] | list[Any]) -> RecordFiles:
    """Open all files that were written together with one, or just those of a list."""
    if not isinstance(file_name, list):
        return open_together(_regular(check_path(file_name)))
    if not file_name:
        raise ParamValueError("File path is not allowed None or empty!")
    return open_each([_regular(check_path(each)) for each in file_name])


def _regular(path: Path) -> Path:
    if path.is_dir():
        raise RuntimeError(f"{path} is not exists, or no regular file.")
    return path
