"""Samplers of user code, which yield indices."""

import operator
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from msbridge.dataset.engine.samplers import BuiltinSampler, in_bounds
from msbridge.dataset.engine.values import user_error

__all__ = ["IterSampler", "Sampler"]


class Sampler(BuiltinSampler):
    """Base of a user's sampler: `__iter__` yields indices; `self.dataset_size` is set before it is called.

    Follows: mindspore.dataset.Sampler (2.10).
    """

    def __init__(self, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.dataset_size = 0

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError(f"{type(self).__name__} must define __iter__, which yields indices.")

    def reset(self) -> None:
        """Restart; called before each pass."""

    def choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        self.dataset_size = size
        self.reset()
        return _iterated(self, self.num_samples, size)

    def expected(self, size: int) -> int | None:
        return None


class IterSampler(BuiltinSampler):
    """The indices of an iterable, read again in each epoch.

    Follows: mindspore.dataset.IterSampler (2.10).
    """

    def __init__(self, sampler: Iterable[int], num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.sampler = sampler

    def choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        return _iterated(self.sampler, self.num_samples, size)

    def expected(self, size: int) -> int | None:
        return None


_whole = operator.methodcaller("__index__")


def _iterated(source: Iterable[int], num_samples: int | None, size: int) -> np.ndarray:
    try:
        chosen = np.fromiter(map(_whole, islice(source, num_samples or None)), np.int64)
    except Exception as error:
        raise user_error(error, "a sampler, which must yield ints") from error
    return in_bounds(chosen, size)
