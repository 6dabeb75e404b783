"""Samplers of user code of 1.10: a dataset has as many rows as its source, unless a sampler has `num_samples`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.dataset.engine.sampling.user_samplers import IterSampler, Sampler
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.readers.indexed.generic.numpy_slices import NumpySlicesDataset
from msbridge.dataset.readers.source import MappableDataset
from msbridge.dataset.readers.streamed.generator import GeneratorDataset

_Reachable = Callable[[Any, np.ndarray], np.ndarray]


def _complete(reachable: _Reachable) -> _Reachable:
    """Read as many rows as the dataset has, and refuse fewer."""

    def complete(self: MappableDataset, indices: np.ndarray) -> np.ndarray:
        size = self._size()
        if size is not None and len(indices) < size and isinstance(self.sampler, Sampler | IterSampler):
            raise pipeline_error(f"A sampler yielded {len(indices)} of {size} rows.")
        return reachable(self, indices[:size])

    return complete


OVERRIDES = {
    "dataset.Sampler.get_num_samples": [
        *(
            Part(kind, name, getattr(kind, name))  # today's
            for kind in (GeneratorDataset, NumpySlicesDataset)
            for name in ("_size", "_order")
        ),
        Part(GeneratorDataset, "_reachable", _complete(GeneratorDataset._reachable)),
        Part(NumpySlicesDataset, "_reachable", _complete(NumpySlicesDataset._reachable)),
    ],
}
