"""Samplers of user code, which yield indices."""

import operator
from collections.abc import Iterable, Iterator, Sized
from copy import deepcopy
from itertools import islice
from typing import Any

import numpy as np

from msbridge.dataset.engine.sampling.samplers import BuiltinSampler
from msbridge.dataset.engine.user_values import pipeline_error, user_error

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
        return _iterate_source(self, self.num_samples)

    def count_selected(self, size: int) -> int | None:
        return None


class IterSampler(BuiltinSampler):
    """The indices of an iterable, read again in each epoch; where it has a length, as many.

    Each pass reads a copy of an iterator, which would be used up otherwise.

    Follows: mindspore.dataset.IterSampler (2.10).
    """

    def __init__(self, sampler: Iterable[int], num_samples: int | None = None) -> None:
        if num_samples is None and isinstance(sampler, Sized):
            num_samples = len(sampler)
        super().__init__(num_samples)
        self.sampler = sampler

    def choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        return _iterate_source(self.sampler, self.num_samples)

    def count_selected(self, size: int) -> int | None:
        return None


_whole = operator.methodcaller("__index__")


def _iterate_source(source: Iterable[Any], num_samples: int | None) -> np.ndarray:
    try:
        given = list(islice(deepcopy(source) if isinstance(source, Iterator) else source, num_samples or None))
        chosen = _indices(given)
    except Exception as error:
        raise user_error(error, "a sampler, which must yield ints") from error
    if not given:
        raise pipeline_error("A sampler must yield at least one index, got none.")
    return chosen


def _indices(given: list[Any]) -> np.ndarray:
    try:
        return np.fromiter(map(_whole, given), np.int64, len(given))
    except (AttributeError, TypeError):
        if not any(map(np.ndim, given)):
            raise
        return _of_several(given)


def _of_several(given: list[Any]) -> np.ndarray:
    """Return an array of arrays: a list or an array that is yielded represents a row as a whole, as before 2.10.

    Where all have one item, it is that, as in 2.10, which refuses others.
    """
    indices = [np.fromiter(map(_whole, one), np.int64) if np.ndim(one) == 1 else np.asarray(one) for one in given]
    is_single = all(len(one) == 1 for one in indices)
    chosen = np.empty(len(given), object)
    for place, one in enumerate(indices):
        chosen[place] = one[0] if is_single else one
    return chosen
