"""DatasetCache: computed rows that are kept for later passes, in this process.

MindSpore hands them to a server of its own; here the pipelines that share a DatasetCache share its memory.
"""

import pickle
import tempfile
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import IO, Any

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type, within
from msbridge.dataset.transforms.base import Rows, as_list

__all__ = ["DatasetCache"]

UINT32_MAX, UINT64_MAX = 2**32 - 1, 2**64 - 1

Key = tuple[int, str, int]  # the node, the column, the row


@dataclass(frozen=True, slots=True)
class CacheStat:
    """Statistics of a cache."""

    avg_cache_sz: int  # bytes of a row, on average
    num_mem_cached: int  # rows in memory
    num_disk_cached: int  # rows on disk


class DatasetCache:
    """Keeps the rows of readers, or of a `map`, that were computed once.

    Args:
        session_id: names the cache.
        size: MiB of memory; 0 means no limit. What does not fit is computed again.
        spilling: what does not fit goes to disk.
        hostname: accepted; there is no server.
        port: in [1025, 65535]; accepted.
        num_connections: accepted.
        prefetch_size: accepted.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range.

    Follows: mindspore.dataset.DatasetCache (2.10).
    """

    def __init__(
        self,
        session_id: int,
        size: int = 0,
        spilling: bool = False,
        hostname: str | None = None,
        port: int | None = None,
        num_connections: int | None = None,
        prefetch_size: int | None = None,
    ) -> None:
        self.session_id = within(require_type(session_id, "session_id", int), "session_id", 1, UINT32_MAX)
        self.size = within(require_type(size, "size", int), "size", 0, UINT64_MAX)
        self.spilling = require_type(spilling, "spilling", bool)
        self.hostname = hostname if hostname is None else require_type(hostname, "hostname", str)
        self.port = port if port is None else within(require_type(port, "port", int), "port", 1025, 65535)
        self.num_connections = _positive(num_connections, "num_connections")
        self.prefetch_size = _positive(prefetch_size, "prefetch_size")
        self._in_memory: dict[Key, Any] = {}
        self._on_disk: dict[Key, tuple[int, int]] = {}
        self._file: IO[bytes] | None = None
        self._memory_bytes = self._disk_bytes = 0
        self._changing = threading.Lock()
        self._numbers: weakref.WeakKeyDictionary[object, int] = weakref.WeakKeyDictionary()
        self._next = count()

    def get_stat(self) -> CacheStat:
        """Return the number of rows that are kept, by place, and their mean size.

        Follows: mindspore.dataset.DatasetCache.get_stat (2.10).
        """
        with self._changing:
            in_memory, on_disk = len(self._in_memory), len(self._on_disk)
            size = (self._memory_bytes + self._disk_bytes) // max(in_memory + on_disk, 1)
            return CacheStat(size, in_memory, on_disk)

    def __deepcopy__(self, memo: dict[int, Any]) -> "DatasetCache":
        return self  # copies of a pipeline share what is kept

    def rows(self, node: object, column: str, indices: list[int], compute: Callable[[np.ndarray], Rows]) -> list[Any]:
        """Return rows of a node, those that are not kept computed now.

        Args:
            node: whose rows.
            column: of which column; "" is whole rows.
            indices: the rows' numbers.
            compute: returns the rows of these positions in `indices`.
        """
        with self._changing:
            if (number := self._numbers.get(node)) is None:
                number = self._numbers[node] = next(self._next)
        cached = [self._get((number, column, index)) for index in indices]
        missing = [position for position, row in enumerate(cached) if row is None]
        if missing:
            for position, row in zip(missing, as_list(compute(np.array(missing))), strict=True):
                self._put((number, column, indices[position]), row)
                cached[position] = row
        return cached

    def _get(self, key: Key) -> Any:
        with self._changing:
            if key in self._in_memory:
                return _copy(self._in_memory[key])
            if key not in self._on_disk or self._file is None:
                return None
            start, size = self._on_disk[key]
            self._file.seek(start)
            return pickle.loads(self._file.read(size))

    def _put(self, key: Key, row: Any) -> None:
        kept = _copy(row)
        size = _size_of(kept)
        with self._changing:
            if key in self._in_memory or key in self._on_disk:
                return
            if not self.size or self._memory_bytes + size <= self.size << 20:
                self._in_memory[key] = kept
                self._memory_bytes += size
            elif self.spilling:
                if self._file is None:
                    self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the cache
                    weakref.finalize(self, self._file.close)
                data = pickle.dumps(kept)
                start = self._file.seek(0, 2)
                self._file.write(data)
                self._on_disk[key] = start, len(data)
                self._disk_bytes += len(data)


class CachedRows:
    """Rows of a source's column, read once."""

    def __init__(self, cache: DatasetCache, node: object, column: str, fetch: Callable[[np.ndarray], Rows]) -> None:
        self._cache, self._node, self._column, self._fetch = cache, weakref.ref(node), column, fetch

    def __call__(self, indices: np.ndarray) -> Rows:
        def missing(positions: np.ndarray) -> Rows:
            return self._fetch(indices[positions])

        return self._cache.rows(self._node(), self._column, indices.tolist(), missing)


def check_cache(cache: Any) -> DatasetCache | None:
    """Return the cache of a reader's or `map`'s argument.

    Raises:
        TypeError: it is neither None nor a DatasetCache.
    """
    if cache is not None:
        require_type(cache, "cache", DatasetCache)
    return cache


def _positive(value: int | None, name: str) -> int | None:
    return None if value is None else int_within(value, name)


def _copy(row: Any) -> Any:
    if isinstance(row, np.ndarray):
        return row.copy()
    return tuple(map(_copy, row)) if isinstance(row, tuple) else row


def _size_of(row: Any) -> int:
    if isinstance(row, tuple):
        return sum(map(_size_of, row))
    return row.nbytes if isinstance(row, np.ndarray) else len(pickle.dumps(row))
