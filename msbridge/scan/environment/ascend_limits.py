"""The rows of ascend_limits.tsv: what the documentation of MindSpore 2.10.0 says an Ascend lacks."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from msbridge.mappings import columns

__all__ = ["EVERYTHING", "PAGES", "Limit", "limits"]

EVERYTHING = "*"
PAGES = "the API pages of MindSpore 2.10.0"


@dataclass(frozen=True, slots=True)
class Limit:
    """A row of ascend_limits.tsv."""

    name: str  # a public path, such as ops.TopK
    lacks: tuple[str, ...]  # dtypes of the first argument, or "*": an Ascend has no such operator

    @property
    def is_absent(self) -> bool:
        """Whether an Ascend lacks the operator."""
        return EVERYTHING in self.lacks


@cache
def limits() -> Mapping[str, Limit]:
    """Return the rows by name."""
    rows: tuple[Limit, ...] = columns("ascend_limits.tsv", Limit)
    return {row.name: row for row in rows}
