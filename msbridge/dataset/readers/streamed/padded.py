"""PaddedDataset: a few rows that even out the shards of another dataset."""

from typing import Any

from msbridge.core.checks.arguments import require_type
from msbridge.dataset.readers.streamed.generator import GeneratorDataset

__all__ = ["PaddedDataset"]


class PaddedDataset(GeneratorDataset):
    """Rows from a script, to be concatenated with others whose number shards do not divide.

    Args:
        padded_samples: one dict from column names to values for each row.

    Raises:
        TypeError: it is not a list of dicts.
        ValueError: it is empty.

    Follows: mindspore.dataset.PaddedDataset (2.10).
    """

    def __init__(self, padded_samples: list[dict[str, Any]]) -> None:
        if not padded_samples:
            raise ValueError("padded_samples cannot be empty.")
        for sample in require_type(padded_samples, "padded_samples", list):
            require_type(sample, "padded_element", dict)
        names = list(padded_samples[0])
        super().__init__(_Samples(padded_samples, names), names, shuffle=False)
        self.padded_samples = padded_samples


class _Samples:
    """The rows as tuples in the order of the columns."""

    def __init__(self, samples: list[dict[str, Any]], names: list[str]) -> None:
        self._samples, self._names = samples, names

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        return tuple(self._samples[index][name] for name in self._names)

    def __len__(self) -> int:
        return len(self._samples)
