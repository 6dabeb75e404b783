"""Recipes: what becomes of a call of torch, as rows of mappings/torch_names.toml.

A row says which arguments torch's call has and what is written in its place. `nn.Dense(in_channels=in_features,
out_channels=out_features | has_bias=bias)` names every argument of the new call with what it takes; those before the
bar may stay positional. An argument that the author left out is left out again, unless `spell` says that the two
defaults differ.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from msbridge.scan.torch_names.rows import TorchName, row_of

__all__ = ["Entry", "Recipe", "read_recipe", "recipe_of"]


@dataclass(frozen=True, slots=True)
class Entry:
    """An argument of the call that is written."""

    name: str  # "" of one that is always positional
    source: str  # the argument of torch that it takes; "" of a constant
    conversion: str = ""  # a function of `conversions.py` that the argument goes through
    text: str = ""  # of a constant
    may_be_positional: bool = False


@dataclass(frozen=True, slots=True)
class Recipe:
    """A row, read."""

    name: str
    target: str  # the dotted name to write; with a leading dot a method
    is_rename: bool
    arguments: tuple[str, ...]  # of torch, in order; a star before that which takes the rest
    defaults: Mapping[str, str]
    entries: tuple[Entry, ...]
    spell: tuple[str, ...]
    only: Mapping[str, str]
    hand: str


@cache
def recipe_of(path: str) -> Recipe | None:
    """Return the recipe of a name of torch; None where there is none."""
    row = row_of(path)
    return read_recipe(row, row.write) if row and (row.write or row.hand) else None


def read_recipe(row: TorchName, call: str) -> Recipe:
    """Return the recipe of a call of MindSpore, which is `write` or one of `read` of a row."""
    target, opened, inside = call.partition("(")
    arguments, defaults = _arguments(row.torch)
    entries: list[Entry] = []
    parts = inside.removesuffix(")").split("|") if opened else []
    for index, part in enumerate(parts):
        parsed = ast.parse(f"f({part.strip().strip(',')})", mode="eval").body
        assert isinstance(parsed, ast.Call)
        entries += [_entry("", value, not index, arguments) for value in parsed.args]
        entries += [_entry(one.arg or "", one.value, not index, arguments) for one in parsed.keywords]
    return Recipe(row.name, target, not opened, arguments, defaults, tuple(entries), row.spell, row.only, row.hand)


def _arguments(text: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the names of arguments, and the texts of their defaults."""
    lambda_ = ast.parse(f"lambda {text}: 0", mode="eval").body
    assert isinstance(lambda_, ast.Lambda)
    parts = lambda_.args
    names = [one.arg for one in parts.args]
    late = names[len(names) - len(parts.defaults) :]
    defaults = {name: ast.unparse(value) for name, value in zip(late, parts.defaults, strict=True)}
    for one, value in zip(parts.kwonlyargs, parts.kw_defaults, strict=True):
        names.append(one.arg)
        if value is not None:
            defaults[one.arg] = ast.unparse(value)
    return (f"*{parts.vararg.arg}", *names) if parts.vararg else tuple(names), defaults


def _entry(name: str, value: ast.expr, may_be_positional: bool, arguments: tuple[str, ...]) -> Entry:
    known = {one.lstrip("*") for one in arguments} | {"self"}
    if isinstance(value, ast.Name) and value.id in known:
        return Entry(name or value.id, value.id, "", "", may_be_positional)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and isinstance(value.args[0], ast.Name):
        source = value.args[0].id
        return Entry(name or source, source, value.func.id, "", may_be_positional)
    return Entry(name, "", "", ast.unparse(value).replace("'", '"'), may_be_positional)
