"""FileWriter: rows into one or several MindRecord files."""

import warnings
import weakref
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from msbridge.converters.files.atomic_write import naming
from msbridge.core.checks.arguments import is_int
from msbridge.dataset.mindrecord.arguments import check_path
from msbridge.dataset.mindrecord.errors import (
    MRMAddSchemaError,
    MRMDefineIndexError,
    MRMGetMetaError,
    MSRStatus,
    ParamTypeError,
    ParamValueError,
    writing_result,
)
from msbridge.dataset.mindrecord.format.encryption import encrypt, has_key
from msbridge.dataset.mindrecord.format.header import HEADER_LIMITS, MAX_SHARDS, PAGE_LIMITS, Header, to_bytes
from msbridge.dataset.mindrecord.format.row_encoding import encode_row
from msbridge.dataset.mindrecord.format.schema import Schema, build_schema
from msbridge.dataset.mindrecord.reading.record_files import RecordFile, first_of, open_together
from msbridge.dataset.mindrecord.writing.index_writer import write_index
from msbridge.dataset.mindrecord.writing.record_group import Replacement, complete_replacements, index_path
from msbridge.dataset.mindrecord.writing.shard_writer import ShardWriter

__all__ = ["FileWriter"]

MAX_ROWS_SHOWN = 3


class FileWriter:
    """Writes rows to MindRecord files, which appear together when `commit` is called.

    What fails before, or is killed at any moment, leaves the old files, or the new ones, never some of each.

    Args:
        file_name: the file, or the beginning of the names of several.
        shard_num: how many files, in [1, 1000]; with more than one, their numbers are added to the name.
        overwrite: replace files that are there.

    Raises:
        ParamValueError: an argument is of another type or not allowed.

    Examples:
        >>> writer = FileWriter("/tmp/numbers.mindrecord", overwrite=True)
        >>> _ = writer.add_schema({"name": {"type": "string"}, "number": {"type": "int32"}})
        >>> _ = writer.write_raw_data([{"name": "one", "number": 1}, {"name": "two", "number": 2}])
        >>> _ = writer.commit()
        >>> writer = FileWriter("rows.mindrecord", overwrite=True)
        >>> fields = writer.add_schema({"image": {"type": "bytes"}, "label": {"type": "int32"}})
        >>> written = writer.write_raw_data([{"image": b"...", "label": 1}])
        >>> closed = writer.commit()
        >>> ds.MindDataset("rows.mindrecord").get_dataset_size()
        1

    Follows: mindspore.mindrecord.FileWriter (2.10).
    """

    def __init__(self, file_name: str, shard_num: int = 1, overwrite: bool = False) -> None:
        path = check_path(file_name)
        if not isinstance(shard_num, int):
            raise ParamValueError(f"Parameter shard_num's type is not int, got {shard_num!r}.")
        if not 1 <= shard_num <= MAX_SHARDS:
            raise ParamValueError(f"Parameter shard_num's value: {shard_num} should between 1 and {MAX_SHARDS}.")
        if not isinstance(overwrite, bool):
            raise ParamValueError(f"Parameter overwrite's type is not bool, got {overwrite!r}.")
        if shard_num > 1 and has_key():
            raise RuntimeError("When encode mode is enabled, the automatic sharding function is unavailable.")
        self._overwrite = overwrite
        digits = len(str(shard_num - 1))
        self._paths = [Path(f"{path}{number:0{digits}d}") if shard_num > 1 else path for number in range(shard_num)]
        self._header = Header(shard_names=[each.name for each in self._paths])
        self._appended_to: list[RecordFile] = []
        self._shards: list[ShardWriter] = []
        self._opened = ExitStack()
        self._replacement: Replacement | None = None
        self._failure = ""
        self._is_complete = self._is_committed = False

    @classmethod
    def open_for_append(cls, file_name: str) -> "FileWriter":
        """Return a writer that appends rows to existing files.

        They are copied, so that the old rows can be read until `commit` has put the new files into their place; that
        takes as much space on the disk again.

        Args:
            file_name: one of the files that were written together.

        Raises:
            ParamValueError: `file_name` is not a string.
            RuntimeError: a file or its index is missing or damaged.

        Follows: mindspore.mindrecord.FileWriter.open_for_append (2.10).
        """
        path = check_path(file_name)
        complete_replacements({path, first_of(path)})
        writer = cls(file_name)
        writer._appended_to = open_together(path).files
        writer._paths = [file.path for file in writer._appended_to]
        writer._header = writer._appended_to[0].header
        return writer

    def add_schema(self, content: dict[str, dict[str, Any]], desc: str | None = None) -> MSRStatus | None:
        """Set the schema of the rows.

        Args:
            content: field name → {"type": …} or {"type": …, "shape": […]}. Types are int32, int64, float32, float64,
                string, bytes; the numbers may have a shape, in which one dimension may be -1.
            desc: anything.

        Raises:
            MRMInvalidSchemaError: `content` is not a schema.
            MRMBuildSchemaError: a shape is not allowed.
            MRMAddSchemaError: there is a schema already.

        Follows: mindspore.mindrecord.FileWriter.add_schema (2.10).
        """
        schema = build_schema(content, desc)
        if self._header.schema is not None:
            raise MRMAddSchemaError(f"There is one already, with the fields {list(self._header.schema.fields)}.")
        self._header.schema = schema
        return writing_result()

    def add_index(self, index_fields: list[str]) -> MSRStatus | None:
        """Choose the fields that rows can be looked up by; without it these are all numbers and strings.

        Raises:
            ParamTypeError: `index_fields` is not a list of strings.
            MRMGetMetaError: there is no schema yet.
            MRMDefineIndexError: a field is not a number or string.
            RuntimeError: a field is not in the schema, or has an index already.

        Follows: mindspore.mindrecord.FileWriter.add_index (2.10).
        """
        if not isinstance(index_fields, list) or not index_fields:
            raise ParamTypeError("index_fields", "list, with at least one name,")
        for name in index_fields:
            if not isinstance(name, str):
                raise ParamTypeError("index field", "str")
        schema = self._header.schema
        if schema is None:
            raise MRMGetMetaError("Call add_schema before add_index.")
        for name in index_fields:
            if name in schema.blob_fields:
                raise MRMDefineIndexError(f"Failed to set field {name} since it's not primitive type.")
            if name not in schema.fields:
                raise RuntimeError(
                    f"Invalid input, 'index_fields': {name} can not found in schema: its fields are "
                    f"{list(schema.fields)}."
                )
            if name in self._header.index_fields:
                raise RuntimeError(f"The 'index_fields': {name} is added repeatedly.")
            self._header.index_fields.append(name)
        return writing_result()

    def set_header_size(self, header_size: int) -> MSRStatus | None:
        """Set how many bytes of a file are kept for its header, in [16 KiB, 128 MiB]; default 16 MiB.

        Follows: mindspore.mindrecord.FileWriter.set_header_size (2.10).
        """
        self._refuse_after_begin("set_header_size")
        self._header.header_size = _check_size("header size", header_size, HEADER_LIMITS)
        return writing_result()

    def set_page_size(self, page_size: int) -> MSRStatus | None:
        """Set how large pages are, in [32 KiB, 256 MiB]; default 32 MiB. A row must fit into one.

        Follows: mindspore.mindrecord.FileWriter.set_page_size (2.10).
        """
        self._refuse_after_begin("set_page_size")
        self._header.page_size = _check_size("page size", page_size, PAGE_LIMITS)
        return writing_result()

    def open_and_set_header(self) -> MSRStatus | None:
        """Open the files, as r1.x asked of writers in several processes; `write_raw_data` does it by itself.

        Follows: mindspore.mindrecord.FileWriter.open_and_set_header (1.10).
        """
        self._begin()
        return writing_result()

    def write_raw_data(self, raw_data: list[dict[str, Any]], parallel_writer: bool = False) -> MSRStatus | None:
        """Write rows; those that do not fit the schema are left out, with a warning.

        Args:
            raw_data: one dict per row; what the schema does not name is not stored.
            parallel_writer: accepted; rows are written by this process.

        Raises:
            ParamTypeError: `raw_data` is not a list of dicts.
            TypeError: `parallel_writer` is not a bool.
            RuntimeError: no row fits the schema, files are there already, or a row does not fit into a page.
            OSError: a file cannot be written, for example because the disk is full; names it. The writer takes no
                more rows.

        Follows: mindspore.mindrecord.FileWriter.write_raw_data (2.10).
        """
        if not isinstance(raw_data, list):
            raise ParamTypeError("raw_data", "list")
        for row in raw_data:
            if not isinstance(row, Mapping):
                raise ParamTypeError("raw_data item", "dict")
        if not isinstance(parallel_writer, bool):
            raise TypeError(f"The parameter `parallel_writer` must be bool, got {parallel_writer!r}.")
        schema, _ = self._begin()
        problems = [schema.wrong(row) for row in raw_data]
        rows = [row for row, problem in zip(raw_data, problems, strict=True) if problem is None]
        unfit = [f"row {number}: {problem}" for number, problem in enumerate(problems) if problem is not None]
        if unfit:
            warnings.warn(
                f"{len(unfit)} of {len(raw_data)} rows do not fit the schema and are left out: "
                f"{'; '.join(unfit[:MAX_ROWS_SHOWN])}{' …' if len(unfit) > MAX_ROWS_SHOWN else ''}.",
                stacklevel=2,
            )
        if not rows:
            raise RuntimeError("There is no valid data which can be written by 'write_raw_data' to mindrecord file.")
        try:
            for shard, start, end in self._shares(len(rows)):
                shard.write(encode_row(schema, row) for row in rows[start:end])
        except RuntimeError:  # of a row that cannot be stored; those before it are
            raise
        except BaseException as error:  # a row may be half written
            self._give_up(error)
            raise
        return writing_result()

    def commit(self) -> MSRStatus | None:
        """Complete the files and their indices and put them into place; the writer takes no more rows.

        Raises:
            RuntimeError: there is no schema, files are there already, others have appended rows meanwhile, or a header
                does not fit into its size.
            OSError: a file cannot be written; names it. The rows are kept: this can be called again.

        Follows: mindspore.mindrecord.FileWriter.commit (2.10).
        """
        if self._is_committed:
            return writing_result()
        if not self._is_complete:
            replacement = self._begin()[1]
            heads = [to_bytes(shard.header) for shard in self._shards]
            for shard, head in zip(self._shards, heads, strict=True):
                index = replacement.create(index_path(shard.path))
                write_index(index, replacement.temporary_path(shard.path), shard.header, shard.path)
                shard.finish(head)
            self._opened.close()
            for path in self._paths:
                for place in (path, index_path(path)):
                    encrypt(replacement.temporary_path(place))
            self._is_complete = True
        self._replacement.complete(self._check_targets)  # type: ignore[union-attr]
        self._is_committed = True
        return writing_result()

    def _begin(self) -> tuple[Schema, Replacement]:
        """Open the files, when the first rows are written; return the schema and the files to be."""
        if self._failure:
            raise RuntimeError(
                f"Writing to {self._paths[0]} failed before ({self._failure}), its rows are gone: use another writer."
            )
        if self._is_complete:
            raise RuntimeError(
                "Not allowed to call `write_raw_data` on flushed MindRecord files: call it before `commit`, or add "
                "rows with a writer of `open_for_append`."
            )
        schema = self._header.schema
        if schema is None:
            raise RuntimeError("Invalid data, schema is not found in header, please use 'add_schema' to add a schema.")
        if self._replacement is None:
            complete_replacements(self._paths)
            self._check_targets()
            self._header.index_fields = self._header.index_fields or list(schema.scalar_fields)
            for name in self._header.index_fields:
                if name[:1].isdigit():
                    raise RuntimeError(f"The indexed field {name!r} begins with a digit; put a letter before.")
            if len({name.lower() for name in self._header.index_fields}) < len(self._header.index_fields):
                raise RuntimeError(f"The index needs other names than {self._header.index_fields}: two differ in case.")
            self._replacement = Replacement(self._paths)
            weakref.finalize(self, _discard, self._opened, self._replacement)
            try:
                self._open_files(self._replacement)
            except BaseException as error:
                self._give_up(error)
                raise
        return schema, self._replacement

    def _open_files(self, replacement: Replacement) -> None:
        headers = [file.header for file in self._appended_to] or [
            replace(self._header, shard_id=number, pages=[]) for number in range(len(self._paths))
        ]
        for path, header in zip(self._paths, headers, strict=True):
            with naming(path, always=True):
                file = self._opened.enter_context(replacement.create(path).open("r+b", buffering=0))
            self._shards.append(ShardWriter(path, file, replace(header, index_fields=self._header.index_fields)))
        for shard, old in zip(self._shards, self._appended_to, strict=False):
            with old.open() as source:
                shard.copy(source)

    def _give_up(self, error: BaseException) -> None:
        self._failure = repr(error)
        _discard(self._opened, self._replacement)  # type: ignore[arg-type]

    def _check_targets(self) -> None:
        for file in self._appended_to:
            file.check_unchanged()
        folder = self._paths[0].parent
        if not folder.is_dir():
            raise RuntimeError(
                f"Invalid dir, failed to get the realpath of mindrecord file dir. Please check path: {folder}"
            )
        present = [str(path) for path in self._paths if path.exists()]
        if present and not self._overwrite and not self._appended_to:
            raise RuntimeError(
                f"Invalid file, mindrecord files already exist. Please check file path: {', '.join(present[:3])}. "
                "If you do not want to keep the files, set the 'overwrite' parameter to True and try again."
            )

    def _refuse_after_begin(self, method: str) -> None:
        if self._shards or self._appended_to:
            raise RuntimeError(
                f"'{method}' must be called before rows are written; those in the files keep their pages."
            )

    def _shares(self, rows: int) -> Iterator[tuple[ShardWriter, int, int]]:
        """Divide the rows of one call among the files; the first ones take what is left over."""
        share, left = divmod(rows, len(self._shards))
        start = 0
        for number, shard in enumerate(self._shards):
            end = start + share + (number < left)
            if start < end:
                yield shard, start, end
            start = end


def _check_size(name: str, size: Any, limits: tuple[int, int]) -> int:
    if not is_int(size):
        raise TypeError(f"The {name} must be an int, got {size!r}.")
    if not limits[0] <= size <= limits[1]:
        raise RuntimeError(f"Invalid data, {name}: {size} should be in range [{limits[0]} bytes, {limits[1]} bytes].")
    if size % 4:
        raise RuntimeError(f"Invalid data, {name} {size} should be divided by four.")
    return size


def _discard(opened: ExitStack, replacement: Replacement) -> None:
    """Close and remove what was never committed."""
    opened.close()
    replacement.discard()
