"""Forms that the call of a public name had: what it hands to which argument, before and since each change.

A change is a row of `mappings/releases/` with arguments, or with another function or class, whose signature is asked.
Two forms read a call differently where one hands a value to another argument, or where a value that the call leaves
out is another one; and wherever the row says so of every call.
"""

import ast
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from msbridge.core.releases.arguments import signature_of
from msbridge.core.releases.overrides import form_of, locate
from msbridge.core.releases.release import parse
from msbridge.core.releases.rows import ROOMS, Row, rows_of

__all__ = ["Change", "changes_of", "renamed_keywords"]

MAX_TEXT = 24  # characters of a value in a sentence
_SYNONYMS = {"dim": "axis", "xmin": "min", "xmax": "max"}
_CALLED_LATER = ".construct"  # the call that makes a layer does not have its arguments
_SEVERAL = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_SEEDS = ("seed", "seed0", "seed1", "seed2")  # 0 and None draw alike


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a public name, with the signatures of both forms where they are known.

    Attributes:
        row: of `mappings/releases/`.
        before: the signature before, without `self`.
        since: the signature since then, alike.
        names: the name of then → the name since.
    """

    row: Row
    before: inspect.Signature | None
    since: inspect.Signature | None
    names: Mapping[str, str]

    def difference(self, call: ast.Call) -> str:
        """Return the two readings of a call, in words; "" where they are the same, or only one form takes it."""
        if self.row.seen == "every call":
            return f"{self.row.was} before {self.row.since}"
        if self.row.name.endswith(_CALLED_LATER):
            return ""
        before, since = _bind(self.before, call), _bind(self.since, call)
        if before is None or since is None or not (_fits(self.before, before) and _fits(self.since, since)):
            return ""
        moved = [name for name, value in before.items() if not self._is_at_its_place(name, value, since)]
        if not moved:
            return self._other_default(before.keys())
        values = {id(each) for name in moved for each in before[name]}
        others = [name for name, found in since.items() if any(id(each) in values for each in found)]
        return f"{_write(before, moved)} before {self.row.since}, {_write(since, others)} since"

    def possible_difference(self) -> str:
        """Return the other reading of a call that only some values have; "" where the text of a call shows all."""
        if self.row.seen != "values":
            return ""
        was = f"`{self.row.expression}` returns {self.row.was}" if self.row.expression else self.row.was
        return f"{was.rstrip('.')} before {self.row.since}"

    def is_one_sided(self, call: ast.Call) -> bool:
        """Whether only one of both forms takes a call."""
        if self.before is None or self.since is None or _is_open(call) or self.row.name.endswith(_CALLED_LATER):
            return False
        return (_bind(self.before, call) is None) != (_bind(self.since, call) is None)

    def _is_at_its_place(self, name: str, value: list[ast.expr], since: Mapping[str, list[ast.expr]]) -> bool:
        assert self.before is not None
        parameter = self.before.parameters.get(name)  # None of a keyword that `**` takes
        is_wrapper = parameter is not None and parameter.kind is inspect.Parameter.VAR_POSITIONAL
        return is_wrapper or value in (since.get(self.names.get(name, "")), since.get(name))

    def _other_default(self, given: Collection[str]) -> str:
        """Return the values that an argument has where it is left out; None may have any meaning."""
        assert self.before is not None
        assert self.since is not None
        for name, each in self.before.parameters.items():
            today = self.since.parameters.get(self.names.get(name, name))
            if name in given or name in _SEEDS or today is None:
                continue
            values = (each.default, today.default)
            is_known = _word(name) == "axi" or None not in values
            is_open = any(value is ... or value is each.empty for value in values)
            if is_known and not is_open and not _is_same(*values):
                return f"{name}={each.default!r} before {self.row.since}, {today.name}={today.default!r} since"
        return ""


@cache
def changes_of(name: str) -> tuple[Change, ...]:
    """Return the changes of a public name, "ops.split" or "Tensor.norm", the first one first.

    Today's forms have to be in place: no release is followed yet.
    """
    rows = [(room, row) for room in ROOMS for row in rows_of(room).get(name, ())]
    rows = [(room, row) for room, row in rows if row.legacy or row.arguments is not None]
    if not rows:
        return ()
    changes: list[Change] = []
    since = _signature(name, lambda: getattr(*locate(name)))
    for room, row in sorted(rows, key=lambda each: parse(each[1].since), reverse=True):
        before, names = _before(name, room, row, since)
        changes.insert(0, Change(row, before, since, names))
        since = before or since
    return tuple(changes)


def renamed_keywords(name: str, call: ast.Call) -> dict[str, str]:
    """Return the keywords of a call that have another name today, where nothing else of the call means something else.

    Only changes count that are nothing but other arguments: what a call of another form meant, no name says.

    Args:
        name: a public name, "ops.split".
        call: a call of it.

    Returns:
        The keyword of then → the one of today; empty where today's form takes the call, or the call is not understood.
    """
    changes = changes_of(name)
    today = changes[-1].since if changes else None
    if _bind(today, call) is not None:
        return {}
    names: dict[str, str] = {}
    for change in reversed(changes):
        if change.row.arguments is None or change.row.seen:
            return {}
        names = {before: names.get(since, since) for before, since in change.names.items() if since} | {
            each: names[each] for each in names if change.before and each in change.before.parameters
        }
        given = _bind(change.before, call)
        if given is None:
            continue
        words = {word.arg: names.get(word.arg, word.arg) for word in call.keywords if word.arg}
        renamed = [ast.keyword(arg=words[word.arg], value=word.value) for word in call.keywords if word.arg]
        taken = _bind(today, ast.Call(func=call.func, args=call.args, keywords=renamed))
        is_same = taken is not None and all(value == taken.get(names.get(each, each)) for each, value in given.items())
        if Change(change.row, change.before, today, names)._other_default(given.keys()):
            return {}
        return {word: now for word, now in words.items() if word != now} if is_same else {}
    return {}


def _before(
    name: str, room: str, row: Row, since: inspect.Signature | None
) -> tuple[inspect.Signature | None, dict[str, str]]:
    """Return the signature before a change, and the names since then of its arguments."""
    before = None if row.arguments is None else signature_of(row.arguments)
    if before is None:
        before = _signature(name, lambda: form_of(room, row))
    if before is None or since is None:
        return before, {}
    is_function = name.rpartition(".")[2][:1].islower()
    has_object = (is_function and not _is_method(name)) or row.arguments is not None
    return before, {**dict(_match_names(before, since, has_object, row.arguments is not None)), **row.rename}


def _match_names(
    before: inspect.Signature, since: inspect.Signature, has_object: bool, is_same_function: bool
) -> Iterator[tuple[str, str]]:
    """Yield the names of arguments in both forms: the same, or the same word otherwise spelled; else by their places.

    By its place an argument is the same where it is what the function works on, or required in both forms, or has the
    same default in both; in another form of the same function always, unless its `**` takes the name.
    """
    is_same_function = is_same_function and not any(each.kind is each.VAR_KEYWORD for each in since.parameters.values())
    places = [name for name, each in since.parameters.items() if each.kind is each.POSITIONAL_OR_KEYWORD]
    words = {_word(name): name for name in reversed(places)}
    spelled = {name: words.get(_word(name), "") for name in before.parameters}
    for place, (name, each) in enumerate(before.parameters.items()):
        other = name if name in places else spelled[name]
        if not other and place < len(places) and places[place] not in spelled.values():
            there = since.parameters[places[place]].default
            is_object = has_object and not place
            is_alike = each.default.__class__ is there.__class__ and each.default == there
            other = places[place] if is_same_function or is_object or is_alike else ""
        if other:
            yield name, other


def _word(name: str) -> str:
    short = name.replace("_", "")
    return _SYNONYMS.get(short, short).removesuffix("s")


def _signature(name: str, ask: Callable[[], Any]) -> inspect.Signature | None:
    """Return the signature of what is asked for, without `self`; None where it has none."""
    try:
        called = ask()
        signature = inspect.signature(called)
    except (AttributeError, ImportError, TypeError, ValueError):
        return None
    has_self = _is_method(name) and not isinstance(called, type)
    return signature.replace(parameters=[*signature.parameters.values()][has_self:])


def _is_method(name: str) -> bool:
    return name.rpartition(".")[0].rpartition(".")[2][:1].isupper()


def _is_open(call: ast.Call) -> bool:
    """Whether `*` or `**` passes what the call does not show."""
    return any(isinstance(each, ast.Starred) for each in call.args) or any(word.arg is None for word in call.keywords)


def _bind(signature: inspect.Signature | None, call: ast.Call) -> dict[str, list[ast.expr]] | None:
    """Return a call's values by the names of arguments; None where the signature does not take it, or it is open."""
    if signature is None or _is_open(call):
        return None
    try:
        bound = signature.bind(*call.args, **{word.arg: word.value for word in call.keywords if word.arg})
    except TypeError:
        return None
    by_name: dict[str, list[ast.expr]] = {}
    for name, value in bound.arguments.items():
        if isinstance(value, ast.expr):
            by_name[name] = [value]
        elif isinstance(value, dict):
            by_name |= {each: [given] for each, given in value.items()}
        else:
            by_name[name] = [*value]
    return by_name


def _fits(signature: inspect.Signature | None, values: Mapping[str, list[ast.expr]]) -> bool:
    """Whether literals are of the kinds that the arguments may have."""
    parameters = {} if signature is None else signature.parameters
    single = {name: each.default for name, each in parameters.items() if each.kind not in _SEVERAL}
    return all(_is_fit(value[0], single[name]) for name, value in values.items() if name in single)


def _is_fit(value: ast.expr, default: Any) -> bool:
    """Whether a literal is of a kind that an argument may have, as its default shows."""
    if isinstance(value, ast.List | ast.Tuple):
        return default.__class__ not in (bool, int, float, str)
    if not isinstance(value, ast.Constant) or value.value is None:
        return True
    if isinstance(value.value, str):
        return default.__class__ not in (bool, int, float, tuple)
    if isinstance(value.value, bool):
        return not isinstance(default, str | float | tuple)
    return default.__class__ not in (bool, str)


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one.lower() == other.lower()
    return one == other or (one in ((), None) and other in ((), None))


def _write(values: Mapping[str, list[ast.expr]], names: list[str]) -> str:
    texts = {name: ", ".join(map(shorten, values[name])) for name in names}
    return ", ".join(f"{name}={texts[name] if len(values[name]) == 1 else f'({texts[name]})'}" for name in names)


def shorten(value: ast.AST, most: int = MAX_TEXT) -> str:
    """Return the source text of an expression, at most some characters of it."""
    text = " ".join(ast.unparse(value).split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
