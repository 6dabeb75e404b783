"""User-defined sources: generators, iterables, and objects with random access."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, islice
from types import GeneratorType
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import string
from msbridge.dataset.arguments import check_names, worker_count
from msbridge.dataset.engine.blocks import Block, Column
from msbridge.dataset.engine.dataset import UnionBaseDataset
from msbridge.dataset.engine.in_memory_rows import LentRows
from msbridge.dataset.engine.nodes import ExecutionContext
from msbridge.dataset.engine.sampling.sampler_arguments import as_sampler, check_sampling
from msbridge.dataset.engine.sampling.samplers import PKSampler, SequentialSampler
from msbridge.dataset.engine.sampling.user_samplers import check_yielded
from msbridge.dataset.engine.user_values import as_array, pipeline_error, user_error
from msbridge.dataset.readers.source import MappableDataset
from msbridge.dataset.readers.streamed.schema import Schema, read_schema
from msbridge.dataset.transforms.base import enter_row, leave_row
from msbridge.dataset.transforms.cast import as_numpy_dtype

__all__ = ["GeneratorDataset"]

MIN_BLOCK_ROWS = 8  # rows that are read by index together though they are taken one by one: half the cost of small ones
STRINGS = np.dtype("str")  # of any length
MAX_BLOCK_S = 5e-3  # how long a block of rows may take to be read, before those that are there are passed on

_Chunk = list[tuple[int, Any]]  # the numbers of rows within the pass, and what to read for each
_Rows = list[list[Any]]


class GeneratorDataset(MappableDataset, UnionBaseDataset):
    """Rows from Python code.

    Args:
        source: a function that returns an iterator, an iterable, or an object with `__getitem__` and `__len__`. A row
            is a tuple or another iterable with one value per column, or a single value.
        column_names: one per value.
        column_types: dtypes that the values must have, one for each column, `string` of strings; None, or None instead
            of one, does not look.
        schema: a Schema, or the path of a JSON file: names and dtypes of the values, in place of `column_names` and
            `column_types`. Its shapes are not looked at.
        num_samples: at most how many rows; None is all.
        num_parallel_workers: for random access: how many rows are read at once.
        shuffle: for random access: None and True read in random order. Without effect on other sources.
        sampler: for random access: chooses rows. One of the user's own may yield several indices at once, which
            `__getitem__` gets as an array.
        num_shards: for random access: into how many parts the rows are divided.
        shard_id: which part is read.
        python_multiprocessing: for random access with several workers: in processes, each with a copy of the source.
        max_rowsize: accepted; rows of any size go to worker processes.
        batch_sampler: for random access: yields lists of indices, each of which becomes one batch.
        collate_fn: with `batch_sampler`: combines a list of rows into one value per column.

    Raises:
        TypeError: `source` is neither callable nor iterable nor accessible by index.
        NotImplementedError: one of `column_types` is not a dtype of numbers or strings.
        ValueError: no names are given, there is no such schema, or sampling is asked of a source without random
            access, or beside `batch_sampler`.
        RuntimeError: the schema's file holds no schema, or `source` has `__getitem__` but no length.

    Examples:
        >>> rows = [(np.float32([x]), x % 2) for x in range(4)]
        >>> data = ds.GeneratorDataset(rows, ["value", "label"], shuffle=False).batch(2)
        >>> [batch["label"].asnumpy().tolist() for batch in data.create_dict_iterator()]
        [[0, 1], [0, 1]]

    Follows: mindspore.dataset.GeneratorDataset (2.10).
    """

    def __init__(
        self,
        source: Any,
        column_names: str | list[str] | None = None,
        column_types: list[Any] | None = None,
        schema: Schema | str | None = None,
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
            require_type(column_names, "column_names", (list, str))
        named = None if column_names is None else check_names(column_names, "column_names")
        if named is not None and not named:
            raise ValueError("column_names should not be empty.")
        if named is None and schema is None:
            raise ValueError("Neither columns_names nor schema are provided.")
        if max_rowsize is not None:
            require_type(max_rowsize, "max_rowsize", int)
        check_sampling(num_samples, None, None, None)
        worker_count(num_parallel_workers)
        check_sampling(num_samples, shuffle, num_shards, shard_id)
        if column_types is not None:
            require_type(column_types, "column_types", list)
        if python_multiprocessing is not None:
            require_type(python_multiprocessing, "python_multiprocessing", bool)
        if max_rowsize is not None:
            int_within(max_rowsize, "max_rowsize", -1)
        self.schema = schema
        if schema is not None:
            if not isinstance(schema, (Schema, str)):
                raise ValueError(f"schema should be a path to schema file or a schema object, got {schema!r}.")
            columns = read_schema(schema).columns
            self.column_names = [column.name for column in columns]
            self.column_types: list[Any] | None = [
                STRINGS if column.type == "string" else np.dtype(column.type) for column in columns
            ]
        elif named is not None:
            self.column_names = named
        self.source_len = len(source) if hasattr(source, "__len__") else -1  # scripts read it
        self.random_access = hasattr(source, "__getitem__") and hasattr(source, "__len__")
        if hasattr(source, "__getitem__") and not self.random_access:
            raise RuntimeError("Attempt to construct a random access dataset, '__len__' method is required!")
        if not self.random_access and not callable(source):
            iter(source)  # one time more than there are passes, as in MindSpore
        if not self.random_access:
            for name, value in (("sampler", sampler), ("num_shards", num_shards), ("batch_sampler", batch_sampler)):
                if value is not None:
                    raise ValueError(f"{name} is not supported if source does not have attribute '__getitem__'.")
            shuffle = False
        if isinstance(sampler, PKSampler):
            raise ValueError("GeneratorDataset doesn't support PKSampler.")
        if batch_sampler is not None and not hasattr(batch_sampler, "__iter__"):
            raise TypeError(f"batch_sampler should be iterable, got {type(batch_sampler)}.")
        asked = (num_samples, shuffle, num_shards, shard_id, sampler)
        if batch_sampler is not None and any(value is not None for value in asked):
            raise ValueError(
                "batch_sampler is mutually exclusive with num_samples, shuffle, num_shards, shard_id and sampler."
            )
        if collate_fn is not None and batch_sampler is None:
            raise ValueError("collate_fn can be specified only when batch_sampler is specified.")
        super().__init__(num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id)
        if sampler is not None:
            as_sampler(sampler)
        if schema is None:
            self.column_types = _dtypes(column_types)
        self.source: Any = _Replayed(source) if isinstance(source, GeneratorType | zip) else source
        self.python_multiprocessing = python_multiprocessing
        self.max_rowsize = max_rowsize
        self.batch_sampler = batch_sampler
        self.collate_fn = collate_fn

    def _length(self) -> int:
        length = len(self.source)
        if not length:
            raise pipeline_error("GeneratorDataset: the source must have at least one row, its length is 0.")
        return length

    def _size(self) -> int | None:
        if self.batch_sampler is not None:
            return len(self.batch_sampler) if hasattr(self.batch_sampler, "__len__") else None
        if self.random_access:
            return super()._size()
        return None if self.source_len < 0 else min(self.source_len, self.num_samples or self.source_len)

    def __getitem__(self, index: int) -> Any:
        """Return row `index` as the source has it."""
        return self.source[index]

    def _reachable(self, indices: np.ndarray) -> np.ndarray:
        check_yielded(self.sampler, indices)
        return indices  # the source may have rows beyond its length

    def _materializes(self) -> bool:
        return True

    def _stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        return self._stream_from(context, epoch, 0)

    def _stream_from(self, context: ExecutionContext, epoch: int, start: int) -> Iterator[Block]:
        if self.batch_sampler is not None:
            return self._fetch(context, epoch, enumerate(islice(self.batch_sampler, start, None), start))
        if self.random_access:
            return self._fetch(context, epoch, enumerate(self._order(context, epoch)[start:], start))
        return self._iterate(context, epoch, start)

    def _stream_at(self, context: ExecutionContext, epoch: int, positions: np.ndarray) -> Iterator[Block]:
        if self.batch_sampler is not None or not self.random_access:
            return super()._stream_at(context, epoch, positions)
        chosen = self._order(context, epoch)[positions]
        return self._fetch(context, epoch, zip(positions.tolist(), chosen, strict=True))

    def _fetch(self, context: ExecutionContext, epoch: int, wanted: Iterable[tuple[int, Any]]) -> Iterator[Block]:
        """Yield rows that are read by index: pairs of their number within the pass and what to read."""
        stage, left = context.stage(self._node), iter(wanted)
        sizes = stage.sizes(max(context.block_sizes[self._node], MIN_BLOCK_ROWS))
        chunks = iter(lambda: list(islice(left, next(sizes))), [])
        place = context.seed, context.stream_ids[self._node], epoch

        def compute(chunk: _Chunk) -> tuple[_Chunk, _Rows, Exception | None]:
            rows, failure = stage.call(self._read, chunk, place)
            return chunk, rows, failure

        for chunk, rows, failure in stage.map(compute, chunks, rows=len, keeps_order=True):
            yield from self._block(rows, context, epoch, [number for number, _ in chunk[: len(rows)]])
            if failure is not None:
                raise failure

    def _worker_function(self) -> Callable[..., Any] | None:
        return self._read if self.python_multiprocessing and self.random_access and self._node.workers() > 1 else None

    def _read(self, chunk: "_Chunk", place: tuple[int, ...]) -> tuple["_Rows", Exception | None]:
        """Return the values of the rows up to a failing one, and its error."""
        read = self.source.__getitem__ if self.batch_sampler is None else self._batch
        rows: _Rows = []
        try:
            for number, index in chunk:
                enter_row(*place, number)
                rows.append(self._values(read(index), is_lent=True))
        except StopIteration as error:
            return rows, user_error(error, "the source of GeneratorDataset: __getitem__")
        except Exception as error:
            return rows, user_error(error, "the source of GeneratorDataset")
        finally:
            leave_row()
        return rows, None

    def _iterate(self, context: ExecutionContext, epoch: int, start: int) -> Iterator[Block]:
        """Yield the rows of a source that only has `next`; slow ones by themselves."""
        source = self.source if not callable(self.source) or isinstance(self.source, Iterable) else self.source()
        if not isinstance(source, Iterable) and not hasattr(source, "__getitem__"):
            raise user_error(TypeError(f"{source!r} is not iterable"), "the source of GeneratorDataset")
        source_rows = iter(source)
        place = context.seed, context.stream_ids[self._node], epoch
        rows: _Rows = []
        failure: Exception | None = None
        stage = context.stage(self._node)
        sizes = stage.sizes(context.block_sizes[self._node])
        size, begin = next(sizes), time.perf_counter()
        for number in count():
            if number == self.num_samples and number:
                break
            enter_row(*place, number)
            try:
                row = next(source_rows)
                if number < start:
                    continue
                rows.append(self._values(row))
            except StopIteration:
                break
            except Exception as error:
                failure = user_error(error, "the source of GeneratorDataset")
                break
            finally:
                leave_row()
            if len(rows) == size or time.perf_counter() - begin > MAX_BLOCK_S:
                stage.note(len(rows), time.perf_counter() - begin)
                yield from self._block(rows, context, epoch, range(number + 1 - len(rows), number + 1))
                rows, size, begin = [], next(sizes), time.perf_counter()
        stage.note(len(rows), time.perf_counter() - begin)
        yield from self._block(rows, context, epoch, range(number - len(rows), number))
        if failure is not None:
            raise failure

    def _block(self, rows: "_Rows", context: ExecutionContext, epoch: int, numbers: Sequence[int]) -> Iterator[Block]:
        if rows:
            columns = {
                name: Column(LentRows(row[place] for row in rows)) for place, name in enumerate(self.column_names)
            }
            yield Block(columns, len(rows), context.keys(self._node, epoch, np.array(numbers)))

    def _batch(self, indices: Iterable[Any]) -> tuple[Any, ...]:
        rows = [self.source[np.int64(index)] for index in indices]
        if self.collate_fn is not None:
            return self.collate_fn(rows)
        values = [row if isinstance(row, tuple) else (row,) for row in rows]
        return tuple(np.stack([as_array(value) for value in column]) for column in zip(*values, strict=True))

    def _values(self, row: Any, is_lent: bool = False) -> list[Any]:
        """Return the values of a row as arrays, `is_lent` those of the user: what is only iterated may reuse a buffer.

        Raises:
            ValueError: there are not as many as columns.
            TypeError: one is not an array, or not of the type in `column_types`.
        """
        values = list(row) if isinstance(row, tuple) else _parts(row, len(self.column_names))
        if len(values) != len(self.column_names):
            raise ValueError(f"a row has {len(values)} values, but there are {len(self.column_names)} column names")
        arrays = [as_array(value, is_lent) for value in values]
        if self.column_types:
            self._check_types(arrays)
        return arrays

    def _check_types(self, arrays: list[np.ndarray]) -> None:
        wanted_types = self.column_types or []
        if len(wanted_types) < len(arrays):
            raise TypeError(f"column_types has {len(wanted_types)} dtypes, but there are {len(arrays)} columns")
        for name, wanted, array in zip(self.column_names, wanted_types, arrays, strict=False):
            if wanted is not None and array.dtype != wanted and (wanted, array.dtype.kind) != (STRINGS, "U"):
                raise TypeError(
                    f"column {name!r} should be of {wanted} by column_types, but a value is of {array.dtype}"
                )

    def use_sampler(self, new_sampler: Any) -> None:
        if not self.random_access:
            raise ValueError("sampler is not supported if source does not have attribute '__getitem__'.")
        super().use_sampler(new_sampler)

    def is_shuffled(self) -> bool:
        return self.random_access and not isinstance(self.sampler, SequentialSampler)


def _dtypes(column_types: list[Any] | None) -> list[np.dtype | None] | None:
    return None if column_types is None else [None if each is None else _dtype(each) for each in column_types]


def _dtype(column_type: Any) -> np.dtype:
    if column_type is string:
        return STRINGS
    try:
        return as_numpy_dtype(column_type)
    except (TypeError, RuntimeError) as error:
        raise NotImplementedError(f"column_types takes dtypes of numbers and strings, got {column_type!r}.") from error


def _parts(row: Any, number: int) -> list[Any]:
    """Return the values of a row that is not a tuple: what an iterable returns; arrays, words and dicts are one value.

    Where there is one column, a list of several numbers is one value, too, which MindSpore refuses.
    """
    is_one = isinstance(row, (str, bytes, bytearray, dict, Tensor)) or hasattr(row, "__array__")
    if is_one or not isinstance(row, Iterable):
        return [row]
    values = list(row)
    return [row] if number == 1 and len(values) != 1 and isinstance(row, Sequence) else values


class _Replayed:
    """A generator or a zip, with its values kept for later passes, as MindSpore does; other iterators have one pass."""

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
