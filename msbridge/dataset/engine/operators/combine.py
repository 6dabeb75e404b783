"""Operators that combine datasets: zip (columns), concat (rows), flat_map (a dataset for each row)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from msbridge.dataset.engine.blocks import Block, concatenate
from msbridge.dataset.engine.nodes import ExecutionContext, HasNode, Input, Junction, Node, Operator, prepare
from msbridge.dataset.engine.operators.batch import Batch, PaddedBatch
from msbridge.dataset.engine.sampling.samplers import DistributedSampler, RandomSampler
from msbridge.dataset.engine.user_values import pipeline_error, user_error
from msbridge.dataset.row_random import fold_in
from msbridge.dataset.transforms.base import as_list


@dataclass(eq=False, repr=False)
class Zip(Junction):
    """The columns of several datasets side by side, up to the end of the shortest."""

    def names(self) -> list[str]:
        names = [name for child in self.children for name in child.names()]
        for name in names:
            if names.count(name) > 1:
                raise pipeline_error(f"zip: the column name {name!r} occurs in more than one dataset; rename it first.")
        return names

    def size_from(self, size_of: Callable[[Node], int | None]) -> int | None:
        sizes = [size_of(child) for child in self.children]
        return None if None in sizes else min(size for size in sizes if size is not None)

    def is_endless(self) -> bool:
        return all(child.is_endless() for child in self.children)

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        streams = [child.stream(context, epoch) for child in self.children]
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
    """The rows of several datasets in sequence; their columns must be the same."""

    sampler: DistributedSampler | RandomSampler | None = field(default=None, init=False)

    def __post_init__(self, datasets: Input | Sequence[Input]) -> None:
        super().__post_init__(datasets)
        if len(self.children) < 2:
            raise pipeline_error(f"concat needs at least two datasets, got {len(self.children)}.")

    def use_sampler(self, sampler: Any) -> None:
        """Choose among the rows of all inputs: a shard of them, or all in random order."""
        if not isinstance(sampler, (DistributedSampler, RandomSampler)):
            raise TypeError(f"The parameter {sampler} of concat must be DistributedSampler or RandomSampler!")
        if sampler.get_num_samples() is not None:
            raise ValueError(f"concat: num_samples of {type(sampler).__name__} cannot be set.")
        if isinstance(sampler, RandomSampler):
            if sampler.replacement:
                raise ValueError("concat: replacement of RandomSampler must be False.")
        elif sampler.shuffle or sampler.num_shards < 1:
            raise ValueError("concat: DistributedSampler must have a positive num_shards and shuffle=False.")
        elif any(isinstance(child, (Batch, PaddedBatch)) for child in self.children):
            raise TypeError("concat: the rows that a DistributedSampler divides must not be batches.")
        self.sampler = sampler

    def is_shuffled(self) -> bool:
        return isinstance(self.sampler, RandomSampler) or super().is_shuffled()

    def is_sharded(self) -> bool:
        return (self.sampler is not None and self.sampler.is_sharded()) or super().is_sharded()

    def names(self) -> list[str]:
        names = self.children[0].names()
        for child in self.children[1:]:
            if child.names() != names:
                raise pipeline_error(
                    f"concat: column names and their order must be the same, got {names} and {child.names()}."
                )
        return names

    def size_from(self, size_of: Callable[[Node], int | None]) -> int | None:
        sizes = [size_of(child) for child in self.children]
        if None in sizes:
            return None
        size = sum(size for size in sizes if size is not None)
        if isinstance(self.sampler, DistributedSampler):
            return len(range(self.sampler.shard_id, size, self.sampler.num_shards))
        return size

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        rows = self._all(context, epoch)
        if isinstance(self.sampler, DistributedSampler):
            start = self.sampler.shard_id
            for block in rows:
                shard = block.pick(slice(start, None, self.sampler.num_shards))
                start = (start - block.size) % self.sampler.num_shards if start < block.size else start - block.size
                if shard.size:
                    yield shard
        elif self.sampler is not None:
            if blocks := list(rows):
                whole = concatenate(blocks)
                yield whole.pick(context.generator(self, epoch).permutation(whole.size))
        else:
            yield from rows

    def _all(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        first: dict[str, Any] = {}
        for position, child in enumerate(self.children):
            stream = child.stream(context, epoch * len(self.children) + position)
            for block in islice(stream, 1):
                row = block.pick(slice(0, 1)).with_values()
                kinds = {name: _kind(as_list(column.rows(None))[0]) for name, column in row.columns.items()}
                if (first := first or kinds) != kinds:
                    raise pipeline_error(f"concat: types and ranks must be the same, got {first} and {kinds}.")
                yield block
            yield from stream

    def consumer_pass(self, number: int) -> tuple[int, bool]:
        return number // len(self.children), True


def _kind(value: Any) -> Any:
    """Return a value's dtype and rank, as far as concat asks for them."""
    if not isinstance(value, np.ndarray):
        return None
    return (value.dtype.kind if value.dtype.kind in "US" else str(value.dtype)), value.ndim


@dataclass(eq=False, repr=False)
class FlatMap(Operator):
    """The rows of the datasets that `func` creates, one dataset for each row."""

    func: Callable[..., HasNode]

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        if not callable(self.func):
            raise TypeError(f"func must be a function, got {type(self.func)}.")

    def size_from(self, size_of: Callable[[Node], int | None]) -> int | None:
        return None

    def rows_per_request(self, asked: int) -> int:
        return 1

    def names(self) -> list[str]:
        first = self._first_created()
        return [] if first is None else first.names()

    def rows_per_batch(self) -> int:
        first = self._first_created()
        return 1 if first is None else first.rows_per_batch()

    def repetitions(self) -> int:
        first = self._first_created()
        return 1 if first is None else first.repetitions()

    def _first_created(self) -> Node | None:
        for row in self.children[0].rows():
            return self._create_node(tuple(row.values()))
        return None

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        number = 0
        for block in context.stage(self).pieces(self.children[0].stream(context, epoch)):
            taken = [as_list(column.rows(block.keys)) for column in block.columns.values()]
            for row in zip(*taken, strict=True):
                created = self._create_node(row)
                inner = prepare(created, fold_in(context.seed, context.stream_ids[self], number))
                yield from created.stream(inner, epoch)
                number += 1
        if not number:
            raise TypeError("flat_map: func must return a dataset, but there are no rows to call it with.")

    def _create_node(self, row: tuple[Any, ...]) -> Node:
        try:
            created = self.func(*row)
        except StopIteration as error:  # it would end the generator that calls
            raise user_error(error, "the function of flat_map") from error
        node = getattr(created, "_node", None)
        if not isinstance(node, Node):
            raise TypeError(f"flat_map: func must return a dataset, got {type(created)}.")
        return node
