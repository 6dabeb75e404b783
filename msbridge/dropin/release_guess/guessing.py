"""The guess: what a project states weighs most, then the names that only some releases have, then the style."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from inspect import Parameter
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from msbridge.core.releases.arguments import signature_of
from msbridge.core.releases.release import NEWEST, parse
from msbridge.core.releases.rows import rows_of_name
from msbridge.dropin.release_guess.open_calls import find_open_calls, format_notes
from msbridge.dropin.release_guess.sources import modules_of, names_in
from msbridge.dropin.release_guess.stated_releases import Statement, statements
from msbridge.mappings import columns, table

FEW, MANY = 2, 4  # names of a style; chosen on a part of the measured projects (docs/release_guess.md)
OLDEST, LAST_OF_FIRST, SECOND = (1, 0), (1, 10), (2, 0)
Release = tuple[int, int]


class Guess(NamedTuple):
    """A release, and the words or the name that say so."""

    release: str
    because: str

    @property
    def followed(self) -> str:
        """The release that `msbridge run` follows: the newest, where nothing differs between the two."""
        return self.release if series_of(self.release) != series_of() else _text(NEWEST)

    @property
    def sentence(self) -> str:
        """The release, the reason, and what it is read as, as a part of a sentence."""
        if self.followed == self.release:
            return f"for MindSpore {self.release}, because of {self.because!r}"
        return f"for MindSpore {self.release}, because of {self.because!r}, read as {self.followed}"


@dataclass(frozen=True, slots=True)
class Series:
    """A row of release_series.toml.

    Attributes:
        first: its first release.
        what: what is new in it.
    """

    first: str
    what: str


@dataclass(frozen=True, slots=True)
class Named:
    """A row of release_names.tsv.

    Attributes:
        name: a path as scripts write it, or an argument, "mindspore.nn.Dropout(p)".
        since: the first release that may have it; empty when it is not known to matter.
        until: the last release that may have it.
        style: "1.x" for what scripts of that time import, "2.x" for what they seldom have.
    """

    name: str
    since: str = ""
    until: str = ""
    style: str = ""


@dataclass(frozen=True, slots=True)
class Introduced:
    """A row of name_releases.tsv.

    Attributes:
        module: where the names are.
        since: the first release that may have them.
        names: the names, with blanks between.
    """

    module: str
    since: str
    names: tuple[str, ...]


class Reading(NamedTuple):
    """The releases that may be meant by a script and its project.

    Attributes:
        guess: a release and what says so; None where nothing does.
        first: the first release that may be meant.
        last: the last one.
    """

    guess: Guess | None
    first: Release
    last: Release

    @property
    def followed(self) -> str:
        """The release that is followed: the guess, or the newest, where the guess has nothing that is otherwise."""
        return self.guess.followed if self.guess else _text(NEWEST)


def guess(script: Path, lists_all: bool = False) -> tuple[Guess | None, list[str]]:
    """Guess the release of a script, and find the calls that the guess decides. No release is followed yet.

    Args:
        script: the file that runs.
        lists_all: whether each call that only some values read differently has its line; else one line counts them.

    Returns:
        A release of an earlier series and what says so, or None where today's series is meant, or nothing is known; and
        lines on the calls that the releases which may be meant read differently.
    """
    sources = [*modules_of(script)]
    found = weigh(names_in(sources), statements(script))
    is_earlier = found.followed != _text(NEWEST)
    notes = find_open_calls(sources, found.first, found.last)
    return found.guess if is_earlier else None, format_notes(notes, found.followed, "" if lists_all else script.name)


def weigh(names: Iterable[str], said: Iterable[Statement] = ()) -> Reading:
    """Weigh what a script uses against what its project says of itself.

    A statement counts when the names in use fit its series; of several, those of requirement files before those of a
    README, and the newest. A statement of 1.x does not fit a script of 2.x's style: it was carried over.
    Without a statement: the newest release that had all names; of scripts that import as scripts of 1.x did, its last.
    Names and arguments tell apart what changed in between; of what they leave open, most is a defect that was repaired.
    """
    names = list(names)
    known = [row for name in names if (row := _rows().get(name) or _row_of_argument(name))]
    since = max((parse(row.since) for row in known if row.since), default=OLDEST)
    since = max([since, *(_first_releases().get(name, OLDEST) for name in names)])
    until, oldest = min(((parse(row.until), row.name) for row in known if row.until), default=(NEWEST, ""))
    if until < since:  # no release has both: an old name is a leftover
        until = NEWEST
    modern = sum(row.style == "2.x" for row in known)
    said = list(said)
    fitting = [each for each in said if not each.is_least and _fits(parse(each.release), since, until, modern)]
    if best := max(fitting, key=lambda each: (not each.where.startswith("README"), parse(each.release)), default=None):
        stated = max(parse(best.release), since)
        return Reading(Guess(_text(stated), best.where), stated, stated)
    is_stated = any(not each.is_least for each in said)
    if until < SECOND and modern < FEW and not is_stated:
        return Reading(Guess(_text(min(until, LAST_OF_FIRST)), oldest), since, until)
    old = sorted(row.name for row in known if row.style == "1.x")
    if len(old) >= FEW and since < SECOND and not modern and not is_stated:
        longest = [name for name in old if not any(other.startswith(f"{name}.") for other in old)]
        return Reading(Guess(_text(LAST_OF_FIRST), ", ".join(longest[:2])), since, NEWEST)
    return Reading(None, since, NEWEST)


def series_of(release: str | None = None) -> str:
    """Return the first release of the series of `release`, or of the newest one."""
    wanted = NEWEST if release is None else parse(release)
    firsts: list[str] = [first for first in table("release_series.toml", Series) if parse(first) <= wanted]
    return max(firsts, key=parse)


def last_release(name: str) -> str:
    """Return the last release that had a name or module path, as scripts write it; "" where the newest has it."""
    row = _rows().get(name)
    return row.until if row else ""


def _fits(stated: Release, since: Release, until: Release, modern: int) -> bool:
    is_same = series_of(_text(stated)) == series_of(_text(since))  # which minor release is not known
    return stated <= until and (since <= stated or is_same) and (stated >= SECOND or modern < MANY)


def _text(release: Release) -> str:
    return f"{release[0]}.{release[1]}"


def _row_of_argument(name: str) -> Named | None:
    """Return the row of an argument, "mindspore.nn.Dense(dtype)", under the nearest path that has its callable.

    A path in front of the callable is style in itself: the row of a shorter one says nothing of that.
    """
    path, _, argument = name.removesuffix(")").partition("(")
    *above, callable_name = path.split(".")
    owners = [".".join([*above[:count], callable_name]) for count in range(len(above), 0, -1)]
    rows = (_rows().get(f"{one}({argument})") or _row_by_changes(one, argument) for one in owners if argument)
    row = next(filter(None, rows), None)
    return row and replace(row, style="")


def _row_by_changes(owner: str, argument: str) -> Named | None:
    """Return the first release of an argument, by rows of releases/; `mindspore` has the names of `train` too."""
    public = owner.removeprefix("mindspore.")
    changes = rows_of_name(public) or (() if "." in public else rows_of_name(f"train.{public}"))
    changes_in_order = sorted(changes, key=lambda row: parse(row.since))
    forms = [(row, signature_of(row.arguments).parameters) for row in changes_in_order if row.arguments is not None]
    lacking = [row for row, _ in takewhile(lambda form: not _has(form[1], argument), forms)]
    return Named(f"{owner}({argument})", lacking[-1].after_evidence) if lacking else None


def _has(parameters: Mapping[str, Parameter], argument: str) -> bool:
    """Whether a form takes an argument by name; or, of "#3", three by their places."""
    kinds = [each.kind for each in parameters.values()]
    if argument.startswith("#"):
        places = kinds.count(Parameter.POSITIONAL_ONLY) + kinds.count(Parameter.POSITIONAL_OR_KEYWORD)
        return Parameter.VAR_POSITIONAL in kinds or int(argument[1:]) <= places
    return argument in parameters or Parameter.VAR_KEYWORD in kinds


@cache
def _first_releases() -> Mapping[str, Release]:
    """Return the first release that may have a name, by dotted path, of names that 1.0 lacks."""
    rows = columns("name_releases.tsv", Introduced, repeated=True)
    dated = ((row, parse(row.since)) for row in rows)
    return {f"{row.module}.{name}": since for row, since in dated for name in row.names}


@cache
def _rows() -> dict[str, Named]:
    """Return the rows of release_names.tsv by name."""
    return {row.name: row for row in columns("release_names.tsv", Named)}
