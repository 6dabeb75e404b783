"""Checks of what is passed to the calls that rewrite a network."""

from typing import Any

from msbridge.core.checks.arguments import instance

__all__ = ["elements", "items"]


def elements(value: Any, name: str, owner: str, kinds: type | tuple[type, ...]) -> Any:
    """Return `value`, a list or tuple of instances of the types.

    Raises:
        TypeError: it is something else, or an element is.
    """
    for one in instance(value, name, owner, (list, tuple)):
        _each(one, name, owner, kinds)
    return value


def items(value: Any, name: str, owner: str, kind: type) -> Any:
    """Return `value`, a dict of strings and instances of the type.

    Raises:
        TypeError: it is something else, or a key or a value is.
    """
    for key, one in instance(value, name, owner, dict).items():
        _each(key, name, owner, str)
        _each(one, name, owner, kind)
    return value


def _each(element: Any, name: str, owner: str, kinds: type | tuple[type, ...]) -> None:
    if not isinstance(element, kinds):
        names = " or ".join(kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))
        raise TypeError(
            f"For '{owner}', the type of each of '{name}' should be {names}, "
            f"but got {element!r} with type '{type(element).__name__}'."
        )
