"""User-defined sources: generators, iterables, and objects with random access.

Follows: mindspore.dataset.GeneratorDataset (2.10).
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from msbridge.core.arguments import int_within, typed
from msbridge.dataset.arguments import checked_names, worker_count
from msbridge.dataset.engine.blocks import Block, Column
from msbridge.dataset.engine.nodes import Run
from msbridge.dataset.engine.samplers import PKSampler, SequentialSampler
from msbridge.dataset.engine.sampling import as_sampler, check_sampling
from msbridge.dataset.engine.values import as_array, pipeline_error, user_error
from msbridge.dataset.readers.source import MappableDataset
from msbridge.dataset.transforms.base import enter_row, leave_row
from msbridge.dataset.transforms.cast import as_numpy_dtype

__all__ = ["GeneratorDataset"]


class GeneratorDataset(MappableDataset):
    """Rows from Python code.

    Args:
        source: a function that returns an iterator, an iterable, or an object with `__getitem__` and `__len__`. A row
            is a tuple with one value per column, or a single value.
        column_names: one per value.
        column_types: dtypes that the values must have; None does not look.
        schema: only None.
        num_samples: at most how many rows; None is all.
        num_parallel_workers: accepted; the source is called in the pipeline's own thread.
        shuffle: for random access: None and True read in random order. Without effect on other sources.
        sampler: for random access: chooses rows.
        num_shards: for random access: into how many parts the rows are divided.
        shard_id: which part is read.
        python_multiprocessing: accepted; the source is called in the pipeline's own thread.
        max_rowsize: accepted; no memory is shared between processes.
        batch_sampler: for random access: yields lists of indices, each of which becomes one batch.
        collate_fn: with `batch_sampler`: combines a list of rows into one value per column.

    Raises:
        TypeError: `source` is neither callable nor iterable nor accessible by index.
        ValueError: no names are given, or sampling is asked of a source without random access.

    Follows: mindspore.dataset.GeneratorDataset (2.10).
    """

    def __init__(
        self,
        source: Any,
        column_names: str | list[str] | None = None,
        column_types: list[Any] | None = None,
        schema: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: Any = None,
        batch_sampler: Any = None,
        collate_fn: Callable[..., Any] | None = None,
    ) -> None:
        if not (callable(source) or hasattr(source, "__iter__") or hasattr(source, "__getitem__")):
            raise TypeError(
                "Input `source` function of GeneratorDataset should be callable, iterable or random accessible, "
                "commonly it "
                f"should implement one of the method like yield, __getitem__ or __next__(__iter__), got {type(source)}."
            )
        if column_names is not None:
            typed(column_names, "column_names", (list, str))
        if column_types is not None:
            typed(column_types, "column_types", list)
        check_sampling(num_samples, shuffle, num_shards, shard_id)
        worker_count(num_parallel_workers)
        if sampler is not None:
            as_sampler(sampler)
        if max_rowsize is not None:
            int_within(max_rowsize, "max_rowsize", -1)
        if schema is not None:
            raise NotImplementedError(
                "For 'GeneratorDataset', schema must be None; name the columns with column_names."
            )
        if column_names is None:
            raise ValueError("Neither columns_names nor schema are provided.")
        self.column_names = checked_names(column_names, "column_names")
        if not self.column_names:
            raise ValueError("column_names should not be empty.")
        self.column_types = None if column_types is None else [as_numpy_dtype(each) for each in column_types]
        if python_multiprocessing is not None:
            typed(python_multiprocessing, "python_multiprocessing", bool)
        self.random_access = hasattr(source, "__getitem__") and hasattr(source, "__len__")
        if not self.random_access:
            for name, value in (("sampler", sampler), ("num_shards", num_shards), ("batch_sampler", batch_sampler)):
                if value is not None:
                    raise ValueError(f"{name} is not supported if source does not have attribute '__getitem__'.")
            shuffle = False
        if isinstance(sampler, PKSampler):
            raise ValueError("GeneratorDataset doesn't support PKSampler.")
        if batch_sampler is not None and not hasattr(batch_sampler, "__iter__"):
            raise TypeError(f"batch_sampler should be iterable, got {type(batch_sampler)}.")
        if collate_fn is not None and batch_sampler is None:
            raise ValueError("collate_fn can be specified only when batch_sampler is specified.")
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id)
        self.source: Any = _Replayed(source) if _can_be_read_once(source) else source
        self.num_samples = num_samples
        self.python_multiprocessing = python_multiprocessing
        self.max_rowsize = max_rowsize
        self.batch_sampler = batch_sampler
        self.collate_fn = collate_fn

    def _names(self) -> list[str]:
        return self.column_names

    def _length(self) -> int:
        length = len(self.source)
        if not length:
            raise pipeline_error("GeneratorDataset: the source must have at least one row, its length is 0.")
        return length

    def _size(self) -> int | None:
        if self.batch_sampler is not None:
            return len(self.batch_sampler) if hasattr(self.batch_sampler, "__len__") else None
        return super()._size() if self.random_access else None

    def __getitem__(self, index: int) -> Any:
        """Return row `index` as the source has it."""
        return self.source[index]

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        return self._stream_from(run, epoch, 0)

    def _stream_from(self, run: Run, epoch: int, start: int) -> Iterator[Block]:
        salt = run.salts[id(self)]
        number, end = start, None
        if self.batch_sampler is not None:
            rows = self._batches(start)
        elif self.random_access:
            order = self._order(run, epoch).tolist()
            rows, end = map(self.source.__getitem__, order[start:]), max(start, len(order))
        else:
            rows, number = self._iterated(), 0
        while True:
            enter_row(run.seed, salt, epoch, number)
            try:
                row = next(rows)
            except StopIteration as stop:
                if end is None or number == end:
                    return
                raise user_error(stop, "the source of GeneratorDataset: __getitem__") from stop
            except Exception as error:
                raise user_error(error, "the source of GeneratorDataset") from error
            finally:
                leave_row()
            if number < start:
                number += 1
                continue
            columns = {name: Column([value]) for name, value in zip(self.column_names, self._values(row), strict=True)}
            yield Block(columns, 1, run.keys(self, epoch, np.array([number])))
            number += 1

    def _iterated(self) -> Iterator[Any]:
        rows = self.source if not callable(self.source) or isinstance(self.source, Iterable) else self.source()
        yield from islice(iter(rows), self.num_samples or None)

    def _batches(self, start: int) -> Iterator[tuple[Any, ...]]:
        for indices in islice(self.batch_sampler, start, None):
            rows = [self.source[int(index)] for index in indices]
            if self.collate_fn is not None:
                yield self.collate_fn(rows)
                continue
            values = [row if isinstance(row, tuple) else (row,) for row in rows]
            yield tuple(np.stack([as_array(value) for value in column]) for column in zip(*values, strict=True))

    def _values(self, row: Any) -> list[Any]:
        single = len(self.column_names) == 1 and not isinstance(row, tuple)
        values = [row] if single else list(row) if isinstance(row, (tuple, list)) else [row]
        if len(values) != len(self.column_names):
            raise user_error(
                ValueError(f"a row has {len(values)} values, but there are {len(self.column_names)} column names"),
                "the source of GeneratorDataset",
            )
        try:
            arrays = [as_array(value) for value in values]
        except TypeError as error:
            raise user_error(error, "the source of GeneratorDataset") from error
        for name, wanted, array in zip(self.column_names, self.column_types or [], arrays, strict=False):
            if array.dtype != wanted:
                raise user_error(
                    TypeError(
                        f"column {name!r} should be of {wanted} by column_types, but a value is of {array.dtype}"
                    ),
                    "the source of GeneratorDataset",
                )
        return arrays

    def use_sampler(self, new_sampler: Any) -> None:
        if not self.random_access:
            raise ValueError("sampler is not supported if source does not have attribute '__getitem__'.")
        super().use_sampler(new_sampler)

    def is_shuffled(self) -> bool:
        return self.random_access and not isinstance(self.sampler, SequentialSampler)


def _can_be_read_once(source: Any) -> bool:
    """Whether `source` is a generator or one of Python's own iterators; a class with its own `__iter__` can restart."""
    return isinstance(source, Iterator) and type(source).__module__ in ("builtins", "itertools")


class _Replayed:
    """An iterator that can be read only once, with its values kept for later passes."""

    def __init__(self, source: Iterator[Any]) -> None:
        self._source = source
        self._given: list[Any] = []

    def __iter__(self) -> Iterator[Any]:
        index = 0
        while True:
            if index == len(self._given):
                try:
                    self._given.append(next(self._source))
                except StopIteration:
                    return
            yield self._given[index]
            index += 1
