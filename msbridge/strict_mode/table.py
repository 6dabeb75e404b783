"""The table of refused calls, `mappings/refused_calls.tsv.xz`: what MindSpore 2.10.0 refuses on a CPU, and we compute.

A row is a face, the class of error, and the features that are refused together. Written by
`python -m tests.oracle.refused_calls`, which asked the real one; nobody writes a row by hand.
"""

import lzma
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from msbridge.mappings.tables import FOLDER

__all__ = ["NAME", "Refusal", "format_rows", "read_recorded"]

CPU = "MindSpore 2.10.0 on a CPU"
NAME = "refused_calls.tsv.xz"


class Refusal(NamedTuple):
    """A row: the features that a refused call has, and the class of the error."""

    features: frozenset[str]
    error: str
    source: str = CPU  # who refuses it


@cache
def read_recorded() -> Mapping[str, tuple[Refusal, ...]]:
    """Return the rows by face."""
    text = lzma.decompress((FOLDER / NAME).read_bytes()).decode()
    rows: dict[str, list[Refusal]] = {}
    face = ""
    for line in text.splitlines():
        name, error, features = line.split("\t")
        face = name or face
        rows.setdefault(face, []).append(Refusal(frozenset(features.split()), error))
    return {name: tuple(several) for name, several in rows.items()}


def format_rows(rows: Mapping[str, Iterable[Refusal]]) -> bytes:
    """Return the file of a table: the same rows give the same bytes."""
    lines = []
    for face in sorted(rows):
        ordered = sorted((row.error, *sorted(row.features)) for row in rows[face])
        for index, (error, *features) in enumerate(ordered):
            lines.append(f"{'' if index else face}\t{error}\t{' '.join(features)}\n")
    return lzma.compress("".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)
