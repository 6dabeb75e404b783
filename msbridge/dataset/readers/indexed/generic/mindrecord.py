"""MindRecord files as a dataset."""

import os
import threading
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type
from msbridge.core.releases.rows import Default
from msbridge.core.runtime.path_mapping import resolve
from msbridge.dataset.engine.dataset import UnionBaseDataset
from msbridge.dataset.engine.in_memory_rows import Fetch
from msbridge.dataset.engine.nodes import ExecutionContext
from msbridge.dataset.engine.sampling.sampler_arguments import as_sampler, check_sampling, check_whole_shard
from msbridge.dataset.engine.sampling.samplers import (
    BuiltinSampler,
    DistributedSampler,
    PKSampler,
    RandomSampler,
    SequentialSampler,
    SubsetSampler,
)
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.mindrecord.format.schema import NUMBERS
from msbridge.dataset.mindrecord.reading.record_files import RecordFiles, open_each, open_together
from msbridge.dataset.readers.indexed.generic.padded_row import make_padded_row
from msbridge.dataset.readers.source import MappableDataset, Shuffle
from msbridge.dataset.transforms.base import Rows

__all__ = ["MindDataset"]

SAMPLERS = (DistributedSampler, PKSampler, RandomSampler, SequentialSampler, SubsetSampler)  # that it takes

PARTIAL_ROWS = 1_000_000  # rows that Shuffle.PARTIAL mixes with each other
BY_FILE = (Shuffle.FILES, Shuffle.INFILE)
_BYTES = Default("dataset.MindDataset", "bytes")


class MindDataset(MappableDataset, UnionBaseDataset):
    """The rows of MindRecord files: one column per field.

    A number has shape (), a string is a string array of shape (), a field with a shape has that shape. Bytes are a
    bytes array of shape (1,); scripts of r1.x get them as uint8 (n,).

    Args:
        dataset_files: one of the files that were written together, which reads all of them; or a list of the files to
            read. r1.x called it `dataset_file`.
        columns_list: the fields to read, in order; None or [] is all, in alphabetical order.
        shuffle: None, True, `Shuffle.GLOBAL` and `Shuffle.ADAPTIVE` mix all rows; `Shuffle.PARTIAL` a million at a
            time; `Shuffle.FILES` takes the files in random order, `Shuffle.INFILE` the rows of each file.
        padded_sample: a row that is added; needs `columns_list` and `num_padded`.
        num_padded: how often; with it the number of rows must be divisible by `num_shards`.
        dataset_file: `dataset_files` under its old name.
        num_parallel_workers, num_shards, shard_id, sampler, num_samples, cache: as in every reader.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a file does not exist, or arguments contradict each other.
        RuntimeError: an argument lacks another one; on reading: a file is damaged, or a column does not exist.

    Examples:
        >>> writer = FileWriter("rows.mindrecord", overwrite=True)
        >>> fields = writer.add_schema({"label": {"type": "int32"}})
        >>> written = writer.write_raw_data([{"label": number} for number in range(3)])
        >>> closed = writer.commit()
        >>> data = ds.MindDataset("rows.mindrecord", shuffle=False)
        >>> [row["label"].item() for row in data.create_dict_iterator(output_numpy=True)]
        [0, 1, 2]

    Follows: mindspore.dataset.MindDataset (2.10).
    """

    def __init__(
        self,
        dataset_files: str | os.PathLike[str] | list[str] | None = None,
        columns_list: list[str] | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        sampler: Any = None,
        padded_sample: dict[str, Any] | None = None,
        num_padded: int | None = None,
        num_samples: int | None = None,
        cache: Any = None,
        *,
        dataset_file: str | os.PathLike[str] | list[str] | None = None,
    ) -> None:
        self.dataset_files = _check_files(dataset_files if dataset_file is None else dataset_file)
        if columns_list is not None:
            require_type(columns_list, "columns_list", list)
        self.columns_list = columns_list or []
        _check_sampling(shuffle, sampler, num_samples, num_shards, shard_id)
        _check_padding(self.columns_list, padded_sample, num_padded)
        self.padded_sample, self.num_padded = padded_sample, num_padded or 0
        mode = shuffle if shuffle in (*BY_FILE, Shuffle.PARTIAL) else None
        super().__init__(
            num_parallel_workers,
            sampler,
            num_samples,
            shuffle is not False and mode is None if sampler is None else None,
            num_shards,
            shard_id,
            cache,
        )
        if mode is not None:
            self.sampler = _with_mode(self.sampler, mode, self._sizes)

    @cached_property
    def _files(self) -> RecordFiles:
        if not self.dataset_files:
            raise pipeline_error("MindDataset: dataset files list is empty, check input dataset_files.")
        if isinstance(self.dataset_files, list):
            return open_each(self.dataset_files)
        return open_together(self.dataset_files)

    def _sizes(self) -> list[int]:
        return self._files.sizes + [self.num_padded] * (self.num_padded > 0)

    def _names(self) -> list[str]:
        return self._files.resolve_columns(self.columns_list)

    def _length(self) -> int:
        return len(self._files) + self.num_padded

    def _size(self) -> int | None:
        """Count the rows, whether the files have the columns or not."""
        if "" in self.columns_list or len(set(self.columns_list)) < len(self.columns_list):
            self._names()
        self._check_division()
        return super()._size()

    def _order(self, context: ExecutionContext, epoch: int) -> np.ndarray:
        self._names()
        self._check_division()
        return super()._order(context, epoch)

    def _check_division(self) -> None:
        shards = self.sampler.num_shards if isinstance(self.sampler, DistributedSampler) else 1
        if self.num_padded and self._length() % shards:
            raise pipeline_error(
                f"Invalid data, the size of dataset and padded samples: {self._length()} can not be divisible by the "
                f"value of 'num_shards': {shards}. Please adjust the value of 'num_padded'."
            )

    def _labels(self, column: str) -> np.ndarray | None:
        if column not in self._files.schema.scalar_fields:
            raise pipeline_error(
                f"Invalid data, 'class_column': {column} can not found in fields of mindrecord files. Please check "
                f"'class_column' in PKSampler; numbers and strings are {list(self._files.schema.scalar_fields)}."
            )
        rows = [self._files.read(row, [column])[column] for row in range(len(self._files))]
        if self.padded_sample is not None:
            rows += [self.padded_sample[column]] * self.num_padded
        return np.array(rows)

    @cached_property
    def _columns(self) -> dict[str, Fetch]:
        names = self._names()
        sample = make_padded_row(self.padded_sample, self._files.schema, names) if self.padded_sample else {}
        reader = _RowReader(self._files, names, sample)
        return {name: _ColumnRows(reader, name) for name in names}

    def is_shuffled(self) -> bool:
        return super().is_shuffled() or isinstance(self.sampler.child_sampler, _ModeSampler)


class _ModeSampler(BuiltinSampler):
    """Rows in the order of one of the modes that look at files."""

    def __init__(self, mode: Shuffle, sizes: Callable[[], list[int]]) -> None:
        super().__init__()
        self.shuffle, self._sizes = mode, sizes

    def _choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        if self.shuffle == Shuffle.PARTIAL:
            starts = np.arange(0, size, PARTIAL_ROWS)
        else:
            starts = np.cumsum([0, *self._sizes()[:-1]])
        parts = np.split(np.arange(size), starts[1:])
        if self.shuffle == Shuffle.FILES:
            parts = [parts[number] for number in generator.permutation(len(parts))]
        else:
            parts = [generator.permutation(part) for part in parts]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)


def _with_mode(sampler: BuiltinSampler, mode: Shuffle, sizes: Callable[[], list[int]]) -> BuiltinSampler:
    """Return `sampler`, choosing among rows in the order of `mode`."""
    sampler.add_child(_ModeSampler(mode, sizes))
    return sampler


class _RowReader:
    """Reads the wanted fields of some rows at once; each column is returned once, so nobody shares memory."""

    def __init__(self, files: RecordFiles, names: list[str], padded_sample: Mapping[str, Any]) -> None:
        self._files, self._names = files, names
        self._padded_sample = padded_sample
        self._schema = files.schema
        self._has_uint8_bytes = _BYTES.value == "uint8"
        self._ahead: dict[int, tuple[bytes, dict[str, Rows]]] = {}  # by thread: several of them read

    def column(self, name: str, indices: np.ndarray) -> Rows:
        """Return one field of the rows."""
        wanted = indices.tobytes()
        key, columns = self._ahead.get(threading.get_ident(), (b"", {}))
        rows = columns.pop(name, None) if key == wanted else None
        if rows is None:
            columns = self._read(indices.tolist())
            self._ahead[threading.get_ident()] = (wanted, columns)
            rows = columns.pop(name)
        return rows

    def _read(self, indices: list[int]) -> dict[str, Rows]:
        stored = len(self._files)
        rows = [self._files.read(row, self._names) if row < stored else self._padded_sample for row in indices]
        return {name: self._rows(name, [row[name] for row in rows]) for name in self._names}

    def _rows(self, name: str, values: list[Any]) -> Rows:
        field = self._schema.fields[name]
        kind = field["type"]
        if kind == "bytes":
            return [self._bytes(value) for value in values]
        if "shape" in field:
            return [np.asarray(value, NUMBERS[kind]) for value in values]
        if kind == "string":
            return [np.array(value) for value in values]
        try:
            return np.array(values, NUMBERS[kind])
        except OverflowError as error:
            raise pipeline_error(f"column value of {name!r} is out of range of {kind}: {error}.") from error

    def _bytes(self, value: Any) -> np.ndarray:
        data = bytes(value)
        if self._has_uint8_bytes:
            return np.frombuffer(data, np.uint8).copy()
        return np.array([data], f"S{max(len(data), 1)}")


class _ColumnRows:
    """One column of a row reader."""

    def __init__(self, reader: _RowReader, name: str) -> None:
        self._reader, self._name = reader, name

    def __call__(self, indices: np.ndarray) -> Rows:
        return self._reader.column(self._name, indices)


def _check_files(dataset_files: Any) -> Path | list[Path]:
    if isinstance(dataset_files, list):
        return [_check_file(each) for each in dataset_files]
    return _check_file(dataset_files)


def _check_file(path: Any) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path: {path!r} is not string")
    target = Path(resolve(path))
    if not target.is_file() or not os.access(target, os.R_OK):
        raise ValueError(f"The file {target} does not exist or permission denied!")
    return target


def _check_sampling(shuffle: Any, sampler: Any, num_samples: Any, num_shards: Any, shard_id: Any) -> None:
    if shuffle is not None and not isinstance(shuffle, (bool, Shuffle)):
        raise TypeError(
            "shuffle must be of boolean or enum of 'Shuffle' values like 'Shuffle.GLOBAL' or 'Shuffle.FILES', got "
            f"{shuffle!r}."
        )
    check_sampling(num_samples, None, num_shards, shard_id)
    check_whole_shard(num_shards, shard_id)
    if sampler is not None:
        as_sampler([sampler] if isinstance(sampler, int) else sampler)
        for name, value in (("shuffle", shuffle), ("num_samples", num_samples), ("sharding", num_shards)):
            if value is not None:
                raise RuntimeError(f"sampler and {name} cannot be specified at the same time.")
        if not isinstance(sampler, SAMPLERS):
            raise ValueError(f"MindDataset takes samplers of mindspore.dataset only, got {sampler!r}.")
    if shuffle in BY_FILE and num_samples is not None:
        raise ValueError("'Shuffle.FILES' or 'Shuffle.INFILE' and 'num_samples' cannot be specified at the same time.")


def _check_padding(columns: list[str], padded_sample: Any, num_padded: Any) -> None:
    if padded_sample is None:
        if num_padded is not None:
            raise RuntimeError("num_padded is specified but padded_sample is not.")
        return
    require_type(padded_sample, "padded_sample", dict)
    if num_padded is None:
        raise RuntimeError("padded_sample is specified and requires num_padded as well.")
    require_type(num_padded, "num_padded", int)
    if num_padded < 0:
        raise ValueError(f"num_padded is invalid, num_padded={num_padded}.")
    if not columns:
        raise RuntimeError("padded_sample is specified and requires columns_list as well.")
    if missing := [name for name in columns if name not in padded_sample]:
        raise ValueError(f"padded_sample cannot match columns_list: it has no {missing}.")
