"""The indices of a DataLoader: in order, at random, in batches."""

from collections.abc import Iterable, Iterator, Sized
from itertools import islice, repeat
from typing import Any, Generic, TypeVar

import numpy as np

from msbridge.core.checks.arguments import int_within, require_type

__all__ = ["BatchSampler", "RandomSampler", "Sampler", "SequentialSampler"]

Index = TypeVar("Index", covariant=True)
DRAWN = 32  # indices at once where they may repeat, as in MindSpore: with one seed they are the same
SEEDS = 2**63


class Sampler(Generic[Index]):
    """Indices of samples: a subclass defines `__iter__`, and `__len__` where a length is asked for.

    Args:
        data_source: what is sampled.

    Follows: mindspore.dataset.dataloader.Sampler (2.10).
    """

    def __init__(self, data_source: Any = None) -> None:
        pass


class SequentialSampler(Sampler[int]):
    """All indices in order.

    Args:
        data_source: has a length.

    Follows: mindspore.dataset.dataloader.SequentialSampler (2.10).
    """

    def __init__(self, data_source: Sized) -> None:
        super().__init__(data_source)
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """Indices at random.

    Args:
        data_source: has a length.
        replacement: whether an index may come again before all others have come.
        num_samples: how many indices; None: as many as there are samples.
        generator: draws them; None: a new one each time, seeded by numpy's global generator.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `num_samples` is not positive.

    Follows: mindspore.dataset.dataloader.RandomSampler (2.10).
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: np.random.Generator | None = None,
    ) -> None:
        super().__init__(data_source)
        self.data_source = data_source
        self.replacement = require_type(replacement, "replacement", bool)
        self._num_samples = None if num_samples is None else int_within(num_samples, "num_samples")
        self.generator = require_type(generator, "generator", (np.random.Generator, type(None)))

    @property
    def num_samples(self) -> int:
        """The number of indices."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        size, wanted = len(self.data_source), self.num_samples
        draws = self.generator or np.random.default_rng(np.random.randint(0, SEEDS, dtype=np.int64))
        if self.replacement:
            for count in (*repeat(DRAWN, wanted // DRAWN), wanted % DRAWN):
                yield from draws.integers(0, size, (count,)).tolist()
        else:
            for count in (*repeat(size, wanted // size), wanted % size):
                yield from draws.permutation(size)[:count].tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Lists of indices.

    Args:
        sampler: yields the indices.
        batch_size: how many make a list.
        drop_last: whether the last list is left out if it is shorter.

    Raises:
        TypeError: `batch_size` is not an int, or `drop_last` is not a bool.
        ValueError: `batch_size` is not positive.

    Follows: mindspore.dataset.dataloader.BatchSampler (2.10).
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        super().__init__()
        self.sampler = sampler
        self.batch_size = int_within(batch_size, "batch_size")
        self.drop_last = require_type(drop_last, "drop_last", bool)

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(islice(indices, self.batch_size)):
            if self.drop_last and len(batch) < self.batch_size:
                return
            yield batch

    def __len__(self) -> int:
        size = len(self.sampler)  # type: ignore[arg-type]  # what is asked for its length has one
        return size // self.batch_size if self.drop_last else -(-size // self.batch_size)


class InfiniteSampler(Sampler[None]):
    """Replaces the indices of samples that have none."""

    def __iter__(self) -> Iterator[None]:
        return repeat(None)
