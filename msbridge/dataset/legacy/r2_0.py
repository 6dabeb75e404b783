"""Data processing of 2.0: what a Python sampler, a batch and an iterator gave."""

from collections.abc import Sequence
from copy import copy
from functools import wraps
from typing import Any

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import wrap
from msbridge.dataset.engine import iterators
from msbridge.dataset.engine.in_memory_rows import ArrayRows, Fetch
from msbridge.dataset.engine.operators import batch
from msbridge.dataset.engine.sampling import user_samplers
from msbridge.dataset.engine.sampling.samplers import DistributedSampler
from msbridge.dataset.readers.indexed.generic import numpy_slices
from msbridge.dataset.readers.indexed.generic.mindrecord import MindDataset
from msbridge.dataset.readers.streamed.generator import GeneratorDataset


def _columns(results: Any, count: int) -> Sequence[Any]:
    """Return the columns that `per_batch_map` returned: a tuple, list or array of them."""
    return list(results) if isinstance(results, tuple | list | np.ndarray) else [results]


def _rows(column: Any) -> Fetch:
    """Return the rows of a column; they do not share the memory of an array."""
    return _today_rows(np.array(column) if isinstance(column, np.ndarray) else column)


def lend_nothing(rows: Fetch) -> Fetch:
    """Return rows that are copied whenever they are read."""
    if isinstance(rows, ArrayRows):
        rows.is_lent = False
    return rows


class _Blocks(DistributedSampler):
    """One block of neighbouring rows of each shard; the last ones begin again with the first row."""

    def _places(self, size: int) -> np.ndarray:
        per_shard = -(-size // self.num_shards)
        return (self.shard_id * per_shard + np.arange(per_shard)) % max(size, 1)


@wraps(MindDataset.__init__)
def _mind_dataset(self: MindDataset, *args: Any, **kwargs: Any) -> None:
    """Construct the dataset, whose shards are blocks of neighbouring rows."""
    _today_mind_dataset(self, *args, **kwargs)
    if type(self.sampler) is DistributedSampler:
        self.sampler = copy(self.sampler)
        self.sampler.__class__ = _Blocks


def _values(self: GeneratorDataset, row: Any, is_lent: bool = False) -> list[Any]:
    """Return the values of a row as arrays that share no memory with them."""
    return _today_values(self, row)


_today_rows, _today_mind_dataset = numpy_slices._rows, MindDataset.__init__
_today_values = GeneratorDataset._values
OVERRIDES = {
    "dataset.Dataset.batch": Part(batch, "unpack_columns", _columns),
    "dataset.Dataset.create_dict_iterator": Part(iterators, "wrap_numpys", wrap),
    "dataset.GeneratorDataset": Part(GeneratorDataset, "_values", _values),
    "dataset.MindDataset": Part(MindDataset, "__init__", _mind_dataset),
    "dataset.NumpySlicesDataset": Part(numpy_slices, "_rows", lambda column: lend_nothing(_rows(column))),
    "dataset.Sampler": Part(user_samplers, "_whole", int),  # a Python sampler may give fractions
}
