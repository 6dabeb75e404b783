"""Lazy imports: names of a package whose files are imported when a name is first asked for (PEP 562).

A package names what it hands on from `msbridge.contrib`, and what few programs need of its own, in one table:

    __getattr__, __dir__ = lazy_names(__name__, {"msbridge.contrib.thor.optimizer": "thor"})
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["imported", "lazy_names"]


def imported(path: str) -> Any:
    """Import the module of a dotted path, and return what the path names in it."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def lazy_names(
    package: str, files: Mapping[str, str], modules: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package.

    Args:
        package: its name.
        files: names by the module that defines them, separated by spaces.
        modules: names of modules below the package, separated by spaces.
    """
    places = {name: f"{module}.{name}" for module, names in files.items() for name in names.split()}
    below = frozenset(modules.split())

    def find(name: str) -> Any:
        if name in below:
            return import_module(f"{package}.{name}")
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        return imported(places[name])

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *places, *below})

    return find, names
