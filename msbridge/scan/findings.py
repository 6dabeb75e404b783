"""Findings of a scan, as values. Sentences are made of them in `messages.py`."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["SUMMARIES", "Finding", "Level", "Named", "Rule"]

# What a scan can look for, in sections.
SUMMARIES = {
    "names": "MindSpore names that msbridge lacks or that differ, and the release",
    "graph": "what a real graph mode refuses or changes",
    "ascend": "what only an Ascend has",
    "data": "absolute data paths in the source",
    "packages": "third-party packages, and whether they are installed",
    "torch": "instead: torch names and their MindSpore counterparts",
}


class Level(StrEnum):
    """The severity of a finding, the gravest first."""

    REFUSED = "refused"
    CHANGED = "changed"
    FALLBACK = "fallback"
    ADVICE = "advice"

    @property
    def rank(self) -> int:
        """Its place among the levels, 0 for the gravest."""
        return list(Level).index(self)


@dataclass(frozen=True, slots=True)
class Rule:
    """Something that a section looks for.

    Attributes:
        id: its name, which a comment can ignore.
        level: what becomes of such code.
        what: what was found.
        why: what becomes of it.
        fix: what to write instead.
    """

    id: str
    level: Level
    what: str
    why: str
    fix: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A place that a rule fits.

    Attributes:
        rule: which rule.
        path: the file, as it was given or found.
        line: counted from 1.
        column: counted from 1, in characters.
        excerpt: the source line, without its indentation.
        reached: how the place comes to be compiled: the functions from the first one to that of the place.
    """

    rule: Rule
    path: str
    line: int
    column: int
    excerpt: str
    reached: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Named:
    """A name of MindSpore that the files use."""

    name: str  # its path, as it is written
    state: str  # "available"; "different" where it is here, but not in the newest MindSpore; "missing"
    uses: int  # how often
    path: str  # the file of the first use
    line: int  # the line of the first use
    rule: Rule | None = None  # what there is to say of it, unless it is available
