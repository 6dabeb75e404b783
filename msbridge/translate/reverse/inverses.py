"""Inverses of recipes: what becomes of a call of MindSpore, by the rows of mappings/torch_names.toml."""

import importlib
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from msbridge.scan.torch_names.rows import TorchName, rows
from msbridge.translate.conversions import INVERSES
from msbridge.translate.recipes import Entry, Recipe, read_recipe

__all__ = ["constants_of", "inverses_of", "name_in_torch", "public_path", "torch_class"]

# Modules that users import from, and the public ones that have the same names.
HOMES = (
    (re.compile(r"^mindspore\.ops\.(operations|functional|composite)(\.\w+_ops)?\."), "mindspore.ops."),
    (re.compile(r"^mindspore\.nn\.(layer|cell|loss|wrap)(\.[a-z]\w*)*\.(?=[A-Z])"), "mindspore.nn."),
    (re.compile(r"^mindspore\.(common\.)?(dtype|tensor|parameter|api|seed)\.(?=\w+$)"), "mindspore."),
    (re.compile(r"^mindspore\.common\.(?=(Tensor|Parameter|dtype|set_seed|ParameterTuple)$)"), "mindspore."),
    (re.compile(r"^mindspore\.ops\.(?=(ELU|Pad|ReLU|ReLU6|Sigmoid|Softmax|Softsign|Tanh)$)"), "mindspore.nn."),
)
DTYPES = "bfloat16 bool_ complex128 complex64 float16 float32 float64 int16 int32 int64 int8 uint8"
DTYPE_OF = {f"mindspore.{name}": f"torch.{name.rstrip('_')}" for name in DTYPES.split()}


def public_path(path: str) -> str:
    """Return the public path of a name, such as mindspore.ops.Reshape of mindspore.ops.operations.Reshape."""
    for home, public in HOMES:
        path = home.sub(public, path)
    return path


@cache
def inverses_of(path: str) -> tuple[Recipe, ...]:
    """Return the recipes that lead back from a name of MindSpore, the likeliest first."""
    parameters = _parameters(path)
    found = (_invert(row, recipe, path, parameters) for row, recipe in _recipes().get(path, ()))
    return tuple(one for one in found if one is not None)


@cache
def constants_of(path: str, name: str) -> Mapping[str, str]:
    """Return the arguments that the call of a row has as constants, and their texts."""
    recipe = next(recipe for row, recipe in _recipes()[path] if row.name == name)
    return {one.name: one.text for one in recipe.entries if not one.source}


@cache
def name_in_torch(path: str) -> str:
    """Return torch's name for a name that means the same there, with the same arguments; "" where there is none."""
    if path in DTYPE_OF:
        return DTYPE_OF[path]
    if path.startswith("mindspore.mint."):
        return path.replace("mindspore.mint", "torch", 1)
    every = [row for row in rows().values() if row.written == path and "(" not in row.write and not row.hand]
    names = sorted((row.name for row in every if not row.name.startswith("torch.Tensor.")), key=len)
    return names[0] if names else ""


@cache
def torch_class(path: str) -> str:
    """Return the class of torch that answers to one of MindSpore; "" where none does."""
    named = [row.name for row, _ in _recipes().get(path, ()) if row.name.rpartition(".")[2][:1].isupper()]
    return name_in_torch(path) or (named[0] if named else "")


@cache
def _recipes() -> Mapping[str, list[tuple[TorchName, Recipe]]]:
    """Return the rows and their recipes by the name of MindSpore that each writes or reads."""
    known: defaultdict[str, list[tuple[TorchName, Recipe]]] = defaultdict(list)
    for row in rows().values():
        for call in (*([row.write] if "(" in row.write and not row.hand else []), *row.read):
            recipe = read_recipe(row, call)
            known[TorchName(row.name, write=call).written].append((row, recipe))
    for path, several in known.items():
        several.sort(key=lambda one: (_distance(one[0].name, path), len(one[0].name)))
    return known


def _distance(name: str, path: str) -> int:
    """Return the distance of two names: a function for a function and the same last name come first."""
    is_method = name.startswith("torch.Tensor.") != path.startswith("mindspore.Tensor.")
    return 2 * is_method + (name.rpartition(".")[2] != path.rpartition(".")[2])


@cache
def _parameters(path: str) -> Mapping[str, inspect.Parameter]:
    """Return the arguments that MindSpore's function or class takes."""
    module, _, name = path.rpartition(".")
    owner = "mindspore.Tensor" if module == "mindspore.Tensor" else ""
    try:
        value: Any = importlib.import_module("msbridge" if owner else module.replace("mindspore", "msbridge", 1))
        value = getattr(value.Tensor, name) if owner else getattr(value, name)
        taken = inspect.signature(value).parameters
    except (ImportError, AttributeError, TypeError, ValueError):
        return {}
    return {name: one for name, one in taken.items() if name != "self"}


def _invert(row: TorchName, recipe: Recipe, path: str, taken: Mapping[str, inspect.Parameter]) -> Recipe | None:
    """Return a recipe read backwards; None where a value cannot be read so."""
    by_place = dict(zip((one.name for one in recipe.entries if one.may_be_positional), taken, strict=False))
    kept = [
        one if one.name in taken else replace(one, name=by_place.get(one.name, one.name))
        for one in recipe.entries
        if one.source
    ]
    if not all(one.name in taken for one in kept) or any(one.source == "self" for one in kept):
        return None
    if any(one.conversion not in INVERSES for one in kept):
        return None
    positional = row.torch.partition("*")[0].count(",") + ("*" not in row.torch)
    order = [one.lstrip("*") for one in recipe.arguments]
    kept.sort(key=lambda one: order.index(one.source))
    leading = [one.source for one, name in zip(kept, order, strict=False) if one.source == name]
    entries = tuple(
        Entry(one.source, one.name, INVERSES[one.conversion], "", one.source in leading[:positional]) for one in kept
    )
    defaults = dict(_defaults(taken))
    spell = [one.name for one in kept if one.name in defaults and not _is_same(one, recipe, defaults[one.name])]
    return Recipe(path, _shorten(row.name), False, tuple(taken), defaults, entries, tuple(spell), {}, "")


def _is_same(entry: Entry, recipe: Recipe, default: str) -> bool:
    """Whether MindSpore's default, which the recipe converts to, is torch's."""
    theirs = recipe.defaults.get(entry.source, "")
    if entry.conversion == "one_minus":
        return theirs == repr(round(1 - float(default), 12))
    if entry.conversion == "is_tanh":
        return (theirs == "'tanh'") is (default == "True")
    return theirs == default


def _defaults(taken: Mapping[str, inspect.Parameter]) -> Iterator[tuple[str, str]]:
    for name, one in taken.items():
        if one.default is not inspect.Parameter.empty:
            yield name, repr(one.default)


def _shorten(name: str) -> str:
    """Return a name of torch as the new source writes it."""
    if name.startswith("torch.Tensor."):
        return name.removeprefix("torch.Tensor")
    return name.replace("torch.nn.functional.", "F.").replace("torch.nn.", "nn.")
