"""Attributes of a layer that are made when they are first read.

A row names its class, and is attached to it from the moment that the class is defined: `Cell.__init_subclass__` calls
`attach`. So a layer's file is loaded without what lies above it, and without the operators of all layers.
"""

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import Any

from msbridge.core.runtime.lazy_names import import_path

__all__ = ["HyperMap", "Map", "Members", "P", "attach"]

# The tables of the classes of each package of nn.
_TABLES = {
    "msbridge.nn.layers.": ("convolutions", "layers"),
    "msbridge.nn.losses.": ("losses",),
    "msbridge.nn.optim.cells.": ("optimizers",),
    "msbridge.nn.schedules.": ("schedules",),
    "msbridge.nn.steps.": ("steps",),
}


class Operator:
    """A class of operators that is imported when one is made.

    Args:
        path: where it is defined.
    """

    def __init__(self, path: str) -> None:
        self._path = path

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return import_path(self._path)(*args, **kwargs)


class _Primitives:
    def __getattr__(self, name: str) -> Operator:
        return Operator(f"msbridge.ops.operations.{name}")


P: Any = _Primitives()
HyperMap = Operator("msbridge.ops.framework.composite.functions.HyperMap")
Map = Operator("msbridge.ops.framework.composite.functions.Map")


class Members(dict[str, dict[str, Any]]):
    """A table of attributes, by the names of the classes that they are attached to."""

    def __call__(self, *owners: str, **makers: Any) -> None:
        """Attach attributes to classes, when these are defined.

        A strategy for one of them is said to be without effect, unless its class has `_by_operators`.

        Args:
            owners: the names of the classes.
            makers: name → the class of an operator, made without arguments; a function that makes the attribute of an
                object; or the value itself.
        """
        for owner in owners:
            self.setdefault(owner, {}).update(makers)


def attach(owner: type) -> None:
    """Attach its attributes to a class of nn.

    Raises:
        KeyError: the class has an attribute of that name.
    """
    files = next((files for package, files in _TABLES.items() if owner.__module__.startswith(package)), ())
    for file in files:
        table: Members = import_module(f"msbridge.nn.members.{file}").members
        if owner.__name__ in table:
            _attach(owner, table[owner.__name__])


def _attach(owner: Any, makers: dict[str, Any]) -> None:
    for name, make in makers.items():
        if name in vars(owner):
            raise KeyError(f"{owner.__name__} has a {name!r} of its own.")
        setattr(owner, name, member_of(owner, name, make) if callable(make) else make)
    if "_by_operators" not in vars(owner):
        owner._calls_operators = False


def member_of(owner: type, name: str, make: Callable[..., Any]) -> cached_property[Any]:
    """Return the attribute of a class that `make` makes for an object when it is first read."""
    member = cached_property((lambda _: make()) if isinstance(make, Operator) else make)
    member.__set_name__(owner, name)
    return member
