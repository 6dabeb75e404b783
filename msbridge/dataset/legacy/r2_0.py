"""Data processing of 2.0: what a Python sampler, a batch and an iterator gave."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import wrap
from msbridge.dataset.engine import iterators
from msbridge.dataset.engine.operators import batch
from msbridge.dataset.engine.sampling import user_samplers


def _columns(results: Any, count: int) -> Sequence[Any]:
    """Return the columns that `per_batch_map` returned: a tuple, list or array of them."""
    return list(results) if isinstance(results, tuple | list | np.ndarray) else [results]


OVERRIDES = {
    "dataset.Dataset.batch": Part(batch, "returned_columns", _columns),
    "dataset.Dataset.create_dict_iterator": Part(iterators, "wrap_numpys", wrap),
    "dataset.Sampler": Part(user_samplers, "_whole", int),  # a Python sampler may give fractions
}
