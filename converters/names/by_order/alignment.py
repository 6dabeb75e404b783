"""Alignment: two sequences settled in order, as many of their members as possible, and the most alike among those.

Only a band around the diagonal is looked at, as wide as it has to be: what differs little takes time in proportion to
its length.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

MEMBER = 1 << 20  # what a settled member counts: likeness decides only among as many
NOWHERE = -(1 << 60)
BAND = 16  # diagonals on either side that are looked at first
Numbers = NDArray[np.int64]


class Worth(Protocol):
    """The worth of pairs of members."""

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of members of both sequences."""

    def row(self, mine: int, first: int, last: int) -> Numbers:
        """Return the scores of a member with each of the others from `first` to `last`; 0 where they cannot be one."""


@dataclass(frozen=True, slots=True)
class Jumps:
    """The places where one member of a side may answer to several neighbours of the other.

    Attributes:
        starts: for members of the first sequence, where in the second (rising), and how many members of each side.
        reach: how many more members the jumps can take of the first sequence than of the second, and the reverse.
    """

    starts: Mapping[int, Sequence[tuple[int, tuple[int, int]]]] = field(default_factory=dict)
    reach: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class _Table:
    """The best that can be settled from each place on."""

    best: Numbers  # for member i of the first sequence and the diagonal numbered k
    lowest: int  # the diagonal that has the number 0

    def at(self, i: int, j: int) -> int:
        k = j - i - self.lowest
        return int(self.best[i, k]) if 0 <= k < self.best.shape[1] else NOWHERE


def in_step(worth: Worth, jumps: Jumps) -> list[tuple[int, int, tuple[int, int]]]:
    """Settle as many members of two sequences as possible, in order, and among those ways the ones most alike.

    Returns:
        Where each pair begins, and how many members of each side it has.
    """
    sizes, band = worth.shape, BAND
    while True:
        table = _fill_table(worth, jumps, band)
        left = sum(sizes) - table.at(0, 0) // MEMBER
        if band >= max(sizes) or left + min(jumps.reach) <= band:  # the best way cannot leave the band and come back
            return _way(table, worth, jumps)
        band = min(4 * band, max(sizes))


def _fill_table(worth: Worth, jumps: Jumps, band: int) -> _Table:
    height, width = worth.shape
    lowest, highest = max(-height, min(0, width - height) - band), min(width, max(0, width - height) + band)
    best = np.full((height + 1, highest - lowest + 1), NOWHERE, np.int64)
    table = _Table(best, lowest)
    columns = np.arange(lowest, highest + 1)
    best[height][(columns + height >= 0) & (columns + height <= width)] = 0
    for i in range(height - 1, -1, -1):
        below, here = best[i + 1], best[i]
        first, last = max(0, i + lowest), min(width, i + highest + 1)
        if (end := width - i - lowest) < len(here):
            here[end] = 0
        part = slice(first - i - lowest, last - i - lowest)
        count = worth.row(i, first, last)
        here[part] = np.where(count > 0, below[part] + count, NOWHERE)
        start = max(1, part.start)
        here[start : part.stop] = np.maximum(here[start : part.stop], below[start - 1 : part.stop - 1])
        for j, by in _within(jumps.starts.get(i, ()), first, last):
            place = j - i - lowest
            here[place] = max(here[place], table.at(i + by[0], j + by[1]) + sum(by) * MEMBER)
        here[:] = np.maximum.accumulate(here[::-1])[::-1]
        here[: part.start] = NOWHERE
    return table


def _within(
    starts: Sequence[tuple[int, tuple[int, int]]], first: int, last: int
) -> Sequence[tuple[int, tuple[int, int]]]:
    return starts[bisect_left(starts, (first,)) : bisect_left(starts, (last,))]


def _way(table: _Table, worth: Worth, jumps: Jumps) -> list[tuple[int, int, tuple[int, int]]]:
    """Follow the best from the beginning."""
    height, width = worth.shape
    way, i, j = [], 0, 0
    while i < height and j < width:
        here, count = table.at(i, j), int(worth.row(i, j, j + 1)[0])
        if count and here == table.at(i + 1, j + 1) + count:
            way.append((i, j, (1, 1)))
            i, j = i + 1, j + 1
            continue
        ways = _within(jumps.starts.get(i, ()), j, j + 1)
        jump = next((by for _, by in ways if here == table.at(i + by[0], j + by[1]) + sum(by) * MEMBER), None)
        if jump:
            way.append((i, j, jump))
            i, j = i + jump[0], j + jump[1]
        elif here == table.at(i + 1, j):
            i += 1
        else:
            j += 1
    return way
