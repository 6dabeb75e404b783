"""Sources with random access: readers whose rows are found by their index."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from msbridge.dataset.checks import check_workers, refuse_cache
from msbridge.dataset.draws import combine
from msbridge.dataset.engine.block import Block, Column, Indexed
from msbridge.dataset.engine.dataset import Dataset
from msbridge.dataset.engine.run import ORDER_SEED_OF_SHARDS, Run
from msbridge.dataset.engine.samplers import (
    BuiltinSampler,
    DistributedSampler,
    PKSampler,
    RandomSampler,
    as_sampler,
    select_sampler,
)
from msbridge.dataset.transforms.base import Rows, Step, apply_steps

KEPT_LIMIT_BYTES = 256 * 2**20  # per column: MNIST's 60,000 images at 32 × 32 are 61 MB
KEPT_FORMS = 4  # of one array: whoever makes new pipelines of the same source all the time must not fill the memory

Fetch = Callable[[np.ndarray], Rows]


class SourceDataset(Dataset):
    """A node without parents.

    Follows: mindspore.dataset.SourceDataset (2.10).
    """

    def __init__(self, num_parallel_workers: int | None = None, cache: Any = None) -> None:
        super().__init__()
        check_workers(num_parallel_workers)
        refuse_cache(cache)
        self.num_parallel_workers = num_parallel_workers


class MappableDataset(SourceDataset):
    """A source with random access.

    Subclasses write `_length`, `_fetchers` and `_names`; fetching must have no side effects.

    Args:
        num_parallel_workers: threads for reading; None takes the global setting.
        sampler: chooses rows and their order; excludes the arguments below.
        num_samples: at most how many rows; None or 0 is all.
        shuffle: None and True read in random order.
        num_shards: into how many parts the rows are divided.
        shard_id: which part is read.
        cache: only None.

    Follows: mindspore.dataset.MappableDataset (2.10).
    """

    def __init__(
        self,
        num_parallel_workers: int | None = None,
        sampler: Any = None,
        num_samples: int | None = None,
        shuffle: bool | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        super().__init__(num_parallel_workers, cache)
        self.sampler = select_sampler(num_samples, sampler, shuffle, num_shards, shard_id)

    def _length(self) -> int:
        """Give the number of rows before sampling."""
        raise NotImplementedError

    def _fetchers(self) -> dict[str, Fetch]:
        """Give, for each column, the function from indices to rows."""
        raise NotImplementedError

    def _labels(self, column: str) -> np.ndarray | None:
        """Give the class of each row, for samplers by class."""
        fetch = self._fetchers().get(column)
        return None if fetch is None else np.asarray(fetch(np.arange(self._length()))).reshape(self._length(), -1)[:, 0]

    def _order(self, run: Run, epoch: int) -> np.ndarray:
        generator = run.generator(self, epoch)
        if isinstance(self.sampler, DistributedSampler):  # all shards, in all processes, must divide the same order
            generator = np.random.default_rng(combine(ORDER_SEED_OF_SHARDS, epoch if run.order_seed is None else 0))
        labels = self._labels(self.sampler.class_column) if isinstance(self.sampler, PKSampler) else None
        return self.sampler.indices(self._length(), generator, labels)

    def _stream(self, run: Run, epoch: int) -> Iterator[Block]:
        order = self._order(run, epoch)
        if len(order):
            columns = {name: Column(Indexed(fetch, order)) for name, fetch in self._fetchers().items()}
            yield Block(columns, len(order), run.keys(self, epoch, np.arange(len(order))))

    def _size(self) -> int | None:
        return self.sampler.count(self._length())

    def use_sampler(self, new_sampler: BuiltinSampler) -> None:
        self.sampler = as_sampler(new_sampler)

    def add_sampler(self, new_sampler: BuiltinSampler) -> None:
        """Let `new_sampler` choose among the rows that the present sampler gives.

        Follows: mindspore.dataset.MappableDataset.add_sampler (2.10).
        """
        added = as_sampler(new_sampler)
        added.add_child(self.sampler)
        self.sampler = added

    def is_shuffled(self) -> bool:
        return isinstance(self.sampler, RandomSampler) or bool(getattr(self.sampler, "shuffle", False))

    def is_sharded(self) -> bool:
        return isinstance(self.sampler, DistributedSampler) and self.sampler.num_shards > 1


def rows_of(array: np.ndarray) -> "ArrayRows":
    """Give the function that reads rows of an array in memory."""
    return ArrayRows(array)


class ArrayRows:
    """Rows of an array in memory; every call gives memory of its own."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self._kept: dict[tuple[Step, ...], KeptRows] = {}

    def __call__(self, indices: np.ndarray) -> np.ndarray:
        return self.array.take(indices, axis=0)

    def through(self, steps: tuple[Step, ...]) -> "KeptRows":
        """Give the rows after deterministic steps, which are computed once for each row."""
        if steps not in self._kept:
            if len(self._kept) == KEPT_FORMS:
                del self._kept[next(iter(self._kept))]
            self._kept[steps] = KeptRows(self, steps)
        return self._kept[steps]


class KeptRows:
    """Rows after costly steps, kept when they are first needed: later epochs find them (57 µs less for 32 digits)."""

    def __init__(self, source: ArrayRows, steps: tuple[Step, ...]) -> None:
        self._source, self._steps = source, steps
        self._rows: np.ndarray | None = None
        self._present = np.zeros(len(source.array), np.bool_)
        self._keeps = True

    def __call__(self, indices: np.ndarray) -> Rows:
        missing = indices[~self._present[indices]] if self._keeps else indices
        if len(missing):
            made = apply_steps(self._steps, self._source(missing), None)
            if not self._keep(missing, made):
                return made if len(missing) == len(indices) else apply_steps(self._steps, self._source(indices), None)
        return self._rows.take(indices, axis=0)  # type: ignore[union-attr]

    def _keep(self, indices: np.ndarray, made: Rows) -> bool:
        """Keep the rows, unless all of them would be too large or differ in shape."""
        if self._rows is None:
            count = len(self._source.array)
            fits = isinstance(made, np.ndarray) and made.nbytes // len(made) * count <= KEPT_LIMIT_BYTES
            self._keeps = self._keeps and fits
            if not self._keeps:
                return False
            self._rows = np.empty((count, *made.shape[1:]), made.dtype)  # type: ignore[union-attr]
        self._rows[indices] = made
        self._present[indices] = True  # after the rows: another thread may be reading
        return True


class ListRows:
    """Rows of a list of values that do not form one array."""

    __slots__ = ("values",)

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def __call__(self, indices: np.ndarray) -> list[Any]:
        return [np.array(self.values[index]) for index in indices.tolist()]
