"""The module map: which of our rooms answers for a MindSpore module path.

Rooms are those of msbridge/core/releases/public_modules.py; names that are elsewhere or are called otherwise, of
mappings/module_aliases.tsv; and which paths and names there are, of mappings/module_names.tsv.
"""

import importlib
import importlib.util
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType

import msbridge
from msbridge.core.releases.public_modules import MOVED, OBJECTS, ROOMS, SAME, in_our_tree, rooms_of
from msbridge.mappings import columns

# First-level rooms of the house that are not MindSpore's: `import mindspore.cli` finds nothing.
INTERNAL = {"cli", "contrib", "converters", "core", "device", "distributed", "dropin", "mappings", "scan", "verify"}


@dataclass(frozen=True, slots=True)
class Forward:
    """The target of a MindSpore module path, beside the rooms of the paths above it.

    Attributes:
        path: the module path in MindSpore, of any release.
        same: our module that is this one, where only the place differs.
        rooms: our modules, or those of torch, asked in this order for a name.
        rename: names that are elsewhere or are called otherwise here, as full dotted paths.
        modules_until: names that represent the modules below it until the release that has functions of these names.
    """

    path: str
    same: str = ""
    rooms: tuple[str, ...] = ()
    rename: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    modules_until: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Alias:
    """A row of module_aliases.tsv.

    Attributes:
        name: a name of modules of MindSpore that is elsewhere, or is called otherwise, here.
        origin: the public path of what it is.
        modules: those modules.
        since: the first release in which the name is no longer that of a module below.
    """

    name: str
    origin: str
    modules: tuple[str, ...]
    since: str = ""


@cache
def rows() -> Mapping[str, Forward]:
    """Return the forward of each module of MindSpore, of any release, that is here, by path."""
    rename: dict[str, dict[str, str]] = defaultdict(dict)
    modules_until: dict[str, dict[str, str]] = defaultdict(dict)
    for place, target in OBJECTS.items():
        path, _, name = f"mindspore.{place}".rpartition(".")
        rename[path][name] = in_our_tree(target)
    aliases: tuple[Alias, ...] = columns("module_aliases.tsv", Alias, repeated=True)
    for row in aliases:
        for path in row.modules:
            rename[path][row.name] = row.origin
            if row.since:
                modules_until[path][row.name] = row.since
    same = {f"mindspore.{path}": in_our_tree(module) for path, module in SAME.items()}
    paths = {*same, *rename, *(f"mindspore.{path}" for path in (*ROOMS, *MOVED)), *module_names()}
    return {
        path: Forward(path, same.get(path, ""), rooms_of(path), rename.get(path, {}), modules_until.get(path, {}))
        for path in sorted(paths)
    }


@dataclass(frozen=True, slots=True)
class Brought:
    """A row of brought_names.tsv."""

    name: str  # what modules of MindSpore import from elsewhere, and so have
    origin: str  # where it is from: a module, or a dotted path of something in one
    modules: str  # those modules, with spaces between


@cache
def origins_of_brought() -> Mapping[tuple[str, str], str]:
    """Return the origins of names that modules re-export, by module and name."""
    rows: tuple[Brought, ...] = columns("brought_names.tsv", Brought, repeated=True)
    return {(path, row.name): row.origin for row in rows for path in row.modules.split()}


OTHER = "other"  # in place of a release: what public scripts take from a module, of any release


@dataclass(frozen=True, slots=True)
class ModuleNames:
    """A row of module_names.tsv."""

    module: str  # a MindSpore module path
    release: str = ""  # the earlier release that these names are from, "other" where public scripts are; empty for 2.10
    includes: tuple[str, ...] = ()  # modules that publish no names but those that this one publishes too
    names: tuple[str, ...] = ()  # the rest of what `from module import *` brings
    beside: tuple[str, ...] = ()  # what else `dir(module)` has
    listed: bool = False  # whether the module has `__all__`
    lacking: tuple[str, ...] = ()  # what `__all__` lists and the module lacks: there, `import *` fails


@cache
def module_names() -> Mapping[str, list[ModuleNames]]:
    """Return the rows of module_names.tsv by MindSpore path, that of 2.10 first."""
    found: dict[str, list[ModuleNames]] = {}
    for row in columns("module_names.tsv", ModuleNames, repeated=True):
        found.setdefault(row.module, []).append(row)
    return found


@cache
def names_of(path: str) -> frozenset[str] | None:
    """Return the names of `from module import *` in MindSpore, in 2.10 or before; None where nothing is recorded."""
    rows = module_names().get(path)
    if rows is None or not any(row.names or not row.release for row in rows):
        return None
    return frozenset().union(*(_names(row) for row in rows if row.release != OTHER))


def newest(path: str) -> ModuleNames | None:
    """Return the row of a module of 2.10; None where 2.10 has no such module, or it is not here."""
    row = module_names().get(path, [None])[0]
    return None if row is None or row.release else row


@cache
def names_in_all(path: str) -> tuple[str, ...] | None:
    """Return the `__all__` of a module of 2.10, in alphabetical order; None where it has none."""
    row = newest(path)
    return tuple(sorted(_names(row).union(row.lacking))) if row and row.listed else None


@cache
def members(path: str) -> frozenset[str]:
    """Return the names in `dir` of a module of 2.10."""
    row = newest(path)
    return _names(row).union(row.beside) if row else frozenset()


def _names(row: ModuleNames) -> frozenset[str]:
    """Return the names of a row; what it includes is of 2.10."""
    newest = [module_names()[path][0] for path in row.includes]
    return frozenset(row.names).union(*map(_names, newest))


@cache
def names_in_any_release(path: str) -> frozenset[str]:
    """Return the names that a module has in MindSpore, in 2.10 or before, and what public scripts take from it."""
    others = (row.names for row in module_names().get(path, ()) if row.release == OTHER)
    return members(path) | (names_of(path) or frozenset()).union(*others)


@cache
def children() -> Mapping[str, frozenset[str]]:
    """Return the names of the modules right below each path that has rows below it."""
    below: dict[str, set[str]] = {}
    for path in rows():
        parent, _, name = path.rpartition(".")
        below.setdefault(parent, set()).add(name)
    return {parent: frozenset(names) for parent, names in below.items()}


def ours(path: str) -> str:
    """Turn `mindspore.a.b` into `msbridge.a.b`."""
    return "msbridge" + path.removeprefix("mindspore")


def locate(path: str) -> ModuleType | Forward | None:
    """Return the module or forward that serves `path`.

    Returns:
        Our own module where there is one that is the same, else what forwards to our rooms, else None.
    """
    row = rows().get(path, Forward(path))
    if row.same:
        return room(row.same)
    found = room(ours(path)) if _public(path) else None
    return found or (row if path in rows() or path in children() else None)


@cache
def facade_path(name: str) -> str | None:
    """Return the MindSpore path for which our module `name` needs a facade: a room's, or a row's; else None."""
    if name in _sames():
        return _sames()[name]
    path = "mindspore" + name.removeprefix("msbridge")
    needed = path.count(".") < 2 or path in rows() or path in children()
    return path if needed and _public(path) else None


@cache
def _sames() -> Mapping[str, str]:
    """Return the MindSpore path of each module of ours that is another one there; of several, the first."""
    return {row.same: row.path for row in reversed([*rows().values()]) if row.same}


def _public(path: str) -> bool:
    """Whether `path` may be one of MindSpore's; our private files and rooms are not."""
    first, *rest = [*path.split(".")[1:], ""]
    return first not in INTERNAL and not any(part.startswith("_") for part in (first, *rest))


def room(name: str) -> ModuleType | None:
    """Import one of our modules, or return None where the house has none of that name."""
    return importlib.import_module(name) if exists(name) else None


@cache
def has_file(path: str) -> bool:
    """Whether our tree has a module at the place of MindSpore's `path`; nothing is imported to find out."""
    place = Path(str(msbridge.__file__)).parent.joinpath(*path.split(".")[1:])
    return place.is_dir() or place.with_name(f"{place.name}.py").is_file()


@cache
def exists(name: str) -> bool:
    """Whether our house has the module `name`; its parents are imported to find out."""
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError as error:
        if error.name is not None and name.startswith(error.name):  # the parent is not there, or is not a package
            return False
        raise
