"""Random numbers for rows: a pure function of (seed, node, epoch, row, how many were drawn), never of global state.

Each row carries a 64-bit key. Drawing is SplitMix64 on key and counter, so a whole block draws in a few numpy calls,
and a row gets the same numbers whether it is transformed by itself, in a batch, before or behind a shuffle.
"""

from collections.abc import Iterator

import numpy as np

GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_UNIT = 2.0**-53


def splitmix64(value: int) -> int:
    """Scramble one 64-bit integer (SplitMix64's finaliser)."""
    value = (value + GOLDEN) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def splitmix64_array(values: np.ndarray) -> np.ndarray:
    """Scramble an array of uint64 as `splitmix64` does each."""
    values = values + np.uint64(GOLDEN)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def fold_in(*parts: int) -> int:
    """Hash several integers into one key; their order counts."""
    key = 0
    for part in parts:
        key = splitmix64(key ^ (part & _MASK))
    return key


class RowRandom:
    """The random numbers of one row."""

    __slots__ = ("_count", "_key")

    def __init__(self, key: int) -> None:
        self._key = key
        self._count = 0

    def bits(self) -> int:
        """Draw 64 bits."""
        self._count += 1
        return splitmix64((self._key + self._count * GOLDEN) & _MASK)

    def uniform(self, low: float = 0.0, high: float = 1.0) -> float:
        """Draw a float of [low, high)."""
        return low + (high - low) * ((self.bits() >> 11) * _UNIT)

    def integer(self, low: int, high: int) -> int:
        """Draw an int of [low, high]."""
        return low + int((self.bits() >> 11) * _UNIT * (high - low + 1))

    def order(self, count: int) -> list[int]:
        """Draw a permutation of range(count)."""
        return sorted(range(count), key=lambda _: self.bits())

    def child(self, number: int) -> "RowRandom":
        """Return independent random numbers for part `number` of this row's work."""
        return RowRandom(fold_in(self._key, number + 1))


class BlockRandom:
    """The random numbers of a block of rows, equal to those of each row's `RowRandom`."""

    __slots__ = ("_count", "_keys")

    def __init__(self, keys: np.ndarray) -> None:
        self._keys = keys
        self._count = 0

    def uniform(self, low: float = 0.0, high: float = 1.0) -> np.ndarray:
        """Draw one float of [low, high) for each row."""
        self._count += 1
        bits = splitmix64_array(self._keys + np.uint64((self._count * GOLDEN) & _MASK))
        return low + (high - low) * ((bits >> np.uint64(11)).astype(np.float64) * _UNIT)

    def integer(self, low: int, high: np.ndarray | int) -> np.ndarray:
        """Draw one int of [low, high] for each row."""
        self._count += 1
        bits = splitmix64_array(self._keys + np.uint64((self._count * GOLDEN) & _MASK))
        return low + ((bits >> np.uint64(11)).astype(np.float64) * _UNIT * (high - low + 1)).astype(np.int64)

    def __iter__(self) -> Iterator[RowRandom]:
        for key in self._keys.tolist():
            yield RowRandom(key)
