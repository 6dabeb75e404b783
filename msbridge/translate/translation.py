"""Records of a translation: the new source, and the kind of change of every line."""

import difflib
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

__all__ = ["Kind", "Line", "Translation", "UntranslatableError"]


class Kind(StrEnum):
    """Kind of change of a line; of several changes the last in this order counts."""

    SAME = "same"  # nothing
    RENAMED = "renamed"  # names only
    REWRITTEN = "rewritten"  # arguments, or the form
    BY_HAND = "by hand"  # somebody has to decide; the line above says what


class UntranslatableError(Exception):
    """A text that is not Python, or that has nothing of the framework."""


@dataclass(frozen=True, slots=True)
class Line:
    """Record of a line of the source."""

    number: int  # of the source, from 1
    kind: Kind
    reasons: tuple[str, ...] = ()  # what was changed or has to be decided
    output: int = 0  # the first line of the translation that it became, from 1


@dataclass(frozen=True, slots=True)
class Translation:
    """A translated source."""

    source: str  # the translation
    lines: tuple[Line, ...]  # of the text that was translated
    before: str = field(repr=False, default="")  # that text

    def count(self, kind: Kind) -> int:
        """Return the number of lines of a kind."""
        return Counter(line.kind for line in self.lines)[kind]

    @property
    def by_hand(self) -> tuple[Line, ...]:
        """The lines that are left to somebody."""
        return tuple(line for line in self.lines if line.kind is Kind.BY_HAND)

    def diff(self, name: str = "model.py") -> str:
        """Return the change as a unified diff."""
        before, after = (text.splitlines(keepends=True) for text in (self.before, self.source))
        return "".join(difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"))
