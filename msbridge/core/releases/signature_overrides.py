"""Arguments in the words of earlier releases: rows of `mappings/earlier_words.toml` and `first_words.toml`.

A function gets the names and defaults that its arguments had, by a copy that shares the code and only calls its local
variables otherwise: a call takes no frame more. What came later is still taken, and is not printed.
"""

import ast
import functools
import inspect
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from types import FunctionType
from typing import Any

from msbridge.core.releases import release
from msbridge.core.releases.overrides import Earlier

_EMPTY = inspect.Parameter.empty


def rows(*rooms: str) -> Iterator[Earlier]:
    """Yield what stood in the places of some rooms, e.g. "ops", in the words of its release."""
    for key in _table().keys() | _first_table().keys():
        room, _, place = key.partition(".")
        row = followed(key) if room in rooms else None
        if row is None:
            continue
        owner = sys.modules[f"msbridge.{room}"]
        *holders, name = place.split(".")
        for holder in holders:
            owner = getattr(owner, holder)
        what = vars(owner)[name] if name in vars(owner) else getattr(owner, name)
        if isinstance(what, type) and "defaults" not in vars(what):
            init = getattr(what, "__init__")  # noqa: B009  # mypy takes the plain form for one of an instance
            if "__signature__" in vars(what) and "now" not in row:
                signature = inspect.signature(_function(init, row["was"]))
                shown = signature.replace(parameters=list(signature.parameters.values())[1:])
                yield Earlier(f"{key}.__signature__", row["until"], shown)
            key, what = f"{key}.__init__", init
        told = _by_name(what, row["was"], row["now"]) if "now" in row else reworded(what, row["was"])
        yield Earlier(key, row["until"], told)


def followed(place: str) -> dict[str, Any] | None:
    """Return the row of a place for the release that is followed, None where it has today's words."""
    found = [table[place] for table in (_first_table(), _table()) if place in table]
    return next((row for row in found if not release.at_least(row["until"])), None)


def earlier_names(place: str, function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Return the first release with today's words of a function, and today's name of each argument by the earlier one.

    Args:
        place: its path below msbridge, e.g. "ops.softmax"; without a row there are no names.
        function: what stands there.
    """
    row = _table().get(place)
    if row is None:
        return "", {}
    pairs = zip(_parameters(row["was"]), inspect.signature(function).parameters, strict=False)
    return row["until"], {old.name: new for old, new in pairs if old.name != new}


def signature_of(was: str) -> inspect.Signature:
    """Return the signature of a method with arguments in the words of a row."""
    return inspect.Signature(_parameters(f"self, {was}".rstrip(", ")))


def reworded(what: Any, was: str) -> Any:
    """Return a function, or the class of a primitive, that takes its arguments by earlier names, with their defaults.

    Args:
        what: a function, or a class that `msbridge.ops.primitive.primitive.derive` made.
        was: its arguments as they were, without `self`, e.g. "x, axis=-1"; by position those of today.
    """
    return _function(what, was) if isinstance(what, FunctionType) else _primitive(what, was)


def _function(function: FunctionType, was: str) -> Callable[..., Any]:
    today = list(inspect.signature(function).parameters.values())
    if today and today[0].name == "self":
        was = f"self, {was}".rstrip(", ")
    earlier = _parameters(was)
    pairs = [
        (new, old) for new, old in zip(today, earlier, strict=False) if new.kind is old.kind is not new.KEYWORD_ONLY
    ]
    by_name = {new.name: new for new in today if new.kind is new.KEYWORD_ONLY}
    pairs += [(by_name[old.name], old) for old in earlier if old.name in by_name]
    names = {new.name: old.name for new, old in pairs}
    code = function.__code__
    code = code.replace(
        co_varnames=tuple(names.get(name, name) for name in code.co_varnames),
        co_cellvars=tuple(names.get(name, name) for name in code.co_cellvars),
    )
    before = {old.name: old.default for _, old in pairs}
    new = FunctionType(code, function.__globals__, function.__name__, None, function.__closure__)
    settled = [p.replace(name=names.get(p.name, p.name)) for p in today]
    settled = [p.replace(default=_default(p.default, before.get(p.name, _EMPTY))) for p in settled]
    positional = [p for p in settled if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    new.__defaults__ = tuple(p.default for p in positional if p.default is not _EMPTY) or None
    new.__kwdefaults__ = {p.name: p.default for p in settled if p.kind is p.KEYWORD_ONLY and p.default is not _EMPTY}
    new.__dict__.update(function.__dict__)
    new.__doc__, new.__module__, new.__qualname__ = function.__doc__, function.__module__, function.__qualname__
    new.__annotations__ = {names.get(name, name): kind for name, kind in function.__annotations__.items()}
    held = {p.name: p.default for p in settled}
    shown = [p.replace(default=held.get(p.name, p.default)) if p.default is ... else p for p in earlier]
    new.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    return new


def _by_name(function: Callable[..., Any], was: str, now: dict[str, str]) -> Callable[..., Any]:
    """Return a function with earlier arguments that hands them on by name: `now` has those that are called otherwise.

    An argument that has become "" is dropped. For constructors, whose arguments had another order.
    """
    is_method = next(iter(inspect.signature(function).parameters), "") == "self"
    defaults = {name: p.default for name, p in inspect.signature(function).parameters.items()}
    earlier = _parameters(f"self, {was}" if is_method else was)
    earlier = [p.replace(default=defaults[now.get(p.name, p.name)]) if p.default is ... else p for p in earlier]
    signature = inspect.Signature(earlier)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError:  # words of later releases, or none: today's says what is wrong
            return function(*args, **kwargs)
        given.apply_defaults()
        names = {name: now.get(name, name) for name in given.arguments}
        return function(**{new: given.arguments[name] for name, new in names.items() if new})

    call.__signature__ = signature  # type: ignore[attr-defined]
    return call


def _primitive(kind: Any, was: str) -> Any:
    earlier = _parameters(was)
    names = list(kind.defaults)
    renamed = {old.name: kind.renamed.get(new, new) for new, old in zip(names, earlier, strict=False)}
    defaults = {
        old.name: old.default if old.default not in (_EMPTY, ...) else kind.defaults[new]
        for new, old in zip(names, earlier, strict=False)
    }
    body = {"defaults": defaults, "renamed": renamed, "__module__": kind.__module__, "__doc__": kind.__doc__}
    return type(kind.__name__, (kind,), body)


def _default(today: Any, before: Any) -> Any:
    """Return the default of an argument; one that has become optional stays so."""
    return today if before is _EMPTY or before is ... or today is _EMPTY else before


def _parameters(text: str) -> list[inspect.Parameter]:
    """Read arguments; a default that is no constant is `...`, which stands for today's."""
    tree = ast.parse(f"lambda {text}: 0", mode="eval").body
    assert isinstance(tree, ast.Lambda)
    found, kind = tree.args, inspect.Parameter
    defaults: list[Any] = [_EMPTY] * (len(found.args) - len(found.defaults)) + list(map(_constant, found.defaults))
    parameters = [
        kind(arg.arg, kind.POSITIONAL_OR_KEYWORD, default=default)
        for arg, default in zip(found.args, defaults, strict=True)
    ]
    if found.vararg:
        parameters.append(kind(found.vararg.arg, kind.VAR_POSITIONAL))
    for arg, value in zip(found.kwonlyargs, found.kw_defaults, strict=True):
        parameters.append(kind(arg.arg, kind.KEYWORD_ONLY, default=_EMPTY if value is None else _constant(value)))
    if found.kwarg:
        parameters.append(kind(found.kwarg.arg, kind.VAR_KEYWORD))
    return parameters


def _constant(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ...


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("msbridge.mappings").joinpath("earlier_words.toml").read_text(encoding="utf-8"))


@cache
def _first_table() -> dict[str, Any]:
    return tomllib.loads(files("msbridge.mappings").joinpath("first_words.toml").read_text(encoding="utf-8"))
