"""Rows of `mappings/releases/`: what a release changed, by the public name that users write.

A *default* is a value that a release changed (`was`, `now`). An *override* is another function or class: one of the
room's `legacy/` files (`legacy`), today's with the arguments of then (`arguments`), today's after checks (`checks`).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from msbridge.core.releases import release
from msbridge.mappings import tables

Value = TypeVar("Value")
ROOMS = ("core", "dataset", "nn", "numpy", "ops", "scipy", "train")

_EVIDENCE = re.compile(r"(expression|source|(cases|arguments) (?P<release>\d+\.\d+\.\d+))(; .+)?")
KINDS = frozenset(["None", "Tensor", "bool", "dict", "dtype", "enum", "float", "int", "list", "str", "tuple"])
SEEN = ("", "every call", "values", "rare", "refusals", "text", "memory", "gone")
AFFECTED = frozenset(("given", "true", "pair", "tensor", "groups", "mixed list"))
ERRORS = frozenset(("AttributeError", "KeyError", "ValueError"))


@dataclass(frozen=True, slots=True)
class ArgumentCheck:
    """The check of a constructor's argument; a table writes `"int tuple"` where only types are checked.

    Attributes:
        kinds: names of types, with blanks between; "enum" is a word of MindSpore's enumerations.
        one_of: the values allowed; of a dtype its names.
        lengths: the lengths allowed.
        sizes: the lengths of a tuple whose items are ints of `least` or more, unless given of 1 or more, as an int is.
        above: the bound that a number must exceed.
        least: the lowest number allowed.
        most: the highest number allowed.
        below: the bound that a number must stay under.
        error: the class of the error, where it is neither TypeError nor ValueError by what is wrong.
    """

    kinds: str = ""
    one_of: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    above: int | float | None = None
    least: int | float | None = None
    most: int | float | None = None
    below: int | float | None = None
    error: str = ""

    def __post_init__(self) -> None:
        if unknown := set(self.kinds.split()) - KINDS:
            raise ValueError(f"unknown kinds {sorted(unknown)}; known are {sorted(KINDS)}.")
        if self.error and self.error not in ERRORS:
            raise ValueError(f"unknown error {self.error!r}; known are {sorted(ERRORS)}.")


Checks = Mapping[str, str | ArgumentCheck]
"""Checks of arguments by their names."""


def refuse_unknown(checks: Checks) -> None:
    """Look at checks that are nothing but kinds.

    Raises:
        ValueError: a kind is unknown.
    """
    for asked in checks.values():
        if isinstance(asked, str):
            ArgumentCheck(asked)


@dataclass(frozen=True, slots=True)
class Row:
    """A change that a release made.

    Attributes:
        name: the public name: "ops.max", "Tensor.sum", "train.Model.train.dataset_sink_mode"; in a table, several.
        since: the first release with today's form, or with that of the next row of the name.
        evidence: where the form before was seen: "cases 2.0.0" (recorded cases of a release use the name), "arguments
            1.0.0" (recorded arguments), "expression" (it was run in both releases), "source" (read, not run); a remark
            may follow a semicolon.
        was: the form before: of a default the value; of an override a sentence, or what `expression` returned.
        now: the form since then, alike.
        legacy: the release whose `legacy/` file has the form before; it was run there.
        arguments: the arguments before, as a signature; `...` represents today's default.
        rename: argument before → today's, where neither name nor position decides; "" for one that has no effect.
        checks: what the constructor asked of arguments at once.
        expression: what returned `was` before and returns `now` since.
        fails: how errors read of code that expects the form before; unless given, of code that expects another dtype.
        in_error: the form is seen in the error only: no call in the script shows it.
        seen: of `legacy`, in which calls it is seen, beside those whose arguments go elsewhere: in "every call"; by
            "values" or dtypes that a call's text does not show; only by "rare" ones (out of range, empty, NaN, private
            names); only where one form refuses what the other takes ("refusals"); only in printed "text", names and
            attributes; only in what shares "memory"; in no call of today's: "gone". Scripts hear of the first two.
        affects: of "values": argument → what its value has to be where a call sees the change: "given", "true", "pair",
            "tensor", "groups", "mixed list"; one of them suffices (`msbridge/dropin/release_guess/affected_calls.py`).
        mentions: of "values": words, of which a script that sees the change has one: names, or texts.
        repairs: the form before was a defect: no script means it, and a guess prefers the release that repaired it.
    """

    name: str
    since: str
    evidence: str
    was: Any = ""
    now: Any = ""
    legacy: str = ""
    arguments: str | None = None
    rename: Mapping[str, str] = field(default_factory=dict)
    checks: Checks = field(default_factory=dict)
    expression: str = ""
    fails: str = ""
    in_error: bool = False
    seen: str = ""
    affects: Mapping[str, str] = field(default_factory=dict)
    mentions: str = ""
    repairs: bool = False

    def __post_init__(self) -> None:
        since = release.parse(self.since)
        evidence = _EVIDENCE.fullmatch(self.evidence)
        if not evidence or (evidence["release"] and release.parse(evidence["release"]) >= since):
            raise ValueError(f"{self.name}: {self.evidence!r} is no evidence of a form before {self.since}.")
        refuse_unknown(self.checks)
        if self.legacy and self.arguments is not None:
            raise ValueError(f"{self.name}: `legacy` has the arguments already.")
        if self.seen not in SEEN or (self.seen and not self.legacy):
            raise ValueError(f"{self.name}: `seen` is one of {SEEN}, of a row with `legacy`.")
        if (self.affects or self.mentions) and self.seen != "values":
            raise ValueError(f"{self.name}: `affects` and `mentions` say which values see the change.")
        if not set(self.affects.values()) <= AFFECTED:
            raise ValueError(f"{self.name}: `affects` has {self.affects!r}, known are {sorted(AFFECTED)}.")
        if self.legacy and not self.was:
            raise ValueError(f"{self.name}: `was` has to say what `legacy` does.")

    @property
    def after_evidence(self) -> str:
        """The first release that may have today's form: the one after that of the evidence."""
        seen = _EVIDENCE.fullmatch(self.evidence)
        return release.after(seen["release"]) if seen and seen["release"] else self.since

    @property
    def is_default(self) -> bool:
        """Whether the row changes a value."""
        return not self.legacy and self.arguments is None and not self.checks


@cache
def rows_of(room: str) -> Mapping[str, tuple[Row, ...]]:
    """Return the rows of a room ("ops") by public name; a key of the table may be several names that changed alike."""
    rows: dict[str, tuple[Row, ...]] = {}
    for names, several in tables(f"releases/{room}.toml", Row).items():
        for name in names.split():
            rows[name] = (*rows.get(name, ()), *(replace(row, name=name) for row in several))
    return MappingProxyType(rows)


def rows_of_name(name: str) -> tuple[Row, ...]:
    """Return the rows of a public name, "ops.max" or "Tensor.sum", of any room."""
    return tuple(row for room in ROOMS for row in rows_of(room).get(name, ()))


def every() -> list[Row]:
    """Return the rows of all rooms."""
    return [row for room in ROOMS for rows in rows_of(room).values() for row in rows]


def pending(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of a name whose change the followed release does not have yet, the first change first."""
    return sorted((row for row in rows if not release.at_least(row.since)), key=lambda row: release.parse(row.since))


class Default(Generic[Value]):
    """A value that releases changed: `value` is that of the followed release, put there when the release is chosen.

    Args:
        name: of its rows.
        newest: today's value.
    """

    __slots__ = ("name", "newest", "value")

    def __init__(self, name: str, newest: Value) -> None:
        self.name, self.newest, self.value = name, newest, newest
        _defaults.append(self)
        _fill([self])

    def __repr__(self) -> str:
        return f"Default({self.name!r}, {self.newest!r})"


_defaults: list[Default[Any]] = []


def _fill(defaults: Iterable[Default[Any]]) -> None:
    is_newest = release.release() == release.NEWEST
    for each in defaults:
        rows = () if is_newest else rows_of_name(each.name)
        changes = pending(row for row in rows if row.is_default)
        each.value = changes[0].was if changes else each.newest


release.follow(lambda: _fill(_defaults))
