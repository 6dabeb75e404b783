"""TFRecord files whose records are `tf.train.Example`s."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.engine.dataset import UnionBaseDataset
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.source import Shuffle
from msbridge.dataset.readers.streamed.example import (
    BYTES,
    FLOATS,
    INTEGERS,
    KINDS,
    MISSING,
    UNSET,
    Feature,
    UnevenRecords,
    feature_kinds,
    parse_example,
    parse_examples,
)
from msbridge.dataset.readers.streamed.records import count_records, is_record_file, read_records
from msbridge.dataset.readers.streamed.schema import ColumnSchema, Schema, read_schema
from msbridge.dataset.readers.streamed.stream import Portion, Segment, StreamDataset, find_files
from msbridge.dataset.transforms.base import Rows, as_list

__all__ = ["TFRecordDataset"]

NUMBER_KINDS = (FLOATS, INTEGERS)
WITHOUT_SCHEMA = {BYTES: "bytes", FLOATS: "float32", INTEGERS: "int64"}  # "bytes": uint8, padded to the longest string


class TFRecordDataset(StreamDataset, UnionBaseDataset):
    """The features of `tf.train.Example`s: one column per feature.

    Without a schema the first record decides: a list of integers is int64 (n,), one of floats float32 (n,), and bytes
    are uint8 (n,); of several byte strings each is padded with spaces to the longest. A schema may say "string",
    other number types, and shapes.

    Args:
        dataset_files: a file, a pattern, or a list of those; files are read in alphabetical order.
        schema: a Schema, or the path of a JSON file; None looks at the first record.
        columns_list: the features to read, in order; None or [] is all: those of the schema in its order, else in
            alphabetical order.
        num_samples: at most how many rows of each shard; None and 0 are what the schema says, or all.
        shuffle: None, True and `Shuffle.GLOBAL` put files in random order and mix rows in a buffer; `Shuffle.FILES`
            puts files in random order; everything else keeps the order.
        shard_equal_rows: parts have equally many rows; otherwise each part consists of whole files.
        compression_type: "GZIP" or "ZLIB"; None and "" are plain files. Of compressed files with `num_samples`, each
            reads equally many rows.
        num_parallel_workers, num_shards, shard_id, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a file does not exist, or an argument is not allowed.
        RuntimeError: only one of `num_shards` and `shard_id` is given; on reading: a file is damaged, there are fewer
            files than shards, or a feature is missing or of another type or shape.

    Follows: mindspore.dataset.TFRecordDataset (2.10).
    """

    def __init__(
        self,
        dataset_files: str | list[str],
        schema: str | Schema | None = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool = False,
        cache: Any = None,
        compression_type: str | None = None,
    ) -> None:
        if not isinstance(dataset_files, (str, list)):
            raise TypeError("dataset_files should be type str or a list of strings.")
        if not dataset_files:
            raise ValueError(f"Input dataset_files can not be empty, but got '{dataset_files}'.")
        if columns_list is not None:
            require_type(columns_list, "columns_list", list)
        if shard_equal_rows is not None:
            require_type(shard_equal_rows, "shard_equal_rows", bool)
        if compression_type not in (None, "", "ZLIB", "GZIP"):
            raise ValueError(
                "Input compression_type can only be either '' (no compression), 'ZLIB', or 'GZIP', but got "
                f"'{compression_type}'."
            )
        super().__init__(num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        given = len(dataset_files) if isinstance(dataset_files, list) else 1
        if compression_type and num_samples is not None and given < self.num_shards:
            raise _too_few_files(ValueError, given, self.num_shards)
        self.dataset_files = sorted(find_files(dataset_files))
        self.columns_list, self.shard_equal_rows = columns_list or [], bool(shard_equal_rows)
        self.compression_type = compression_type or ""
        if schema is not None:
            self.num_samples = self.num_samples or Schema.get_num_rows(schema)
        self.schema = schema

    @cached_property
    def _paths(self) -> list[Path]:
        if wrong := [path for path in self.dataset_files if not is_record_file(path, self.compression_type)]:
            raise pipeline_error(
                "Invalid file. The following files either cannot be opened, or are not valid TFRecordDataset files: "
                f"{', '.join(map(str, wrong))}"
            )
        if len(self.dataset_files) < self.num_shards and (self.compression_type or not self.shard_equal_rows):
            raise _too_few_files(pipeline_error, len(self.dataset_files), self.num_shards)
        return self.dataset_files

    @cached_property
    def _scans(self) -> dict[Path, tuple[int, list[int]]]:
        return {path: count_records(path, self.compression_type) for path in set(self._paths)}

    def _count(self, path: Path) -> int:
        return self._scans[path][0]

    @cached_property
    def _wanted(self) -> list[ColumnSchema]:
        """The columns to read; without a schema, of types that `_number_rows` and `_byte_rows` understand."""
        columns = self._infer_columns() if self.schema is None else read_schema(self.schema).columns
        if not self.columns_list:
            return columns
        known = {column.name: column for column in columns}
        for place, name in enumerate(self.columns_list):
            if name not in known:
                raise pipeline_error(
                    f"Invalid columns_list, {self._paths[0] if self.schema is None else 'the schema'} has no column "
                    f"{name!r}; there are {list(known)}."
                )
            if name in self.columns_list[:place]:
                raise pipeline_error(f"Invalid columns_list, column name {name!r} is given twice.")
        return [known[name] for name in self.columns_list]

    def _infer_columns(self) -> list[ColumnSchema]:
        path = self._paths[0]
        first = next(iter(read_records(path, self.compression_type, 0, 1)))[0]
        try:
            kinds = feature_kinds(first)
        except ValueError as error:
            raise _unreadable(path, error) from error
        if not kinds:
            raise pipeline_error(f"The first record of {path} has no features, so there are no columns.")
        for name, kind in kinds.items():
            if kind == UNSET and name in (self.columns_list or kinds):
                raise pipeline_error(
                    f"Unrecognized column type, the column type of {name} should be uint8, int64 or float32, but the "
                    f"first record of {path} says nothing."
                )
        return [ColumnSchema(name, WITHOUT_SCHEMA.get(kind, ""), None) for name, kind in kinds.items()]

    def _names(self) -> list[str]:
        return [column.name for column in self._wanted]

    @property
    def _rows_of_each(self) -> int | None:
        """The number of rows in each compressed file; None where this is not fixed."""
        if not (self.compression_type and self.num_samples):
            return None
        return self.num_samples // (len(self._paths) // self.num_shards)

    def _segments(self, order: list[int]) -> list[Segment]:
        rows = self._rows_of_each
        if rows is not None:
            used = order[: len(order) // self.num_shards * self.num_shards]
            return [Segment(file, 0, rows) for file in used[self.shard_id :: self.num_shards] if rows]
        if self.shard_equal_rows:
            return super()._segments(order)
        return [Segment(file) for file in order[self.shard_id :: self.num_shards]]

    def _shard_rows(self) -> int:
        if self._rows_of_each is not None:
            return self._rows_of_each * (len(self._paths) // self.num_shards)
        return super()._shard_rows() if self.shard_equal_rows else sum(self._counts[self.shard_id :: self.num_shards])

    def _read(self, path: Path, start: int, end: int | None) -> Iterator[list[Any]]:
        marks = self._scans[path][1] if start else None
        count = 0
        for rows in read_records(path, self.compression_type, start, end, marks):
            count += len(rows)
            yield rows
        if self._rows_of_each is not None and end is not None and count < end - start:
            raise pipeline_error(
                f"This tfrecord file: {path}, has {count} rows, but num_samples asks each compressed file for {end}."
            )

    def _columns(self, portion: Portion) -> dict[str, Rows]:
        names = {column.name for column in self._wanted}
        try:
            features = parse_examples(portion.rows, names)
            return {column.name: self._column(column, features[column.name]) for column in self._wanted}
        except (UnevenRecords, ValueError):
            return self._one_by_one(portion, names)

    def _one_by_one(self, portion: Portion, names: set[str]) -> dict[str, Rows]:
        columns: dict[str, Any] = {column.name: [] for column in self._wanted}
        for record, file in zip(portion.rows, portion.files, strict=True):
            try:
                features = parse_example(record, names)
                for column in self._wanted:
                    columns[column.name] += as_list(self._column(column, features[column.name]))
            except ValueError as error:
                raise _unreadable(self._paths[file], error) from error
        return columns

    def _column(self, column: ColumnSchema, feature: Feature) -> Rows:
        """Turn one feature of some records into rows; ValueError where it does not fit."""
        if feature.kind in (MISSING, UNSET):
            raise ValueError(f"column {column.name!r} does not exist" if feature.kind == MISSING else "no type")
        if feature.kind == BYTES and column.type in ("string", "uint8", "bytes"):
            return _byte_rows(column, feature)
        fits = feature.kind in NUMBER_KINDS and column.type not in ("string", "bytes")
        if not fits or (self.schema is None and KINDS[feature.kind] != column.type):
            raise ValueError(f"column {column.name!r} should be {column.type}, but is {KINDS[feature.kind]}")
        return _number_rows(column, feature)


def _number_rows(column: ColumnSchema, feature: Feature) -> Rows:
    values, dtype = feature.values, np.dtype(column.type)
    if values.dtype != dtype:
        with np.errstate(all="ignore"):  # numbers are cast as C does
            values = values.astype(np.int64) if values.dtype.kind == "f" and dtype.kind in "iu" else values
            values = values.astype(dtype)
    counts = feature.counts
    if len(counts) and (counts == counts[0]).all():
        return values.reshape(len(counts), *_shape(column, int(counts[0])))
    ends = np.cumsum(counts).tolist()
    return [
        values[end - count : end].reshape(_shape(column, count))
        for end, count in zip(ends, counts.tolist(), strict=True)
    ]


def _byte_rows(column: ColumnSchema, feature: Feature) -> Rows:
    if column.type == "string":
        return [
            np.array([str(value, "utf-8") for value in values], np.str_).reshape(_shape(column, len(values)))
            for values in _by_record(feature)
        ]
    if column.type == "uint8" and feature.counts.max(initial=0) > 1:
        raise ValueError(f"column {column.name!r} has several strings, which uint8 cannot hold")
    joined = [_pad_values(values) for values in _by_record(feature)]
    flat = np.frombuffer(bytearray().join(joined), np.uint8)
    column = ColumnSchema(column.name, "uint8", column.shape)
    return _number_rows(column, Feature(INTEGERS, np.array([len(value) for value in joined]), flat))


def _by_record(feature: Feature) -> Iterator[list[bytes]]:
    if (feature.counts == 1).all():
        return ([value] for value in feature.values)
    ends = np.cumsum(feature.counts).tolist()
    return (feature.values[end - count : end] for end, count in zip(ends, feature.counts.tolist(), strict=True))


def _pad_values(values: list[bytes]) -> bytes:
    if len(values) == 1:
        return values[0]
    longest = max(map(len, values), default=0)
    return b"".join(bytes(value).ljust(longest) for value in values)


def _shape(column: ColumnSchema, count: int) -> tuple[int, ...]:
    if column.shape is None:
        return (count,)
    known = 1
    for size in column.shape:
        known *= size if size != -1 else 1
    unknown = column.shape.count(-1)
    if unknown > 1 or (count % known if unknown and known > 0 else known != count) or (unknown and not count):
        raise ValueError(f"column {column.name!r} has {count} values, which do not make shape {list(column.shape)}")
    return tuple(count // known if size == -1 else size for size in column.shape)


def _too_few_files(kind: Any, files: int, shards: int) -> Exception:
    error: Exception = kind(
        f"Invalid file, the number of tfrecord files must not be less than num_shards unless shard_equal_rows is True "
        f"and they are not compressed, but there are {files} files and num_shards is {shards}."
    )
    return error


def _unreadable(path: Path, error: Exception) -> RuntimeError:
    return pipeline_error(f"Invalid TFRecord file, {path}: a record cannot be read ({error}).")
