"""Inspection of a checkpoint, and the differences of two, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msbridge.converters.checkpoint import Checkpoint
from msbridge.converters.names.conventions import naming_of
from msbridge.converters.options import Options
from msbridge.converters.planning import plan
from msbridge.converters.tensors.entry import Entry
from msbridge.converters.tensors.statistics import difference, statistics

__all__ = ["Differences", "differences", "entry_rows", "summary"]


@dataclass(frozen=True, slots=True)
class Differences:
    """The differences of two checkpoints."""

    mapped: str  # how the names of the second were mapped to those of the first; "" where they were not
    equal: int  # how many entries are equal bit for bit
    changed: Mapping[str, Mapping[str, Any]]  # the others, by name


def entry_rows(checkpoint: Checkpoint, with_statistics: bool) -> dict[str, dict[str, Any]]:
    """Return the type, shape and bytes of every entry, and the value of a text or the statistics of numbers."""
    return {
        name: {"type": one.type, "shape": list(one.shape), "bytes": one.nbytes}
        | ({"value": one.text()} if one.is_text else statistics(one) if with_statistics else {})
        for name, one in checkpoint.entries.items()
    }


def summary(checkpoint: Checkpoint, rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return a checkpoint and its rows as what JSON can hold."""
    return {
        "file": str(checkpoint.path),
        "format": checkpoint.format,
        "bytes": checkpoint.nbytes,
        "tensors": rows,
        "metadata": checkpoint.metadata,
        "skipped": checkpoint.skipped,
        "files": list(map(str, checkpoint.shards)),
    }


def differences(first: Checkpoint, other: Checkpoint) -> Differences:
    """Compare names, types, shapes and values of two checkpoints."""
    others, mapped = _under_names_of(first, other)
    names = dict.fromkeys([*first.entries, *others])
    found = {name: difference(first.entries.get(name), others.get(name)) for name in names}
    changed = {name: row for name, row in found.items() if row["status"] != "equal"}
    return Differences(mapped, len(found) - len(changed), changed)


def _under_names_of(one: Checkpoint, other: Checkpoint) -> tuple[Mapping[str, Entry], str]:
    """Return the second checkpoint's entries under names as the first has them, and what was mapped."""
    there, here = naming_of(other), naming_of(one)
    if there == here or other.entries.keys() == one.entries.keys():
        return other.entries, ""
    planned = plan(other, Options(to=here, of=there))
    guessed = sum(outcome.guessed for outcome in planned.outcomes)
    owners = {"torch": "torch's", "mindspore": "MindSpore's"}
    text = f"The second's names are {owners[there]}; it was compared under {owners[here]}, {guessed} of them guessed."
    return {entry.name: entry for entry in planned.entries}, text
