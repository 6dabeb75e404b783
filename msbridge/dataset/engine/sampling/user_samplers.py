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
        if num_samples is None and isinstance(self, Sized):
            num_samples = len(self)
        super().__init__(num_samples)
        self.dataset_size = 0

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError(f"{type(self).__name__} must define __iter__, which yields indices.")

    def reset(self) -> None:
        """Restart; called before each pass."""

    def get_num_samples(self) -> int | None:
        """Return the largest number of samples to choose; where none was set, how many a copy of the sampler yields."""
        return _count(self, self.num_samples)

    def _choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        self.dataset_size = size
        self.reset()
        return _iterate_source(self, self.num_samples)

    def _count_selected(self, size: int) -> int | None:
        if self.num_samples:
            return self.num_samples
        asked = deepcopy(self)
        asked.dataset_size = size
        return _count(asked, None)


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

    def _choose(self, size: int, generator: np.random.Generator, labels: np.ndarray | None) -> np.ndarray:
        return _iterate_source(self.sampler, self.num_samples)

    def _count_selected(self, size: int) -> int | None:
        return _count(self.sampler, self.num_samples)


def copy_of_run(sampler: BuiltinSampler) -> BuiltinSampler:
    """Return the sampler that one iterator of a dataset asks: one of the user's starts as it was made in each."""
    return deepcopy(sampler) if isinstance(sampler, Sampler) else sampler


def check_yielded(sampler: BuiltinSampler, indices: np.ndarray) -> None:
    """Refuse what a sampler of the user's yielded where there is less than it announced.

    Raises:
        RuntimeError: there are fewer indices than its `num_samples`.
    """
    announced = sampler.num_samples if isinstance(sampler, Sampler | IterSampler) else None
    if announced and len(indices) < announced:
        raise pipeline_error(f"The sampler announced {announced} samples, but yielded {len(indices)}.")


def flat_within(indices: np.ndarray, size: int) -> np.ndarray:
    """Return the indices in one row, without those beyond the last of `size` rows, as readers of folders take them."""
    flat = np.array([index for one in indices for index in np.ravel(one)], np.int64)
    return flat[flat < size]


_whole = operator.methodcaller("__index__")


def _count(source: Iterable[Any], num_samples: int | None) -> int:
    return num_samples if num_samples is not None else len(_list_yielded(source, None, is_asked=True))


def _list_yielded(source: Iterable[Any], num_samples: int | None, is_asked: bool = False) -> list[Any]:
    """Return the items that are yielded, by a copy where it `is_asked` only, as its state must stay."""
    try:
        source = deepcopy(source) if is_asked or isinstance(source, Iterator) else source
        return list(islice(source, num_samples or None))
    except Exception as error:
        raise user_error(error, "a sampler, which must yield ints") from error


def _iterate_source(source: Iterable[Any], num_samples: int | None) -> np.ndarray:
    given = _list_yielded(source, num_samples)
    if not given:
        raise pipeline_error("A sampler must yield at least one index, got none.")
    try:
        return _indices(given)
    except Exception as error:
        raise user_error(error, "a sampler, which must yield ints") from error


def _indices(given: list[Any]) -> np.ndarray:
    if all(isinstance(one, bool | np.bool_) for one in given):
        raise TypeError("it yields bools")
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
    indices = [np.fromiter(map(_whole, np.atleast_1d(one)), np.int64) if np.ndim(one) < 2 else one for one in given]
    if all(len(one) == 1 for one in indices):
        return np.concatenate(indices)
    chosen = np.empty(len(given), object)
    for place, one in enumerate(indices):
        chosen[place] = one
    return chosen
