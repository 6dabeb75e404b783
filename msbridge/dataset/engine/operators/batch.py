"""The batch operators: consecutive rows stacked along a new leading axis, as they are or padded to one shape."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import INT32_MAX, is_int, require_type, within
from msbridge.dataset.arguments import check_takes, optional_names, row_sizes
from msbridge.dataset.engine.blocks import (
    Block,
    Column,
    borrow_rows,
    check_columns,
    concatenate,
    replace_columns,
    replace_names,
)
from msbridge.dataset.engine.in_memory_rows import LentRows
from msbridge.dataset.engine.nodes import ExecutionContext, Input, Node, Operator, walk
from msbridge.dataset.engine.operators.sync_wait import SyncWait
from msbridge.dataset.engine.user_values import as_array, as_output, pipeline_error, stack_dicts, user_error
from msbridge.dataset.row_random import splitmix64
from msbridge.dataset.transforms.arrays import pad_array
from msbridge.dataset.transforms.base import Rows, as_list, enter_row, leave_row
from msbridge.dataset.transforms.fusion import RowMap, map_rows_here

__all__ = ["BatchInfo"]

BatchSize = int | Callable[["BatchInfo"], int]
PadInfo = Mapping[str, tuple[list[int | None] | None, Any] | None]


@dataclass(frozen=True, slots=True)
class BatchInfo:
    """The position of a batch, for user functions.

    Follows: mindspore.dataset.BatchInfo (2.10).
    """

    batch_num: int
    epoch_num: int
    pass_num: int = 0  # of the node: a repeat has several in an epoch, whose random numbers differ

    def get_batch_num(self) -> int:
        """Return the batch's number within the epoch, from 0."""
        return self.batch_num

    def get_epoch_num(self) -> int:
        """Return the epoch's number, from 0."""
        return self.epoch_num


@dataclass(eq=False, repr=False)
class _BatchOperator(Operator):
    """The base of both kinds of batches: several of them are computed at once."""

    batch_size: BatchSize
    drop_remainder: bool = False
    num_parallel_workers: int | None = None

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        if not callable(self.batch_size):
            if not isinstance(self.batch_size, int):
                raise TypeError(f"batch_size should either be an int or a callable, got {type(self.batch_size)}.")
            within(self.batch_size, "batch_size", 1, INT32_MAX)
        else:
            check_takes(self.batch_size, 1, "the batch_size function")
        require_type(self.drop_remainder, "drop_remainder", bool)
        for node in walk(self.children[0]):
            if isinstance(node, SyncWait):
                if callable(self.batch_size):
                    raise TypeError("After sync_wait, batch_size must be an int: a function has no fixed size.")
                node.update_sync_batch_size(self.batch_size)

    def rows_per_request(self, asked: int) -> int:
        return asked if callable(self.batch_size) else asked * self.batch_size

    def materializes(self) -> bool:
        return True

    def calls_user_code(self) -> bool:
        return False

    def size_from(self, size_of: Callable[[Node], int | None]) -> int | None:
        if callable(self.batch_size):
            return None
        rows = size_of(self.children[0])
        if rows is None:
            return None
        return rows // self.batch_size if self.drop_remainder else -(-rows // self.batch_size)

    def rows_per_batch(self) -> int:
        return -1 if callable(self.batch_size) else self.batch_size

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        return self._batches(self.children[0].stream(context, epoch), self._info(context, epoch, 0), context)

    def stream_from(self, context: ExecutionContext, epoch: int, start: int) -> Iterator[Block]:
        if callable(self.batch_size):
            return super().stream_from(context, epoch, start)
        stream = self.children[0].stream_from(context, epoch, start * self.batch_size)
        return self._batches(stream, self._info(context, epoch, start), context)

    def _info(self, context: ExecutionContext, number: int, batch: int) -> BatchInfo:
        """Return the description of a batch, in pass `number` of this node, for the user's functions."""
        return BatchInfo(batch, context.epoch_of(self, number)[0], number)

    def _batches(self, stream: Iterator[Block], first: BatchInfo, context: ExecutionContext) -> Iterator[Block]:
        """Yield the batches of a stream, whose first one is `first`."""
        return context.stage(self).map(
            lambda item: self._collate(context, *item), self._groups(stream, first), size_of=Block.nbytes
        )

    def _collate(self, context: ExecutionContext, info: BatchInfo, block: Block) -> Block:
        """Return the rows of a block as one row."""
        raise NotImplementedError

    def _groups(self, stream: Iterator[Block], first: BatchInfo) -> Iterator[tuple[BatchInfo, Block]]:
        """Cut a stream into blocks of `batch_size` rows; the last may be smaller."""
        info = first
        size = _size_of(self.batch_size, info)
        held: list[Block] = []
        count = 0
        for block in stream:
            start = 0
            while count + block.size - start >= size:
                stop = start + size - count
                held.append(block if stop - start == block.size else block.pick(slice(start, stop)))
                yield info, concatenate(held)
                held, count, start = [], 0, stop
                info = replace(info, batch_num=info.batch_num + 1)
                size = _size_of(self.batch_size, info)
            if start < block.size:
                held.append(block.pick(slice(start, None)) if start else block)
                count += block.size - start
        if held and not self.drop_remainder:
            yield info, concatenate(held)


@dataclass(eq=False, repr=False)
class Batch(_BatchOperator):
    """Consecutive rows stacked along a new leading axis."""

    per_batch_map: Callable[..., Any] | None = None
    input_columns: Any = None
    output_columns: Any = None
    python_multiprocessing: bool = False
    max_rowsize: Any = None

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        self.input_columns = optional_names(self.input_columns, "input_columns")
        self.output_columns = optional_names(self.output_columns, "output_columns")
        row_sizes(self.max_rowsize)
        require_type(self.python_multiprocessing, "python_multiprocessing", bool)
        if self.per_batch_map is not None and not callable(self.per_batch_map):
            raise ValueError(f"per_batch_map should be a callable, got {self.per_batch_map!r}.")
        if self.input_columns and self.per_batch_map is None:
            raise ValueError("input_columns can be specified only when per_batch_map is set.")
        if self.per_batch_map is not None and self.input_columns:
            check_takes(self.per_batch_map, len(self.input_columns) + 1, "per_batch_map")

    def _columns(self, names: list[str]) -> tuple[list[str], list[str]]:
        inputs = self.input_columns or names
        check_columns(inputs, names, "batch")
        return inputs, self.output_columns or inputs

    def names(self) -> list[str]:
        names = self.children[0].names()
        return names if self.per_batch_map is None else replace_names(names, *self._columns(names))

    def _collate(self, context: ExecutionContext, info: BatchInfo, block: Block) -> Block:
        keys = None if block.keys is None else block.keys[:1]
        stage = context.stage(self)
        map_rows = stage.map_rows
        if self.per_batch_map is None:
            columns = {
                name: _batch_of_one(column) or Column([stack_rows(column.rows(block.keys, True, map_rows), name)])
                for name, column in block.columns.items()
            }
            return Block(columns, 1, keys)
        inputs, outputs = self._columns(list(block.columns))
        taken = [as_list(block.columns[name].rows(block.keys, map_rows=map_rows)) for name in inputs]
        place = context.seed, splitmix64(context.stream_ids[self])
        results = stage.call(self._call_per_batch_map, taken, info, outputs, place)
        columns = {
            name: column if name in inputs else Column([stack_rows(column.rows(block.keys, map_rows=map_rows), name)])
            for name, column in block.columns.items()
        }
        try:
            stacked = [Column([_stack_results(values, name)]) for name, values in zip(outputs, results, strict=True)]
        except TypeError as error:
            raise user_error(error, "what per_batch_map returned") from error
        return Block(replace_columns(columns, inputs, outputs, stacked), 1, keys)

    def calls_user_code(self) -> bool:
        return self.per_batch_map is not None

    def worker_function(self) -> Callable[..., Any] | None:
        return self._call_per_batch_map if self.python_multiprocessing and self.per_batch_map is not None else None

    def _call_per_batch_map(
        self, taken: list[list[Any]], info: BatchInfo, outputs: list[str], place: tuple[int, ...]
    ) -> list[Any]:
        """Return the rows of each output that the function makes of a batch."""
        assert self.per_batch_map is not None
        enter_row(*place, info.pass_num, info.batch_num)
        try:
            results = self.per_batch_map(*taken, info)
        except Exception as error:
            raise user_error(error, "per_batch_map") from error
        finally:
            leave_row()
        results = unpack_columns(results, len(outputs))
        for name, result in zip(outputs, results, strict=False):
            if not isinstance(result, (list, tuple, dict, np.ndarray)):
                raise pipeline_error(
                    "Invalid per_batch_map, it should return a tuple with one list or array of rows per column, "
                    f"but a column is {type(result).__name__} {result!r}."
                )
            if isinstance(result, (list, tuple)) and len(result) != len(taken[0]):
                raise pipeline_error(
                    f"Invalid data, column: {name} expects: {len(taken[0])} rows returned from 'per_batch_map', got: "
                    f"{len(result)}."
                )
        if len(results) != len(outputs):
            raise pipeline_error(
                "Invalid per_batch_map, the number of columns returned in 'per_batch_map' function should be "
                f"{len(outputs)}, but got: {len(results)}."
            )
        return list(results)


@dataclass(eq=False, repr=False)
class PaddedBatch(_BatchOperator):
    """Rows padded to one shape, then stacked along a new leading axis."""

    pad_info: Any = None

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        check_pad_info(self.pad_info)

    def names(self) -> list[str]:
        names = self.children[0].names()
        check_columns(list(self.pad_info or {}), names, "padded_batch")
        return names

    def _collate(self, context: ExecutionContext, info: BatchInfo, block: Block) -> Block:
        pad_info = dict.fromkeys(block.columns) if self.pad_info == {} else self.pad_info or {}
        return collate_padded(block, pad_info, context.stage(self).map_rows)


def collate_padded(block: Block, pad_info: PadInfo, map_rows: RowMap = map_rows_here) -> Block:
    """Pad the named columns and put all rows of the block together into one row."""
    columns = {}
    for name, column in block.columns.items():
        rows = column.rows(block.keys, map_rows=map_rows)
        how = pad_info.get(name)
        if how is not None and isinstance(rows[0], dict):
            raise pipeline_error(f"Column {name!r} holds dicts, which cannot be padded by {how}.")
        if name in pad_info and not isinstance(rows[0], dict):
            shape, fill = how or (None, None)
            rows = _pad_rows(rows, shape, fill, name)
        columns[name] = Column([stack_rows(rows, name)])
    return Block(columns, 1, None if block.keys is None else block.keys[:1])


def check_pad_info(pad_info: Any) -> PadInfo:
    """Return the padding by column: a dict from names to (shape, value) or None; None means no padding."""
    if pad_info is None:
        return {}
    require_type(pad_info, "pad_info", dict)
    for name, how in pad_info.items():
        require_type(name, "key of pad_info", str)
        if how is None:
            continue
        require_type(how, f"pad_info[{name!r}]", tuple)
        if len(how) != 2:
            raise ValueError(f"pad_info[{name!r}] must be (shape, value), got {how!r}.")
        shape, fill = how
        require_type(shape, f"shape in pad_info[{name!r}]", (list, type(None)))
        for size in shape or []:
            if size is not None and not (is_int(size) and size >= 1):
                raise ValueError(f"pad_info[{name!r}]: a dimension must be None or a positive int, got {size!r}.")
        if not isinstance(fill, (int, float, str, bytes, np.number, type(None))):
            raise TypeError(f"pad_info[{name!r}]: the fill value must be a number, string or None, got {type(fill)}.")
    return pad_info


def _pad_rows(rows: Rows, shape: list[int | None] | None, fill: Any, name: str) -> Rows:
    arrays = [as_output(row) for row in as_list(rows)]
    rank = arrays[0].ndim
    if any(array.ndim != rank for array in arrays) or (shape is not None and len(shape) != rank):
        raise pipeline_error(
            f"padded_batch: rows of column {name!r} have {sorted({array.ndim for array in arrays})} dimensions, the "
            f"pad shape is {shape}."
        )
    largest = [max(array.shape[axis] for array in arrays) for axis in range(rank)]
    target = [size or most for size, most in zip(shape or [None] * rank, largest, strict=True)]
    return [pad_array(array, target, fill) for array in arrays]


def stack_rows(rows: Rows, name: str) -> Any:
    """Stack rows along a new leading axis, in memory of their own; dicts are stacked key by key.

    Raises:
        RuntimeError: their shapes or dtypes differ.
    """
    if isinstance(rows, np.ndarray):
        return as_output(rows)
    if any(isinstance(row, dict) for row in rows):
        if not all(isinstance(row, dict) for row in rows):
            raise pipeline_error(f"Cannot batch dicts with other values in column {name!r}.")
        return stack_dicts(rows, name)
    arrays = [as_output(row) for row in rows]
    first = arrays[0]
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


def _batch_of_one(column: Column) -> Column | None:
    """Return a user's array as a batch in its memory, where it is the only row; None for other columns."""
    rows = borrow_rows(column) or []
    if len(rows) != 1 or not isinstance(rows[0], np.ndarray) or rows[0].dtype.kind not in "biuf":
        return None
    return Column(LentRows([rows[0][None]]))


def _size_of(batch_size: BatchSize, info: BatchInfo) -> int:
    if not callable(batch_size):
        return batch_size
    try:
        size = batch_size(info)
        if not (is_int(size) or isinstance(size, np.integer)) or size < 1:
            raise ValueError(f"batch_size function should return a positive int, got {size!r}")
    except Exception as error:
        raise user_error(error, "the batch_size function") from error
    return int(size)


def unpack_columns(results: Any, count: int) -> Sequence[Any]:
    """Return the columns that `per_batch_map` returned: a tuple of them, or a single one; of several also a list."""
    if isinstance(results, tuple) or (isinstance(results, list) and count > 1):
        return results
    return (results,)


def _stack_results(values: Any, name: str) -> Any:
    """Return a batch's column from what `per_batch_map` returned for it; only it stacks dicts."""
    if isinstance(values, np.ndarray):
        return stack_rows(as_array(values), name)
    if isinstance(values, list) and values and all(isinstance(value, dict) for value in values):
        return {key: [value[key] for value in values] for key in values[0]}
    if isinstance(values, dict):
        return values
    try:
        rows = [as_array(value) for value in values]
    except TypeError as error:
        raise user_error(error, "what per_batch_map returned") from error
    return stack_rows(rows, name)
