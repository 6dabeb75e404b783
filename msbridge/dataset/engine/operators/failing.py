"""Rows for which an operation fails: left out, or replaced by others."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from msbridge.dataset.engine.blocks import Block
from msbridge.dataset.engine.user_values import pipeline_error

MAX_KEPT_ROWS = 16  # rows that can take the place of others
UNSIGNED = 1 << 64  # MindSpore takes the position of a used row modulo the kept ones as an unsigned number


class ReplacementRows:
    """Cache of good rows, newest first, that take the place of rows that fail, over all epochs of an iterator.

    A row that fails is replaced at once where the cache is full of rows that replaced none yet; otherwise once it is,
    or at the end of the pass.
    """

    def __init__(self) -> None:
        self._rows: deque[Block] = deque()  # the newest first
        self._next = -1  # the unused rows are those up to here; below zero, all are used
        self._owed = 0  # failed rows that nothing replaced yet

    def good(self, row: Block) -> Iterator[Block]:
        """Keep a copy of `row`, and return it behind the row for which it makes room."""
        if self._is_unused:
            if not self._owed:
                yield row
                return
            self._owed -= 1
            yield self._replacement()
        if len(self._rows) == MAX_KEPT_ROWS:
            self._rows.pop()
        self._rows.appendleft(row)
        self._next += 1
        yield row

    def replace_failed(self) -> Iterator[Block]:
        """Replace a failed row, now or later."""
        if self._is_unused:
            yield self._replacement()
        else:
            self._owed += 1

    def end(self) -> Iterator[Block]:
        """Replace what is left at the end of a pass.

        Raises:
            RuntimeError: there is no row that did not fail.
        """
        if self._owed and not self._rows:
            raise pipeline_error("All data is garbage and cannot be replaced.")
        while self._owed:
            self._owed -= 1
            yield self._replacement()

    @property
    def _is_unused(self) -> bool:
        return self._next == MAX_KEPT_ROWS - 1

    def _replacement(self) -> Block:
        row = self._rows[self._next % UNSIGNED % len(self._rows)]
        self._next -= 1
        return row


def skip_failing(rows: Iterable[Block], compute: Callable[[Block, int], Block]) -> Iterator[Block]:
    """Compute rows one by one and leave out those for which that fails; `compute` takes a row and its number."""
    for number, row in enumerate(rows):
        try:
            computed = compute(row, number)
        except Exception:
            continue
        yield computed


def replace_failing(
    rows: Iterable[Block], compute: Callable[[Block, int], Block], spares: ReplacementRows
) -> Iterator[Block]:
    """Compute rows one by one and put others in place of those for which that fails."""
    for number, row in enumerate(rows):
        try:
            computed = compute(row, number)
        except Exception:
            yield from spares.replace_failed()
            continue
        yield from spares.good(computed)
    yield from spares.end()
