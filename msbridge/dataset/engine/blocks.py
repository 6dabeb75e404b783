"""Blocks: consecutive rows of a stream, stored by column, with the transforms that are still to be applied to them.

Transforms are not run where they are written in the pipeline: a column remembers them, and runs them when somebody
needs the values, on all rows at once. A column whose rows lie in a source's memory is only a list of indices until
then. So shuffling, skipping and repeating move integers, and a chain written before `batch` is computed on the whole
batch.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from msbridge.dataset.engine.execution.executor import Stage
from msbridge.dataset.engine.in_memory_rows import ArrayRows, CachedStepRows, LentRows, ListRows
from msbridge.dataset.engine.user_values import as_output, pipeline_error
from msbridge.dataset.transforms.base import ChainStep, Rows, as_list
from msbridge.dataset.transforms.fusion import RowMap, apply_steps, map_rows_here

MAX_HELD_ROWS = 10000  # of rows that are picked out of a stream: so many are put in order

PORTION_ROWS = 1024  # rows that a reader of files reads and turns into values at once

Selection = slice | np.ndarray

DICT_SHAPE, DICT_TYPE = (0,), np.dtype(object)  # what a column of dicts is called


@dataclass(frozen=True, slots=True)
class Indexed:
    """Rows that a source holds in memory (or can read at any time), named by their indices."""

    fetch: Callable[[np.ndarray], Rows]
    indices: np.ndarray

    def __len__(self) -> int:
        return len(self.indices)


@dataclass(frozen=True, slots=True)
class Column:
    """The rows of one column, and the steps that are still to be applied to them."""

    base: np.ndarray | list[Any] | Indexed
    steps: tuple[ChainStep, ...] = ()

    def pick(self, selection: Selection) -> "Column":
        """Return the selected rows, in that order."""
        base = self.base
        if isinstance(base, Indexed):
            return Column(Indexed(base.fetch, base.indices[selection]), self.steps)
        if isinstance(base, np.ndarray) or isinstance(selection, slice):
            return Column(base[selection], self.steps)
        return Column(type(base)(base[index] for index in selection.tolist()), self.steps)

    def rows(self, keys: np.ndarray | None, together: bool = False, map_rows: RowMap = map_rows_here) -> Rows:
        """Compute the values: one array with a leading row axis where shapes allow it for free, else a list.

        Args:
            keys: of the rows; None where no step is random.
            together: the caller stacks them anyway.
            map_rows: computes large rows: that of the stage, where a stage computes.
        """
        values = _values(self.base, map_rows)
        return apply_steps(self.steps, values, keys, together, map_rows) if self.steps else values

    def materialize(self, keys: np.ndarray | None, map_rows: RowMap) -> "Column":
        """Return the column with its steps applied, unless its rows are only indices (those cost nothing to keep)."""
        return self if isinstance(self.base, Indexed) or not self.steps else Column(self.rows(keys, map_rows=map_rows))


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive rows: columns in their order, and one key per row where the pipeline has random transforms."""

    columns: dict[str, Column]
    size: int
    keys: np.ndarray | None = None

    def count(self) -> int:
        """Return the number of rows."""
        return self.size

    def nbytes(self) -> int:
        """Return the size of the arrays."""
        return sum(_nbytes(column.base) for column in self.columns.values())

    def pick(self, selection: Selection) -> "Block":
        """Return the selected rows, in that order."""
        columns = {name: column.pick(selection) for name, column in self.columns.items()}
        keys = None if self.keys is None else self.keys[selection]
        size = len(range(self.size)[selection]) if isinstance(selection, slice) else len(selection)
        return Block(columns, size, keys)

    def is_indices(self) -> bool:
        """Whether the rows are only indices, which cost nothing to keep."""
        return all(isinstance(column.base, Indexed) for column in self.columns.values())

    def index(self) -> tuple[str, int] | None:
        """Return by which index which source knows the first row; None where it is not a row of a single source."""
        bases = [column.base for column in self.columns.values()]
        if not isinstance(bases[0], Indexed):
            return None
        index = int(bases[0].indices[0])
        if not all(isinstance(base, Indexed) and base.indices[0] == index for base in bases):
            return None
        return str(id(bases[0].fetch)), index

    def with_values(self) -> "Block":
        """Return the block with the values of all columns computed."""
        columns = {name: Column(column.rows(self.keys)) for name, column in self.columns.items()}
        return Block(columns, self.size, self.keys)

    def materialize(self, map_rows: RowMap) -> "Block":
        """Return the block with all steps applied to the columns that hold values."""
        columns = {name: column.materialize(self.keys, map_rows) for name, column in self.columns.items()}
        return Block(columns, self.size, self.keys)


def _nbytes(values: Any) -> int:
    if isinstance(values, list):
        return sum(_nbytes(value) for value in values)
    return values.nbytes if isinstance(values, np.ndarray) else 0


def concatenate(blocks: Sequence[Block]) -> Block:
    """Concatenate blocks with the same columns."""
    if len(blocks) == 1:
        return blocks[0]
    columns = {
        name: _concatenate_columns([block.columns[name] for block in blocks], [block.keys for block in blocks])
        for name in blocks[0].columns
    }
    keys = None if blocks[0].keys is None else np.concatenate([block.keys for block in blocks])
    return Block(columns, sum(block.size for block in blocks), keys)


def _concatenate_columns(columns: list[Column], keys: list[np.ndarray | None]) -> Column:
    steps, first = columns[0].steps, columns[0].base
    if any(column.steps != steps for column in columns):
        return Column([row for column, key in zip(columns, keys, strict=True) for row in column.rows(key)])
    if isinstance(first, Indexed):
        bases = [column.base for column in columns if isinstance(column.base, Indexed)]
        if len(bases) == len(columns) and all(base.fetch == first.fetch for base in bases):
            return Column(Indexed(first.fetch, np.concatenate([base.indices for base in bases])), steps)
    return Column([row for column in columns for row in _values(column.base)], steps)


def _values(base: np.ndarray | list[Any] | Indexed, map_rows: RowMap = map_rows_here) -> Rows:
    if not isinstance(base, Indexed):
        return base.copies() if isinstance(base, LentRows) else base
    if isinstance(base.fetch, CachedStepRows):  # it may have to compute rows
        return base.fetch(base.indices, map_rows)
    return base.fetch(base.indices)


def split_rows(stream: Iterable[Block]) -> Iterator[Block]:
    """Cut blocks into single rows."""
    for block in stream:
        for index in range(block.size):
            yield block if block.size == 1 else block.pick(slice(index, index + 1))


def output_rows(stream: Iterator[Block], stage: Stage) -> Iterator[dict[str, Any]]:
    """Apply the steps that are left, and yield single rows as dicts of ndarrays."""
    for columns in stage.map(
        lambda block: _output_columns(block, stage.map_rows), stage.pieces(stream), rows=Block.count
    ):
        names = list(columns)
        for values in zip(*columns.values(), strict=True):
            yield dict(zip(names, values, strict=True))


def _output_columns(block: Block, map_rows: RowMap) -> dict[str, list[Any]]:
    return {
        name: [as_output(value) for value in borrow_rows(column) or as_list(column.rows(block.keys, map_rows=map_rows))]
        for name, column in block.columns.items()
    }


def borrow_rows(column: Column) -> list[Any] | None:
    """Return the rows of a user's arrays that no step and no batch has changed, in their memory; None for others."""
    base = column.base
    if isinstance(base, LentRows) and not column.steps:
        return base
    is_lent = isinstance(base, Indexed) and isinstance(base.fetch, ArrayRows | ListRows) and base.fetch.is_lent
    return base.fetch.views(base.indices) if is_lent and not column.steps else None  # type: ignore[union-attr]


def row_shapes(rows: Iterator[dict[str, Any]], estimate: bool = False) -> list[list[int | None]]:
    """Return the shape of each column, as the first row has it, or all have: a dimension that differs is None."""
    shapes: list[list[int | None]] = []
    for row in rows:
        found: list[list[int | None]] = [list(getattr(value, "shape", DICT_SHAPE)) for value in row.values()]
        pairs = [zip(*pair, strict=True) for pair in zip(shapes or found, found, strict=True)]
        shapes = [[a if a == b else None for a, b in pair] for pair in pairs]
        if not estimate:
            break
    return shapes


def row_types(rows: Iterator[dict[str, Any]]) -> list[np.dtype]:
    """Return the dtype of each column, as the first row has it."""
    for row in rows:
        kinds = [getattr(value, "dtype", DICT_TYPE) for value in row.values()]
        return [np.dtype(kind.kind) if kind.kind in "US" else kind for kind in kinds]
    return []


def with_row_numbers(stream: Iterator[Block], number: int) -> Iterator[tuple[Block, int]]:
    """Yield with each block how many rows are before it; `number` are before the first."""
    for block in stream:
        yield block, number
        number += block.size


def skip_rows(stream: Iterator[Block], count: int) -> Iterator[Block]:
    """Leave out the first `count` rows of a stream."""
    for block in stream:
        if count >= block.size:
            count -= block.size
            continue
        yield block.pick(slice(count, None)) if count else block
        count = 0


def take_rows(stream: Iterator[Block], positions: np.ndarray) -> Iterator[Block]:
    """Yield the rows at some positions of a stream, in the order of those, or of each `HELD_ROWS` of them."""
    places = np.full(positions.max(initial=-1) + 1, -1)
    places[positions] = np.arange(len(positions))
    start, held, held_places, count = 0, list[Block](), list[np.ndarray](), 0
    for block in stream:
        here = places[start : start + block.size]
        chosen = np.flatnonzero(here >= 0)
        if len(chosen):
            held.append(block.pick(chosen))
            held_places.append(here[chosen])
            count += 0 if block.is_indices() else len(chosen)
        start += block.size
        if count >= MAX_HELD_ROWS or (held and start >= len(places)):
            yield concatenate(held).pick(np.argsort(np.concatenate(held_places)))
            held, held_places, count = [], [], 0
        if start >= len(places):
            return
    if held:
        yield concatenate(held).pick(np.argsort(np.concatenate(held_places)))


def replace_columns(
    columns: dict[str, Column], inputs: list[str], outputs: list[str], results: list[Column]
) -> dict[str, Column]:
    """Replace the input columns by the results.

    As many outputs as inputs: each takes the place of its input. Otherwise the outputs come first, then what was not
    used.
    """
    placed = dict(zip(outputs, results, strict=True))
    return {
        name: placed[name] if name in placed else columns[name]
        for name in replace_names(list(columns), inputs, outputs)
    }


def replace_names(names: list[str], inputs: list[str], outputs: list[str]) -> list[str]:
    """Return the column names after `replace_columns`."""
    if len(inputs) == len(outputs):
        renamed = dict(zip(inputs, outputs, strict=True))
        return [renamed.get(name, name) for name in names if name in renamed or name not in outputs]
    return outputs + [name for name in names if name not in inputs and name not in outputs]


def check_columns(columns: list[str], names: list[str], op: str) -> None:
    """Raise unless all of `columns` are among `names`."""
    for name in columns:
        if name not in names:
            raise pipeline_error(f"Invalid column for '{op}': {name!r} does not exist; the columns are {names}.")
