"""Lazy imports: names of a package whose files are imported when a name is first asked for (PEP 562).

A package names what it publishes from `msbridge.contrib`, and what few programs need of its own, in one table:

    __getattr__, __dir__ = lazy_names(__name__, {"msbridge.contrib.thor.optimizer": "thor"})

Large rooms have a table for all of their files, `public_names.py`, which tools/stubs.py writes from the imports that
the package shows to type checkers. What was found once is an attribute of the package from then on, so that `nn.Dense`
costs what it costs in any module; while the drop-in has a facade on the package, the facade decides what is kept.
Threads that ask at once wait for each other in Python's import locks, which are a module's own.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["import_path", "lazy_names", "names_in"]


def import_path(path: str) -> Any:
    """Import the module of a dotted path, and return what the path names in it."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def names_in(files: Mapping[str, str]) -> list[str]:
    """Return the names of a table, in alphabetical order: a package's `__all__`."""
    return sorted(name for names in files.values() for name in names.split())


def lazy_names(
    package: str,
    files: Mapping[str, str],
    modules: str = "",
    otherwise: Callable[[str], Any] | None = None,
    take: Callable[[ModuleType, str], Any] = getattr,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package.

    Args:
        package: its name.
        files: names by the module that defines them, separated by spaces.
        modules: names of modules below the package, separated by spaces.
        otherwise: what looks up all other names, or raises AttributeError; none of them is kept.
        take: what takes a name from its module.
    """
    places = {name: module for module, names in files.items() for name in names.split()}
    below = frozenset(modules.split())

    def find(name: str) -> Any:
        if name in below:
            return import_module(f"{package}.{name}")
        if name not in places:
            if otherwise is not None:
                return otherwise(name)
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        attributes = vars(sys.modules[package])
        found = take(import_module(places[name]), name)
        if attributes.get("__getattr__") is find:
            return attributes.setdefault(name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *places, *below})

    return find, names
