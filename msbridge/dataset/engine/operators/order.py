"""Operators that change the order of rows or how often they come: shuffle, repeat, split."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from msbridge.core.checks.arguments import INT32_MAX, int_within, is_int, require_type
from msbridge.dataset.engine.blocks import Block, concatenate
from msbridge.dataset.engine.execution.executor import MAX_PIECE
from msbridge.dataset.engine.nodes import ExecutionContext, Input, Node, Operator
from msbridge.dataset.row_random import fold_in


@dataclass(eq=False, repr=False)
class Shuffle(Operator):
    """Rows in random order, each drawn from the `buffer_size` rows that are waiting.

    Rows that lie in a source's memory wait as indices; only others hold their values while they wait.
    """

    buffer_size: int
    reshuffle_each_epoch: bool = field(default=True, init=False)

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        int_within(self.buffer_size, "buffer_size", 2)
        if self.children[0].is_sync():
            raise RuntimeError("No shuffle after sync operators: put shuffle before sync_wait.")

    def rows_per_request(self, asked: int) -> int:
        return self._group

    @property
    def _group(self) -> int:
        """The number of rows that are exchanged at once: drawing one by one would copy the buffer for each."""
        return max(1, self.buffer_size // 8)

    def materializes(self) -> bool:
        return True

    def calls_user_code(self) -> bool:
        return False

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        generator = context.generator(self, epoch if self.reshuffle_each_epoch else 0)
        group = self._group  # waits beside the buffer
        waiting: Block | None = None
        arrived: list[Block] = []
        held = 0
        stage = context.stage(self)
        blocks = stage.map(
            lambda block: block.materialize(stage.map_rows),
            self.children[0].stream(context, epoch),
            rows=Block.count,
            size_of=Block.nbytes,
        )
        for rest in blocks:
            while rest.size:
                room = self.buffer_size if waiting is None else group
                part = rest.pick(slice(0, room - held)) if rest.size > room - held else rest
                rest = rest.pick(slice(part.size, None))
                arrived.append(part)
                held += part.size
                if held < room:
                    continue
                new, arrived, held = concatenate(arrived), [], 0
                if waiting is None:
                    waiting = new
                    continue
                drawn = generator.permutation(waiting.size)
                yield waiting.pick(drawn[: new.size])
                waiting = concatenate([waiting.pick(np.sort(drawn[new.size :])), new])
        if waiting is not None:
            arrived.insert(0, waiting)
        if arrived:
            last = concatenate(arrived)
            yield last.pick(generator.permutation(last.size))

    def is_shuffled(self) -> bool:
        return True


@dataclass(eq=False, repr=False)
class Repeat(Operator):
    """The rows `count` times; -1 is endlessly."""

    count: Any

    def __post_init__(self, input_dataset: Input) -> None:
        super().__post_init__(input_dataset)
        self.count = -1 if require_type(self.count, "repeat", (int, type(None))) is None else self.count
        if self.count != -1 and not 1 <= self.count <= INT32_MAX:
            raise ValueError(f"count should be either -1 or positive integer, range[1, INT32_MAX], got {self.count}.")

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        return self._repetitions(context, epoch, 0, 0)

    def stream_from(self, context: ExecutionContext, epoch: int, start: int) -> Iterator[Block]:
        size = self.children[0].size()
        return (
            self._repetitions(context, epoch, *divmod(start, size))
            if size
            else super().stream_from(context, epoch, start)
        )

    def _repetitions(self, context: ExecutionContext, epoch: int, first: int, start: int) -> Iterator[Block]:
        """Yield the rows from row `start` of repetition `first` on."""
        child, endless = self.children[0], self.count == -1
        for number in itertools.count(first) if endless else range(first, self.count):
            child_epoch = number if endless else epoch * self.count + number
            empty = True
            for block in (
                child.stream_from(context, child_epoch, start) if start else child.stream(context, child_epoch)
            ):
                empty = False
                yield block
            if empty:  # an endless repetition of nothing would never come back
                return
            start = 0

    def consumer_pass(self, number: int) -> tuple[int, bool]:
        if self.count == -1:
            return 0, False
        epoch, repetition = divmod(number, self.count)
        return epoch, repetition == self.count - 1

    def is_endless(self) -> bool:
        return self.count == -1 or super().is_endless()

    def size_from(self, size_of: Callable[[Node], int | None]) -> int | None:
        size = size_of(self.children[0])
        return size if size is None or self.count == -1 else size * self.count

    def repetitions(self) -> int:
        return self.count


@dataclass(eq=False, repr=False)
class Split(Operator):
    """`count` rows from row `start` of one order that is the same in each epoch."""

    shares_input: ClassVar[bool] = True

    start: int
    count: int
    order_seed: int
    randomize: bool

    def size_from(self, size_of: Callable[[Node], int | None]) -> int | None:
        return self.count

    def stream(self, context: ExecutionContext, epoch: int) -> Iterator[Block]:
        size = self.children[0].count_rows()
        order = np.arange(size)
        if self.randomize:  # from the order's own seed: every part must draw the same permutation
            order = np.random.default_rng(fold_in(self.order_seed, 0, 0)).permutation(size)
        positions = order[self.start : self.start + self.count]
        yield from self.children[0].stream_at(context.with_fixed_order(self.order_seed), epoch, positions)

    def rows_per_request(self, asked: int) -> int:
        return MAX_PIECE

    def is_shuffled(self) -> bool:
        return self.randomize or super().is_shuffled()


def split_counts(sizes: list[int] | list[float], size: int) -> list[int]:
    """Return the number of rows of each part, of `size` in all.

    Raises:
        TypeError: `sizes` is not a list.
        ValueError: it is empty, mixed, not positive, or fractions do not sum to 1.
        RuntimeError: row counts do not sum to `size`, or a part would be empty.
    """
    if not require_type(sizes, "sizes", list):
        raise ValueError("sizes cannot be empty.")
    if all(is_int(part) for part in sizes):
        counts = [int(part) for part in sizes]
        if any(count <= 0 for count in counts):
            raise ValueError(f"sizes is a list of int, but there should be no negative or zero numbers, got {sizes}.")
        if sum(counts) != size:
            raise RuntimeError(f"Sum of split sizes {sum(counts)} is not equal to dataset size {size}.")
        return counts
    if not all(isinstance(part, float) for part in sizes):
        raise ValueError(f"sizes should be list of int or list of float, got {sizes}.")
    if not all(0 < part <= 1 for part in sizes):
        raise ValueError(
            f"sizes is a list of float, but there should be no numbers outside the range (0, 1], got {sizes}."
        )
    if abs(sum(sizes) - 1) > 1e-9:
        raise ValueError(f"sizes is a list of float, but the percentages do not sum up to 1, got {sizes}.")
    counts = [round(part * size) for part in sizes]
    for part, count in zip(sizes, counts, strict=True):
        if count == 0:
            raise RuntimeError(f"Split percentage {part} is too small for {size} rows.")
    counts[0] += size - sum(counts)  # rounding errors go to the first part
    return counts
