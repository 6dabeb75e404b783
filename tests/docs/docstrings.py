"""Docstrings of public names, section by section, and what a signature asks of them."""

import inspect
import re
from collections.abc import Iterator
from enum import EnumMeta
from importlib import import_module
from typing import Any, NoReturn

from msbridge.nn.cell.cell import Cell

RESULTS = ("Returns", "Outputs", "Yields")
NOTHING = (None, "None", NoReturn, "NoReturn")
_ENTRY = re.compile(r"^ {4}(\*{0,2}\w+(?:, \*{0,2}\w+)*): ", re.MULTILINE)
VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def public(module: str) -> Iterator[tuple[str, Any]]:
    """Yield the functions and classes that a module publishes, each once."""
    published = import_module(module)
    seen = set()
    for name in getattr(published, "__all__", None) or [name for name in dir(published) if name[0] != "_"]:
        if not name.isidentifier():  # MindSpore extends its own list by the letters of its version
            continue
        value = getattr(published, name, None)  # one of MindSpore's own list may not be there
        if (inspect.isclass(value) or inspect.isroutine(value)) and id(value) not in seen:
            seen.add(id(value))
            yield name, value


def doc_of(value: Any) -> str:
    """Return a docstring; of a class whose `__init__` has the arguments, with that of it."""
    doc = inspect.getdoc(value) or ""
    if inspect.isclass(value) and "Args:" not in doc and "__init__" in vars(value):
        doc += "\n\n" + (inspect.getdoc(vars(value)["__init__"]) or "")
    return doc


def section(doc: str, title: str) -> str:
    """Return the text of a section, "" where there is none."""
    found = re.search(rf"^{title}:\n((?: {{4}}.*\n|\n)*)", f"{doc}\n", re.MULTILINE)
    return found[1] if found else ""


def named(doc: str) -> set[str]:
    """Return the arguments that a docstring describes."""
    return {name.strip("*") for entry in _ENTRY.findall(section(doc, "Args")) for name in entry.split(", ")}


def lacking(value: Any, bound: bool = False) -> list[str]:
    """Return what the docstring of a public name lacks, and the arguments that it describes and that are not there.

    A bound method need not describe its object, which it may call what the function does that it is.
    """
    if isinstance(value, EnumMeta) or (inspect.isclass(value) and issubclass(value, BaseException)):
        return []
    doc = doc_of(value)
    try:
        signature = inspect.signature(value)
    except ValueError:  # written in C
        return []
    parameters = signature.parameters.values()
    asked = {each.name for each in [*parameters][bound:] if each.kind not in VARIADIC and each.name[0] != "_"}
    served = {each.name for each in parameters} | {*getattr(getattr(value, "__code__", None), "co_varnames", ())}
    lacks = [*(asked - named(doc)), *(f"not there: {name}" for name in named(doc) - served)]  # older words are hidden
    if inspect.isclass(value):
        if issubclass(value, Cell):
            takes = [*inspect.signature(value.construct).parameters][1:]
            lacks += ["Inputs"] * bool(takes and not section(doc, "Inputs"))
            lacks += ["Outputs"] * (not any(section(doc, title) for title in RESULTS))
    elif signature.return_annotation not in (*NOTHING, inspect.Signature.empty):
        lacks += ["Returns"] * (not any(section(doc, title) for title in RESULTS))
    return lacks
