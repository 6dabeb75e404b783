"""Calls whose meaning depends on the release, where a script leaves the release open.

A call counts by its public name (ops.split, Tensor.norm); a row of `mappings/releases/` has its change; the change lies
between the releases that may be meant; and both forms take the call, and read it differently: certainly, or for some
values, which its text does not show.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msbridge
from msbridge.core.releases.release import parse
from msbridge.core.releases.rows import rows_of_name
from msbridge.dropin.release_guess.affected_calls import Script
from msbridge.dropin.release_guess.call_forms import changes_of, shorten
from msbridge.dropin.release_guess.receivers import Receivers
from msbridge.dropin.release_guess.sources import Source

__all__ = ["MAX_NOTES", "Note", "calls_of", "find_open_calls", "format_notes"]

MAX_NOTES = 20  # lines of notes that are written; of more, the count
MAX_NAMES = 4  # of calls that may be read differently, where they are only counted
MAX_CALL = 60  # characters of a call in a note
_ROOMS = ("dataset", "mindrecord", "nn", "numpy", "ops", "train")
Release = tuple[int, int]


class Note(NamedTuple):
    """A call that releases read differently.

    Attributes:
        where: the file, relative to the script's folder, and the line.
        call: its text, shortened.
        reading: how both forms read it.
        name: the public name, where only some values are read differently; "" where all are.
    """

    where: str
    call: str
    reading: str
    name: str = ""


def find_open_calls(sources: Iterable[Source], first: Release, last: Release) -> list[Note]:
    """Find the calls that the releases from `first` to `last` read differently, by line.

    No release is followed yet: today's forms are compared with those of `legacy/`.
    """
    notes = []
    sources = list(sources)
    script = Script(sources)
    for source in sources if first < last else ():
        lines: set[int] = set()
        possible: set[tuple[int, str]] = set()
        for name, call in sorted(calls_of(source), key=lambda each: each[1].lineno):
            if not any(first < parse(row.since) <= last for row in rows_of_name(name)):
                continue
            msbridge.hand_out()  # Tensors have their methods from then on
            for change in changes_of(name):
                if not first < parse(change.row.since) <= last:
                    continue
                where, text = f"{source.name}:{call.lineno}", shorten(call, MAX_CALL)
                if call.lineno not in lines and (reading := change.difference(call)):
                    lines.add(call.lineno)
                    notes.append(Note(where, text, reading))
                elif (call.lineno, name) not in possible and (reading := change.possible_difference()):
                    if not script.may_affect(change.row, source, call, change.before or change.since):
                        continue
                    possible.add((call.lineno, name))
                    notes.append(Note(where, text, reading, name))
    return notes


def calls_of(source: Source) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of names that a release changed: the public name, and the call."""
    if not source.names.wanted:
        return
    receivers = Receivers(source.names)
    for call in source.names.nodes.of(ast.Call):
        path = source.names.path(call.func) or receivers.path(call)
        for name in public_names(path) if path else ():
            yield name, call


def public_names(path: str) -> list[str]:
    """Return the names in the rows of a path as scripts write it, "mindspore.ops.operations.Split", and its parts."""
    name = path.removeprefix("mindspore.")
    room, last = name.partition(".")[0], name.rpartition(".")[2]
    shorter = [f"{room}.{last}"] if room in _ROOMS else [last]
    for each in (name, *shorter, f"{room}.{last}"):
        parts = [each, f"{each}.__init__", f"{each}.construct"] if last[:1].isupper() else [each]
        if found := [part for part in parts if rows_of_name(part)]:
            return found
    return []


def format_notes(notes: list[Note], followed: str, script: str = "") -> list[str]:
    """Return lines for the user: calls alike together, at most some.

    Args:
        notes: the calls.
        followed: the release that is followed.
        script: named in the one line that counts the calls which only some values read differently; each has a line
            of its own where it is empty.
    """
    certain = [note for note in notes if not (note.name and script)]
    places: Mapping[tuple[str, str], list[str]] = defaultdict(list)
    for note in certain:
        places[note.call, note.reading].append(note.where)
    lines = [
        f"{where[0]}: {call}: {reading}; read as in {followed} (guessed)"
        + (f" ({len(where) - 1} more such)" if len(where) > 1 else "")
        for (call, reading), where in places.items()
    ]
    more = len(lines) - MAX_NOTES
    lines = (
        lines
        if more <= 0 or not script
        else [*lines[:MAX_NOTES], f"{more} more calls mean something else in other releases."]
    )
    possible = [note for note in notes if note.name and script]
    return [*lines, _count(possible, followed, script)] if possible else lines


def _count(notes: list[Note], followed: str, script: str) -> str:
    """Return the line on calls of which only some values are read differently."""
    firsts = {note.name: note.where for note in reversed(notes)}
    names = [
        f"{name.removesuffix('.construct').removesuffix('.__init__')} at {where}"
        for name, where in reversed(firsts.items())
    ]
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    listed = f"{', '.join(names[:MAX_NAMES])}{more}"
    return (
        f"{listed}: may return other dtypes or values in another release that fits; read as in {followed} "
        f"(guessed; `msbridge doctor {script}` shows them, --release chooses)."
    )
