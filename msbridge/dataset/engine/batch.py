"""Batch: consecutive rows put together along a new leading axis."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from msbridge.dataset.checks import check_names, check_range, check_type, check_workers
from msbridge.dataset.engine.block import Block, Column, join
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.rows import arranged, arranged_names, check_columns
from msbridge.dataset.engine.run import Run
from msbridge.dataset.engine.values import as_array, finished, pipeline_error, user_error
from msbridge.dataset.transforms.base import Rows, each

BatchSize = int | Callable[["BatchInfo"], int]


@dataclass(frozen=True, slots=True)
class BatchInfo:
    """Which batch is being made, for functions of the user's.

    Follows: mindspore.dataset.BatchInfo (2.10).
    """

    batch_num: int
    epoch_num: int

    def get_batch_num(self) -> int:
        """Give the batch's number within the epoch, from 0."""
        return self.batch_num

    def get_epoch_num(self) -> int:
        """Give the epoch's number, from 0."""
        return self.epoch_num


class BatchDataset(Dataset):
    """Consecutive rows put together along a new leading axis.

    Follows: mindspore.dataset.BatchDataset (2.10).
    """

    def __init__(
        self,
        input_dataset: Dataset,
        batch_size: BatchSize,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        per_batch_map: Callable[..., Any] | None = None,
        input_columns: str | list[str] | None = None,
        output_columns: str | list[str] | None = None,
        python_multiprocessing: bool = False,
        max_rowsize: Any = None,
    ) -> None:
        super().__init__(input_dataset)
        self.batch_size = check_batch_size(batch_size)
        check_type(drop_remainder, (bool,), "drop_remainder")
        check_workers(num_parallel_workers)
        check_type(python_multiprocessing, (bool,), "python_multiprocessing")
        if per_batch_map is not None and not callable(per_batch_map):
            raise TypeError(f"per_batch_map should be a callable, got {per_batch_map!r}.")
        self.drop_remainder = drop_remainder
        self.num_parallel_workers = num_parallel_workers
        self.per_batch_map = per_batch_map
        self.input_columns = check_names(input_columns, "input_columns") if input_columns else []
        self.output_columns = check_names(output_columns, "output_columns") if output_columns else []
        self.python_multiprocessing = python_multiprocessing
        self.max_rowsize = max_rowsize

    def _columns(self, names: list[str]) -> tuple[list[str], list[str]]:
        inputs = self.input_columns or names
        check_columns(inputs, names, "batch")
        return inputs, self.output_columns or inputs

    def _names(self) -> list[str]:
        names = self.children[0]._names()
        return names if self.per_batch_map is None else arranged_names(names, *self._columns(names))

    def _size(self) -> int | None:
        return batch_count(self.children[0]._size(), self.batch_size, self.drop_remainder)

    def get_batch_size(self) -> int:
        return -1 if callable(self.batch_size) else self.batch_size

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        for info, block in grouped(self.children[0]._stream(run, epoch), self.batch_size, self.drop_remainder, epoch):
            yield self._put_together(block, info)

    def _put_together(self, block: Block, info: BatchInfo) -> Block:
        keys = None if block.keys is None else block.keys[:1]
        if self.per_batch_map is None:
            rows = {name: column.rows(block.keys) for name, column in block.columns.items()}
            return Block({name: Column([put_together(values, name)]) for name, values in rows.items()}, 1, keys)
        inputs, outputs = self._columns(list(block.columns))
        taken = [each(block.columns[name].rows(block.keys)) for name in inputs]
        results = self._mapped(taken, info, outputs)
        columns = {
            name: column if name in inputs else Column([put_together(column.rows(block.keys), name)])
            for name, column in block.columns.items()
        }
        made = [Column([put_together(_as_rows(values), name)]) for name, values in zip(outputs, results, strict=True)]
        return Block(arranged(columns, inputs, outputs, made), 1, keys)

    def _mapped(self, taken: list[list[Any]], info: BatchInfo, outputs: list[str]) -> list[Any]:
        assert self.per_batch_map is not None
        try:
            results = self.per_batch_map(*taken, info)
        except Exception as error:
            raise user_error(error, "per_batch_map") from error
        if not isinstance(results, tuple):
            results = (results,) if len(outputs) == 1 else tuple(results)
        if len(results) != len(outputs):
            raise pipeline_error(
                "Invalid per_batch_map, the number of columns returned in 'per_batch_map' function should be "
                f"{len(outputs)}, but got: {len(results)}."
            )
        return list(results)


def grouped(
    stream: Iterator[Block], batch_size: BatchSize, drop_remainder: bool, epoch: int
) -> Iterator[tuple[BatchInfo, Block]]:
    """Cut a stream into blocks of `batch_size` rows; the last may be smaller."""
    info = BatchInfo(0, epoch)
    size = _size_of(batch_size, info)
    held: list[Block] = []
    count = 0
    for block in stream:
        start = 0
        while count + block.size - start >= size:
            stop = start + size - count
            held.append(block if stop - start == block.size else block.pick(slice(start, stop)))
            yield info, join(held)
            held, count, start = [], 0, stop
            info = BatchInfo(info.batch_num + 1, epoch)
            size = _size_of(batch_size, info)
        if start < block.size:
            held.append(block.pick(slice(start, None)) if start else block)
            count += block.size - start
    if held and not drop_remainder:
        yield info, join(held)


def put_together(rows: Rows, name: str) -> np.ndarray:
    """Put rows together along a new leading axis, in memory of their own.

    Raises:
        RuntimeError: their shapes or dtypes differ.
    """
    if isinstance(rows, np.ndarray):
        return finished(rows)
    arrays = [finished(row) for row in rows]
    first = arrays[0]
    if isinstance(first, dict):
        return {key: put_together([array[key] for array in arrays], name) for key in first}  # type: ignore[return-value]
    for array in arrays[1:]:
        if array.shape != first.shape:
            raise pipeline_error(
                f"Cannot batch tensors with different shapes in column {name!r}: the first row has shape "
                f"{first.shape}, "
                f"another one {array.shape}. Bring them to one shape with map first, or use padded_batch."
            )
        if array.dtype != first.dtype and not array.dtype.kind == first.dtype.kind in "US":
            raise pipeline_error(
                f"Cannot batch tensors with different types in column {name!r}: the first row has dtype {first.dtype}, "
                f"another one {array.dtype}."
            )
    return np.stack(arrays)


def check_batch_size(batch_size: Any) -> BatchSize:
    """Give the batch size, or raise unless it is a positive int or a function."""
    if callable(batch_size):
        return batch_size
    if not isinstance(batch_size, int):
        raise TypeError(f"batch_size should either be an int or a callable, got {type(batch_size)}.")
    check_range(batch_size, 1, 2147483647, "batch_size")
    return int(batch_size)


def batch_count(rows: int | None, batch_size: BatchSize, drop_remainder: bool) -> int | None:
    """Give how many batches come of so many rows, or None where only running tells."""
    if rows is None or callable(batch_size):
        return None
    return rows // batch_size if drop_remainder else -(-rows // batch_size)


def _size_of(batch_size: BatchSize, info: BatchInfo) -> int:
    if not callable(batch_size):
        return batch_size
    try:
        size = batch_size(info)
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
            raise ValueError(f"batch_size function should return a positive int, got {size!r}")
    except Exception as error:
        raise user_error(error, "the batch_size function") from error
    return int(size)


def _as_rows(values: Any) -> Rows:
    return [as_array(value) for value in values] if not isinstance(values, np.ndarray) else as_array(values)
