"""Attributes of objects that callers read and do not set."""

from operator import attrgetter
from typing import Any


def read_only(path: str, doc: str) -> Any:
    """Return a property that reads an attribute, such as "_scale" or "_values.dtype"."""
    return property(attrgetter(path), doc=doc)
