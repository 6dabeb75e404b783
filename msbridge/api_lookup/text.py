"""Entries as lines for a terminal."""

import textwrap
from collections.abc import Iterator

from msbridge.api_lookup.entry import Change, Entry, Torch

__all__ = ["lines_of"]

WIDTH = 110
TAIL = "Follows:"  # what docstrings say of their source, which the path says already


def lines_of(entry: Entry, is_short: bool = False) -> Iterator[str]:
    """Yield the lines of an entry: what it is called, its text, the releases, torch, and what is not here.

    Args:
        entry: what is known of a name.
        is_short: leave the text out but for its first line.
    """
    yield f"{entry.path}{entry.signature}"
    text = entry.text.partition(TAIL)[0].rstrip()
    shown = text.splitlines()[:1] if is_short else text.splitlines()
    yield from (f"  {line}".rstrip() for line in shown)
    if entry.absent:
        yield from _indent(entry.absent)
    if entry.last_release:
        yield from _indent(f"The last release that has it is {entry.last_release}.")
    if entry.changes:
        yield from ("", "releases")
        for change in entry.changes:
            yield from _indent(*_change(entry.path, change))
    if entry.torch:
        yield from ("", "torch")
        for row in entry.torch:
            yield from _indent(_torch(row))
    if entry.without_effect:
        yield from ("", "accepted without effect")
        yield from _indent(*entry.without_effect)


def _change(path: str, change: Change) -> Iterator[str]:
    """Yield the line of the form before a release."""
    before = f"{path.rpartition('.')[2]}{change.before}" if change.before else ""
    meanings = [each if each.endswith(".") else f"{each}." for each in change.meanings]
    yield f"before {change.since}: {'  '.join(filter(None, (before, *meanings)))}"


def _torch(row: Torch) -> str:
    written = [f"`msbridge translate` writes {row.written}"] if row.written else []
    return f"{row.name}: {'; '.join([*row.differences, *written]) or 'the same arguments'}"


def _indent(*paragraphs: str) -> Iterator[str]:
    """Yield lines of text with an indent; long ones are continued below their beginning."""
    for paragraph in paragraphs:
        yield from textwrap.wrap(
            paragraph, WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False
        )
