"""What constructors of earlier releases asked of their arguments at once: rows of `mappings/earlier_checks.toml`.

While such a release is followed, another `__init__` stands in the place of today's, which checks and then calls it.
"""

import builtins
import functools
import inspect
import re
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any

from msbridge.core import release
from msbridge.core.arguments import in_range, instance, is_int, one_of
from msbridge.core.earlier import Earlier, by_age

Check = Callable[[Any, str, str], Any]
"""Takes a value, its argument's name and the class; raises when the value is not what was asked."""

_KINDS = {kind.__name__: kind for kind in (bool, dict, float, int, list, str, tuple)}
_INTERVAL = re.compile(r"(?P<open>[\[(])(?P<low>[^,]+), (?P<high>[^\])]+)(?P<close>[\])])$")
_BOUND = re.compile(r"(?P<sign>[<>=]=|[<>]) (?P<bound>\S+)$")


def rows(room: str, among: Sequence[Earlier]) -> list[Earlier]:
    """Return the constructors of a room, e.g. "ops", that check while the release is followed.

    Args:
        room: whose.
        among: what else stands in places of the room; the constructor that stands there is the one that is called.
    """
    standing = {row.place: row for row in by_age(among) if not release.at_least(row.until)}
    found = []
    for place, row in _table().items():
        if place.partition(".")[0] != room or release.at_least(row["until"]):
            continue
        kind: Any = standing[place].what if place in standing else _today(place)
        at = f"{place}.__init__"
        is_told = at in standing and (
            place not in standing or release.parse(standing[at].until) <= release.parse(standing[place].until)
        )
        init = standing[at].what if is_told else getattr(kind, "__init__")  # noqa: B009  # for mypy
        others = [standing[one].until for one in (place, at) if one in standing]
        checks = {name: check_of(text) for name, text in row.items() if name != "until"}
        until = min(row["until"], *others, key=release.parse) if others else row["until"]
        found.append(Earlier(at, until, asking(kind, init, checks)))
    return found


def _today(place: str) -> Any:
    room, *names = place.split(".")
    return functools.reduce(getattr, names, sys.modules[f"msbridge.{room}"])


def asking(kind: Any, init: Callable[..., None], checks: Mapping[str, Check]) -> Callable[..., None]:
    """Return the constructor of a class that checks its arguments before.

    Args:
        kind: the class.
        init: its constructor.
        checks: by the names of arguments; those that are not given are not looked at.
    """
    is_derived = "self" not in inspect.signature(init).parameters or hasattr(kind, "defaults")
    signature = inspect.signature(kind if is_derived else init)

    @functools.wraps(init)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            given = signature.bind_partial(*(self,) * (not is_derived), *args, **kwargs).arguments
        except TypeError:
            given = {}  # the constructor says what is wrong
        for name in checks:
            if name in given:
                checks[name](given[name], name, kind.__name__)
        init(self, *args, **kwargs)

    return __init__


@cache
def check_of(text: str) -> Check:
    """Read what is asked: "int tuple", "float (0, 1]", "int > 0", "of valid same", "dtype Int32", "sizes".

    What follows `else` is the class of the error, where it is neither TypeError nor ValueError.
    A number without a kind is an int, a bool or a float.
    """
    if " else " in text:
        text, _, error = text.partition(" else ")
        return partial(_refused, check=check_of(text), error=getattr(builtins, error))
    if text == "sizes":
        return _sizes
    if text.startswith("dtype "):
        return partial(_dtype, allowed=text.split()[1:])
    if " of " in f" {text}":
        kinds, _, words = text.rpartition("of ")
        return partial(_listed, kinds=_kinds(kinds), allowed=words.split())
    if found := _INTERVAL.search(text) or _BOUND.search(text):
        return partial(_bounded, kinds=_kinds(text[: found.start()]), **found.groupdict())
    return partial(_instance, kinds=_kinds(text))


def _refused(value: Any, name: str, owner: str, check: Check, error: type[Exception]) -> None:
    """Check a value; whatever is wrong is an error of one class."""
    try:
        check(value, name, owner)
    except (TypeError, ValueError) as problem:
        raise error(str(problem)) from problem


def _kinds(text: str) -> tuple[type, ...]:
    return tuple(_KINDS[name] for name in text.split())


def _instance(value: Any, name: str, owner: str, kinds: tuple[type, ...]) -> None:
    instance(value, name, owner, kinds)
    if tuple in kinds and int in kinds and isinstance(value, tuple):
        for item in value:
            instance(item, f"item of {name}", owner, int)


def _dtype(value: Any, name: str, owner: str, allowed: list[str]) -> None:
    if getattr(value, "name", None) not in allowed:
        raise TypeError(f"For '{owner}', the '{name}' must be one of {allowed}, but got {value!r}.")


def _listed(value: Any, name: str, owner: str, kinds: tuple[type, ...], allowed: list[str]) -> None:
    if kinds:
        instance(value, name, owner, kinds)
    one_of(value, name, owner, allowed)


def _bounded(value: Any, name: str, owner: str, kinds: tuple[type, ...], **ends: str) -> None:
    """Check a number against an interval, or one bound."""
    if kinds:
        instance(value, name, owner, kinds)
    elif not isinstance(value, int | float):
        raise TypeError(f"For '{owner}', the '{name}' must be a number, but got {type(value).__name__}.")
    if "sign" not in ends:
        in_range(value, name, owner, float(ends["low"]), float(ends["high"]), ends["open"] + ends["close"])
        return
    bound, sign = float(ends["bound"]), ends["sign"]
    holds = {"<": value < bound, ">": value > bound, "<=": value <= bound, ">=": value >= bound, "==": value == bound}
    if not holds[sign]:
        raise ValueError(f"For '{owner}', the '{name}' must be {sign} {ends['bound']}, but got {value}.")


def _sizes(value: Any, name: str, owner: str) -> None:
    """Check a positive int, or two or four of them."""
    if is_int(value):
        items = (value,)
    elif isinstance(value, tuple):
        items = value
        if len(items) not in (2, 4):
            raise ValueError(f"For '{owner}', the '{name}' must have two or four items, but got {value}.")
    else:
        raise TypeError(f"For '{owner}', the '{name}' must be an int or a tuple, but got {type(value).__name__}.")
    if not all(is_int(item) and item > 0 for item in items):
        raise ValueError(f"For '{owner}', the '{name}' must be positive ints, but got {value}.")


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("msbridge.mappings").joinpath("earlier_checks.toml").read_text(encoding="utf-8"))
