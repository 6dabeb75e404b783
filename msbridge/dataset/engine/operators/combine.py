"""Operators that combine datasets: zip (columns), concat (rows), flat_map (a dataset for each row)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from msbridge.dataset.draws import combine
from msbridge.dataset.engine.blocks import Block
from msbridge.dataset.engine.nodes import Junction, Node, Operator, Run, plan
from msbridge.dataset.engine.values import pipeline_error, user_error
from msbridge.dataset.transforms.base import each


@dataclass(eq=False, repr=False)
class Zip(Junction):
    """The columns of several datasets side by side, up to the end of the shortest."""

    def _names(self) -> list[str]:
        names = [name for child in self.children for name in child._names()]
        for name in names:
            if names.count(name) > 1:
                raise pipeline_error(f"zip: the column name {name!r} occurs in more than one dataset; rename it first.")
        return names

    def _size(self) -> int | None:
        sizes = [child._size() for child in self.children]
        return None if None in sizes else min(size for size in sizes if size is not None)

    def is_endless(self) -> bool:
        return all(child.is_endless() for child in self.children)

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        streams = [child._stream(run, epoch) for child in self.children]
        heads: list[Block | None] = [None] * len(streams)
        while True:
            for position, stream in enumerate(streams):
                head = heads[position]
                while head is None or not head.size:
                    head = next(stream, None)
                    if head is None:
                        return
                heads[position] = head
            blocks = [head for head in heads if head is not None]
            size = min(block.size for block in blocks)
            parts = [block if block.size == size else block.pick(slice(0, size)) for block in blocks]
            columns = {name: column for part in parts for name, column in part.columns.items()}
            yield Block(columns, size, parts[0].keys)
            heads = [block.pick(slice(size, None)) for block in blocks]


@dataclass(eq=False, repr=False)
class Concat(Junction):
    """The rows of several datasets one after the other; their columns must be the same."""

    def _names(self) -> list[str]:
        names = self.children[0]._names()
        for child in self.children[1:]:
            if child._names() != names:
                raise pipeline_error(
                    f"concat: column names and their order must be the same, got {names} and {child._names()}."
                )
        return names

    def _size(self) -> int | None:
        sizes = [child._size() for child in self.children]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        for position, child in enumerate(self.children):
            yield from child._stream(run, epoch * len(self.children) + position)

    def _pass_above(self, number: int) -> tuple[int, bool]:
        return number // len(self.children), True


@dataclass(eq=False, repr=False)
class FlatMap(Operator):
    """The rows of the datasets that `func` creates, one dataset for each row."""

    func: Callable[..., Node]

    def __post_init__(self, input_dataset: Node) -> None:
        super().__post_init__(input_dataset)
        if not callable(self.func):
            raise TypeError(f"func must be a function, got {type(self.func)}.")

    def _size(self) -> int | None:
        return None

    def _asks(self, asked: int) -> int:
        return 1

    def _names(self) -> list[str]:
        for row in self.children[0]._rows():
            return self._created(tuple(row.values()))._names()
        return []

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        number = 0
        for block in run.stage(self).pieces(self.children[0]._stream(run, epoch)):
            taken = [each(column.rows(block.keys)) for column in block.columns.values()]
            for row in zip(*taken, strict=True):
                created = self._created(row)
                inner = plan(created, combine(run.seed, run.salts[id(self)], number))
                yield from created._stream(inner, epoch)
                number += 1

    def _created(self, row: tuple[Any, ...]) -> Node:
        try:
            created = self.func(*row)
        except Exception as error:
            raise user_error(error, "the function of flat_map") from error
        if not isinstance(created, Node):
            raise TypeError(f"flat_map: func must return a dataset, got {type(created)}.")
        return created
