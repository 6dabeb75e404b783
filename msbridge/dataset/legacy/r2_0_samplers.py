"""Samplers of user code as they were: a folder has as many rows as files, unless a sampler has `num_samples`."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.dataset.engine.nodes import ExecutionContext
from msbridge.dataset.engine.sampling import user_samplers
from msbridge.dataset.engine.sampling.samplers import BuiltinSampler
from msbridge.dataset.engine.sampling.user_samplers import IterSampler, Sampler
from msbridge.dataset.engine.user_values import pipeline_error, user_error
from msbridge.dataset.readers.indexed.generic import numpy_slices
from msbridge.dataset.readers.indexed.generic.numpy_slices import NumpySlicesDataset
from msbridge.dataset.readers.source import MappableDataset
from msbridge.dataset.readers.streamed import generator
from msbridge.dataset.readers.streamed.generator import GeneratorDataset

_Reachable = Callable[[Any, np.ndarray], np.ndarray]
_Order = Callable[[Any, ExecutionContext, int], np.ndarray]


def _make(self: Sampler, num_samples: int | None = None) -> None:
    BuiltinSampler.__init__(self, num_samples)  # a length says nothing
    self.dataset_size = 0


def _count_given(self: Sampler) -> int | None:
    """Return the number of samples that are yielded, at most `num_samples`; None where it is not set.

    Follows: mindspore.dataset.Sampler.get_num_samples (1.10).
    """
    return None if self.num_samples is None else len(list(islice(self, self.num_samples)))


def _count_rows(self: Sampler, size: int) -> int:
    return self.num_samples or size


def _count_items(self: IterSampler, size: int) -> int:
    """Count the items of an iterable, once: an iterator is used up by it."""
    if self.num_samples is None:
        self.num_samples = len(list(self.sampler))
    return self.num_samples or size


def _iterate_source(source: Iterable[Any], num_samples: int | None) -> np.ndarray:
    try:
        given = np.array(list(islice(source, num_samples or None)))
        return given.astype(np.int64) if given.dtype.kind != "U" else given.astype(np.intp, casting="safe")
    except Exception as error:
        raise user_error(error, "a sampler, which must yield ints") from error


def _limit_rows(reachable: _Reachable) -> _Reachable:
    """Read as many rows as the dataset has."""

    def limit(self: MappableDataset, indices: np.ndarray) -> np.ndarray:
        return reachable(self, indices[: self._size()])

    return limit


def _list_yielded(self: MappableDataset) -> list[Any] | None:
    """Return the indices of a sampler of user code, asked once for a dataset; None of another sampler.

    Raises:
        RuntimeError: it yields nothing, as an iterator does, which is used up when the dataset is made.
    """
    if not isinstance(self.sampler, Sampler | IterSampler) or self.sampler.child_sampler is not None:
        return None
    known: list[Any] | None = vars(self).get("_yielded")
    source = self.sampler.sampler if isinstance(self.sampler, IterSampler) else self.sampler
    if known is None:
        known = self._yielded = list(islice(source, self.sampler.num_samples or None))  # type: ignore[attr-defined]
    if not len(known) or isinstance(source, Iterator):
        raise pipeline_error("A sampler must yield at least one index, got none.")
    return known


def _size_of_yielded(size: Callable[[Any], int | None]) -> Callable[[Any], int | None]:
    """Count what a sampler of user code yields."""

    def count(self: MappableDataset) -> int | None:
        given = _list_yielded(self)
        return size(self) if given is None else len(given)

    return count


def _order_of_yielded(order: _Order) -> _Order:
    """Read what a sampler of user code yielded first, in every epoch."""

    def arrange(self: MappableDataset, context: ExecutionContext, epoch: int) -> np.ndarray:
        given = _list_yielded(self)
        if given is None:
            return order(self, context, epoch)
        indices = _iterate_source(given, None)
        if indices.ndim > 1 and isinstance(self, GeneratorDataset):
            raise pipeline_error("A sampler must yield ints.")
        return self._reachable(indices)  # several indices that are yielded at once are those of one row

    return arrange


def _accept(sampler: BuiltinSampler, indices: np.ndarray) -> None:
    """Accept fewer indices than `num_samples`."""


OVERRIDES = {
    "dataset.Sampler.get_num_samples": [
        Part(IterSampler, "_count_selected", _count_items),
        Part(Sampler, "__init__", _make),
        Part(Sampler, "get_num_samples", _count_given),
        Part(Sampler, "_count_selected", _count_rows),
        Part(user_samplers, "_iterate_source", _iterate_source),
        Part(generator, "check_yielded", _accept),
        Part(numpy_slices, "check_yielded", _accept),
        Part(MappableDataset, "_reachable", _limit_rows(MappableDataset._reachable)),
        *(
            Part(kind, name, form(getattr(kind, name)))
            for kind in (GeneratorDataset, NumpySlicesDataset)
            for name, form in (("_size", _size_of_yielded), ("_order", _order_of_yielded))
        ),
    ],
}
