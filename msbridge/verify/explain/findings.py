"""Findings: what was found, where, why, and what to do about it, as values. Sentences are made of them in `report/`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

Case = TypeVar("Case")
OUTPUT = "(the output)"  # the place of what shows in the networks' outputs only


class Name(str):
    """The name of a layer, a step or a weight: findings that differ in names only say the same of several places."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that was seen, or should be done.

    Attributes:
        name: which fact; `report.sentences` has a sentence for each.
        values: what goes into the sentence, by name.
    """

    name: str
    values: Mapping[str, Any]

    @property
    def names(self) -> set[str]:
        """All names of layers, steps and weights in it."""
        return {name for value in self.values.values() for name in _as_sequence(value) if isinstance(name, Name)}

    @property
    def pattern(self) -> tuple[Any, ...]:
        """The pattern that it shares with the same fact about other layers, steps and weights."""
        values = ((key, [None if isinstance(one, Name) else repr(one) for one in _as_sequence(value)]) for key, value in
                  self.values.items())  # fmt: skip
        return self.name, *((key, tuple(parts)) for key, parts in values)


def fact(name: str, /, **values: Any) -> Fact:
    """Return a fact."""
    return Fact(name, values)


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where the two networks do not compute the same, and the most likely reason.

    Attributes:
        kind: the reason in a word or two, such as "eps" or "missing layer".
        fact: what was seen.
        layer: torch's name of the place; the Cell's where torch has no such thing.
        cell: the Cell's name of it.
        evidence: what else was seen.
        fix: what to do about it.
        where: "in" the layer or "before" it.
        others: torch's names of further places of which the same is to be said.
    """

    kind: str
    fact: Fact
    layer: str = ""
    cell: str = ""
    evidence: tuple[Fact, ...] = ()
    fix: Fact | None = None
    where: Literal["in", "before"] = "in"
    others: tuple[str, ...] = ()

    @property
    def names(self) -> set[str]:
        """All names of layers, steps and weights that it names."""
        return set().union(*(one.names for one in (self.fact, *self.evidence)))


@dataclass(frozen=True, slots=True)
class Cause(Generic[Case]):
    """A row of an ordered table of causes.

    Attributes:
        name: the kind of the finding, unless `find` returns another.
        find: says of a case whether the cause applies, and what shows it: a fact, or a finding whose empty fields are
            filled in from this row and from the case.
        fix: the name of the fact that says what to do; its values are those of the fact that was seen.
    """

    name: str
    find: Callable[[Case], Fact | Finding | None]
    fix: str

    def apply(self, case: Case) -> Finding | None:
        """Return the finding, where the cause applies."""
        seen = self.find(case)
        if seen is None:
            return None
        found = seen if isinstance(seen, Finding) else Finding(self.name, seen)
        return found if found.fix is not None else replace(found, fix=Fact(self.fix, found.fact.values))


def first(causes: Sequence[Cause[Case]], case: Case) -> Finding | None:
    """Return the finding of the first cause that applies."""
    return next((found for cause in causes if (found := cause.apply(case)) is not None), None)


def _as_sequence(value: Any) -> Iterable[Any]:
    return value if isinstance(value, tuple | list) else (value,)
