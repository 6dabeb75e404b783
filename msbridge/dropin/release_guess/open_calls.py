"""Calls whose meaning depends on the release, where a script leaves the release open.

A call counts by its public name (ops.split, Tensor.norm); a row of `mappings/releases/` has its change; the change lies
between the releases that may be meant; and both forms take the call, and read it differently.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msbridge
from msbridge.core.releases.release import parse
from msbridge.core.releases.rows import rows_of_name
from msbridge.dropin.release_guess.call_forms import changes_of, shorten
from msbridge.dropin.release_guess.receivers import Receivers
from msbridge.dropin.release_guess.sources import Source

__all__ = ["MAX_NOTES", "Note", "calls_of", "find_open_calls", "format_notes"]

MAX_NOTES = 20  # lines of notes that are written; of more, the count
MAX_CALL = 60  # characters of a call in a note
_ROOMS = ("dataset", "mindrecord", "nn", "numpy", "ops", "train")
Release = tuple[int, int]


class Note(NamedTuple):
    """A call that releases read differently.

    Attributes:
        where: the file, relative to the script's folder, and the line.
        call: its text, shortened.
        reading: how both forms read it.
    """

    where: str
    call: str
    reading: str


def find_open_calls(sources: Iterable[Source], first: Release, last: Release) -> list[Note]:
    """Find the calls that the releases from `first` to `last` read differently, by line.

    No release is followed yet: today's forms are compared with those of `legacy/`.
    """
    notes = []
    for source in sources if first < last else ():
        lines: set[int] = set()
        for name, call in sorted(calls_of(source), key=lambda each: each[1].lineno):
            if not any(first < parse(row.since) <= last for row in rows_of_name(name)):
                continue
            msbridge.hand_out()  # Tensors have their methods from then on
            for change in changes_of(name):
                is_open = first < parse(change.row.since) <= last
                if is_open and call.lineno not in lines and (reading := change.difference(call)):
                    lines.add(call.lineno)
                    notes.append(Note(f"{source.name}:{call.lineno}", shorten(call, MAX_CALL), reading))
    return notes


def calls_of(source: Source) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of names that a release changed: the public name, and the call."""
    if not source.names.wanted:
        return
    receivers = Receivers(source.names)
    for call in source.names.nodes.of(ast.Call):
        path = source.names.path(call.func) or receivers.path(call)
        if path and (name := public_name(path)):
            yield name, call


def public_name(path: str) -> str:
    """Return the name in the rows of a path as scripts write it, "mindspore.ops.operations.Split"; "" without a row."""
    name = path.removeprefix("mindspore.")
    room, last = name.partition(".")[0], name.rpartition(".")[2]
    shorter = [f"{room}.{last}"] if room in _ROOMS else [last]
    return next((each for each in (name, *shorter, f"{room}.{last}") if rows_of_name(each)), "")


def format_notes(notes: list[Note], followed: str) -> list[str]:
    """Return lines for the user: calls alike together, at most some."""
    places: Mapping[tuple[str, str], list[str]] = defaultdict(list)
    for note in notes:
        places[note.call, note.reading].append(note.where)
    lines = [
        f"{where[0]}: {call}: {reading}; read as of {followed}, guessed"
        + (f" ({len(where) - 1} more such)" if len(where) > 1 else "")
        for (call, reading), where in places.items()
    ]
    more = len(lines) - MAX_NOTES
    return lines if more <= 0 else [*lines[:MAX_NOTES], f"{more} more calls are read otherwise in other releases."]
