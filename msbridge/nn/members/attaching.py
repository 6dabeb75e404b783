"""Attributes of a class that are made when they are first read."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

__all__ = ["members"]


def members(*owners: type, **makers: Any) -> None:
    """Attach attributes to classes.

    A strategy for one of them is said to be without effect, unless its class has `_by_operators`.

    Args:
        owners: the classes.
        makers: name → the class of an operator, made without arguments; a function that makes the attribute of an
            object; or the value itself.

    Raises:
        KeyError: a class has an attribute of that name.
    """
    for owner in owners:
        for name, make in makers.items():
            if name in vars(owner):
                raise KeyError(f"{owner.__name__} has a {name!r} of its own.")
            setattr(owner, name, _property_of(owner, name, make) if callable(make) else make)
        if "_by_operators" not in vars(owner):
            owner._calls_operators = False  # type: ignore[attr-defined]


def _property_of(owner: type, name: str, make: Callable[..., Any]) -> cached_property[Any]:
    member = cached_property((lambda _: make()) if isinstance(make, type) else make)
    member.__set_name__(owner, name)
    return member
