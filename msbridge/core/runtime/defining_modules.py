"""Defining modules of classes and functions, independent of their `__module__`.

While the drop-in is installed, `nn.Dense.__module__` is "mindspore.nn.layer.basic", as scripts and pickle expect it.
Whoever needs to know where a class of ours is in our own tree asks here.
"""

from typing import Any

_defined: dict[int, tuple[Any, str]] = {}  # by identity: metaclasses compare as they like


def defining_module(definition: Any) -> str:
    """Return the name of the module that defines a class or function; "" for what has none."""
    known = _defined.get(id(definition))
    return known[1] if known else str(getattr(definition, "__module__", None) or "")


def is_own(definition: Any) -> bool:
    """Whether msbridge defines a class or function."""
    return defining_module(definition).startswith(("msbridge.", "mindspore."))


def present(definition: Any, module: str) -> None:
    """Set `__module__` to another module; the first one that is set stays."""
    if id(definition) not in _defined:
        _defined[id(definition)] = definition, definition.__module__
        _set(definition, module)


def restore() -> None:
    """Reset `__module__` of everything to the defining module."""
    while _defined:
        definition, module = _defined.popitem()[1]
        _set(definition, module)


def _set(definition: Any, module: str) -> None:
    line = vars(definition).get("__firstlineno__")  # a class loses it with its module, since Python 3.13
    definition.__module__ = module
    if line is not None:
        definition.__firstlineno__ = line
