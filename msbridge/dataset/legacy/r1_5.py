"""Data processing of 1.5: a row of a generator is anything that can be iterated, a dictionary too."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.dataset.legacy import r1_8
from msbridge.dataset.readers.streamed.generator import GeneratorDataset


def _values(self: GeneratorDataset, row: Any, is_lent: bool = False) -> list[Any]:
    """Return the values of a row as arrays; those of a dictionary are its keys."""
    return r1_8.values_of(self, tuple(row))


OVERRIDES = {"dataset.GeneratorDataset": Part(GeneratorDataset, "_values", _values)}
