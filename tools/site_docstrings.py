"""An extension of the site's reader of source files: docstrings as they are once the package is imported.

What many docstrings share, and the sections of rows, are put in at import; the source has a line for them, or nothing.
"""

import inspect
from importlib import import_module
from typing import Any

import griffe


class ImportedDocstrings(griffe.Extension):
    """Gives classes, functions and rows of definitions the docstring of the object itself."""

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Take the docstring of the class."""
        _complete(cls)

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Take the docstring of the function."""
        _complete(func)

    def on_attribute(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Take the docstring of an operator that is a row."""
        if attr.parent and attr.parent.is_module:
            _complete(attr)


def _complete(member: griffe.Object) -> None:
    value = _find(member.path)
    doc = inspect.getdoc(value) if inspect.isclass(value) or inspect.isfunction(value) else None
    if doc and member.docstring:
        member.docstring.value = doc
    elif doc:
        member.docstring = griffe.Docstring(doc, parent=member, lineno=member.lineno)


def _find(path: str) -> Any:
    """Return what a path leads to, None where that is not a name of a public module."""
    module, _, name = path.rpartition(".")
    try:
        return getattr(import_module(module), name, None)
    except ImportError:  # a member of a class, or a module that needs a package which is not there
        return None
