"""Operators that select rows or columns: take, skip, filter, project, rename."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import INT32_MAX, int_within, require_type
from msbridge.dataset.arguments import check_names, optional_names
from msbridge.dataset.engine.blocks import Block, Column, check_columns
from msbridge.dataset.engine.nodes import ExecutionContext, Input, Node, Operator
from msbridge.dataset.engine.user_values import pipeline_error, user_error
from msbridge.dataset.transforms.base import as_list
from msbridge.dataset.transforms.fusion import RowMap


@dataclass(eq=False, repr=False)
class Take(Operator):
    """The first `count` rows; -1 is all."""

    count: int

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        require_type(self.count, "count", int)
        if self.count != -1 and not 0 < self.count <= INT32_MAX:
            raise ValueError(
                f"count should be either -1 or within the required interval of (0, {INT32_MAX}], got {self.count}."
            )

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        return self._take_from(self.children[0].stream(context, epoch), self.count)

    def stream_from(self, context: ExecutionContext, epoch: int, start: int) -> Iterator[Block]:
        stream = self.children[0].stream_from(context, epoch, start)
        return self._take_from(stream, self.count if self.count == -1 else max(self.count - start, 0))

    def rows_per_request(self, asked: int) -> int:
        return asked if self.count == -1 else min(asked, self.count)

    def is_endless(self) -> bool:
        return self.count == -1 and super().is_endless()

    def _take_from(self, stream: Iterator[Block], count: int) -> Iterator[Block]:
        left = count if count != -1 else None
        for block in stream:
            if left is None or block.size < left:
                yield block
                left = None if left is None else left - block.size
                continue
            yield block.pick(slice(0, left))
            return

    def size_from(self, size_of: Callable[[Node], int | None]) -> int | None:
        size = self.children[0].size()  # of more rows than are taken, perhaps of endlessly many, only these are run
        return size if size is None or self.count == -1 else min(size, self.count)


@dataclass(eq=False, repr=False)
class Skip(Operator):
    """All but the first `count` rows."""

    count: int

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        int_within(self.count, "count", 0)

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        return self.children[0].stream_from(context, epoch, self.count)

    def stream_from(self, context: ExecutionContext, epoch: int, start: int) -> Iterator[Block]:
        return self.children[0].stream_from(context, epoch, self.count + start)

    def size_from(self, size_of: Callable[[Node], int | None]) -> int | None:
        size = size_of(self.children[0])
        return None if size is None else max(size - self.count, 0)


@dataclass(eq=False, repr=False)
class Filter(Operator):
    """The rows for which `predicate` is true."""

    predicate: Callable[..., Any]
    input_columns: Any = None
    num_parallel_workers: int | None = None

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        if not callable(self.predicate):
            raise TypeError(
                f"Predicate should be a Python function or a callable Python object, got {self.predicate!r}."
            )
        self.input_columns = optional_names(self.input_columns, "input_columns")

    def names(self) -> list[str]:
        names = self.children[0].names()
        check_columns(self.input_columns, names, "filter")
        return names

    def size_from(self, size_of: Callable[[Node], int | None]) -> int | None:
        return None

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        stage = context.stage(self)
        pieces = stage.pieces(self.children[0].stream(context, epoch))
        for block, failure in stage.map(
            lambda block: self._filter_block(block, stage.map_rows), pieces, rows=Block.count, keeps_order=True
        ):
            if block.size:
                yield block
            if failure is not None:
                raise user_error(failure, "the predicate of filter") from failure

    def _filter_block(self, block: Block, map_rows: RowMap) -> tuple[Block, Exception | None]:
        """Return the rows that are kept, up to one that the predicate fails on, and its error."""
        inputs = self.input_columns or list(block.columns)
        check_columns(inputs, list(block.columns), "filter")
        taken = {name: as_list(block.columns[name].rows(block.keys, map_rows=map_rows)) for name in inputs}
        kept: list[int] = []
        failure: Exception | None = None
        for index, row in enumerate(zip(*taken.values(), strict=True)):
            try:
                if self.predicate(*row):
                    kept.append(index)
            except Exception as error:
                failure = error
                break
        computed = {name: Column(rows) for name, rows in taken.items() if block.columns[name].steps}
        columns = block.columns | computed  # what the predicate does to the others, it does to copies
        whole = Block(columns, block.size, block.keys)
        return whole if len(kept) == block.size else whole.pick(np.array(kept, np.int64)), failure


@dataclass(eq=False, repr=False)
class Project(Operator):
    """The named columns, in that order."""

    columns: Any

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        self.columns = check_names(self.columns, "columns")

    def names(self) -> list[str]:
        check_columns(self.columns, self.children[0].names(), "project")
        return self.columns

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        return self._project_blocks(self.children[0].stream(context, epoch))

    def stream_from(self, context: ExecutionContext, epoch: int, start: int) -> Iterator[Block]:
        return self._project_blocks(self.children[0].stream_from(context, epoch, start))

    def _project_blocks(self, stream: Iterator[Block]) -> Iterator[Block]:
        for block in stream:
            check_columns(self.columns, list(block.columns), "project")
            yield Block({name: block.columns[name] for name in self.columns}, block.size, block.keys)


@dataclass(eq=False, repr=False)
class Rename(Operator):
    """The same columns under other names."""

    input_columns: Any
    output_columns: Any

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        self.input_columns = check_names(self.input_columns, "input_columns")
        self.output_columns = check_names(self.output_columns, "output_columns")
        if len(self.input_columns) != len(self.output_columns):
            raise ValueError(
                f"Number of column in input_columns and output_columns is not equal: {self.input_columns} and "
                f"{self.output_columns}."
            )

    def names(self) -> list[str]:
        return self._rename_names(self.children[0].names())

    def _rename_names(self, names: list[str]) -> list[str]:
        check_columns(self.input_columns, names, "rename")
        new = dict(zip(self.input_columns, self.output_columns, strict=True))
        renamed = [new.get(name, name) for name in names]
        for name in renamed:
            if renamed.count(name) > 1:
                raise pipeline_error(f"rename: the column name {name!r} already exists, among {names}.")
        return renamed

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        return self._rename_blocks(self.children[0].stream(context, epoch))

    def stream_from(self, context: ExecutionContext, epoch: int, start: int) -> Iterator[Block]:
        return self._rename_blocks(self.children[0].stream_from(context, epoch, start))

    def _rename_blocks(self, stream: Iterator[Block]) -> Iterator[Block]:
        for block in stream:
            names = self._rename_names(list(block.columns))
            yield Block(dict(zip(names, block.columns.values(), strict=True)), block.size, block.keys)
