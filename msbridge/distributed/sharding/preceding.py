"""Classes that come before that of a primitive which has a strategy."""

from collections.abc import Callable
from typing import Any

__all__ = ["put_class_first"]


def put_class_first(first: type) -> Callable[[Any], None]:
    """Return a function that has `first` come before the class of a primitive, once."""
    classes: dict[type, type] = {}

    def precede(primitive: Any) -> None:
        if isinstance(primitive, first):
            return
        kind = type(primitive)
        if kind not in classes:
            classes[kind] = type(kind.__name__, (first, kind), {"__module__": kind.__module__, "__doc__": kind.__doc__})
        primitive.__class__ = classes[kind]

    return precede
