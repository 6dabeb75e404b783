"""Stand-ins: names that MindSpore has and msbridge does not, which say so when they are used.

A module of MindSpore 2.10 has here all names that it has there, so that `from module import *`, `hasattr` and packages
that import more than they call find what they look for. What is not built is replaced by something of the same kind: a
class, a function, a module, an object. To call it, or to look inside of it, raises an error that says why it is not
there. Plain numbers, texts and collections of them are what they are in MindSpore, and primitives without attributes
are those of `ops`.

Follows: the names of MindSpore's modules (2.10), in mappings/stand_ins.tsv.
"""

import ast
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, NoReturn

from msbridge.dropin.importing import missing_names
from msbridge.mappings import columns

INNER = "it is an inner part of MindSpore"


@dataclass(frozen=True, slots=True)
class StandIn:
    """A row of stand_ins.tsv."""

    name: str  # a name of modules of MindSpore
    kind: str = ""  # "class", "exception", "function", "module", "object"; "literal" or "instance"
    value: str = ""  # a literal's text; the path of an instance's class; the path of a module
    modules: str = ""  # those modules, with spaces between


@cache
def _rows() -> Mapping[tuple[str, str], StandIn]:
    rows: tuple[StandIn, ...] = columns("stand_ins.tsv", StandIn, repeated=True)
    return {(path, row.name): row for row in rows for path in row.modules.split()}


_stand_ins: dict[int, object] = {}  # by identity: they are kept, so no other object takes it


def find(path: str, name: str) -> tuple[object] | None:
    """Return the stand-in for a name of a MindSpore module; None where nothing does."""
    row = _rows().get((path, name))
    return None if row is None else (_build(row, f"{path}.{name}"),)


def stands_in(value: object) -> bool:
    """Whether an object represents something that is not there."""
    return id(value) in _stand_ins


@cache
def _build(row: StandIn, path: str) -> object:
    if row.kind == "literal":
        return ast.literal_eval(row.value)
    if row.kind == "instance":
        module, _, name = row.value.rpartition(".")
        return getattr(importlib.import_module(module), name)()
    if row.kind == "module" and (found := _import_or_none(row.value)):
        return found
    stand_in = _KINDS[row.kind](path, _explanation(path))
    _stand_ins[id(stand_in)] = stand_in
    return stand_in


def _import_or_none(path: str) -> ModuleType | None:
    try:
        return importlib.import_module(path)
    except ImportError:
        return None


def _explanation(path: str) -> str:
    return missing_names.explanation(path) or f"{path} is not available in msbridge: {INNER}."


def _raise_absent(text: str, name: str) -> NoReturn:
    """Answer that nothing is inside; Python's own questions, for names with underscores, get Python's answer."""
    raise AttributeError(name if name.startswith("__") else text, name=name)


class _ClassOfAbsent(type):
    """The class of an absent class: it can be derived from and checked against, but constructs nothing."""

    _text: str

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(cls._text)

    def __getattr__(cls, name: str) -> NoReturn:
        _raise_absent(type.__getattribute__(cls, "_text"), name)


class _Object:
    """An object that is not there."""

    def __init__(self, path: str, text: str) -> None:
        self.__name__ = path.rpartition(".")[2]
        self.__doc__ = self._text = text

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(self._text)

    __getitem__ = __setitem__ = __iter__ = __len__ = __bool__ = __contains__ = __enter__ = _refuse

    def __exit__(self, *args: object) -> None:
        """Make it a context, which is refused where it is entered."""

    def __getattr__(self, name: str) -> NoReturn:
        _raise_absent(self._text, name)

    def __repr__(self) -> str:
        return f"<{self._text}>"


def _class(path: str, text: str) -> type:
    namespace = {"__module__": path.rpartition(".")[0], "__doc__": text, "_text": text}
    return _ClassOfAbsent(path.rpartition(".")[2], (), namespace)


def _exception(path: str, text: str) -> type:
    return type(path.rpartition(".")[2], (Exception,), {"__module__": path.rpartition(".")[0], "__doc__": text})


def _function(path: str, text: str) -> Callable[..., NoReturn]:
    def absent(*args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(text)

    absent.__module__, _, absent.__name__ = path.rpartition(".")
    absent.__qualname__, absent.__doc__ = absent.__name__, text
    return absent


def _module(path: str, text: str) -> ModuleType:
    module = ModuleType(path, text)
    vars(module)["__getattr__"] = lambda name: _raise_absent(text, name)
    return module


_KINDS: Mapping[str, Callable[[str, str], object]] = {
    "class": _class,
    "exception": _exception,
    "function": _function,
    "module": _module,
    "object": _Object,
}
