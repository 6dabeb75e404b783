"""The names of MindSpore that a file uses and msbridge does not have."""

import ast
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any

from msbridge.dropin import absence, install, installed, uninstall
from msbridge.dropin.era.sources import uses
from msbridge.scan.findings import Finding, Level, Rule
from msbridge.scan.project import Module

__all__ = ["ABSENT", "RULES", "check", "missing", "served"]

ABSENT = Rule(
    "absent",
    Level.REFUSED,
    "a name of MindSpore that is not here",
    "the script ends there with an error that says why",
    "what the finding says; `try` with `except ImportError` or `AttributeError` around it takes the finding out",
)
RULES = (ABSENT,)
CATCHING = {"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException"}


@contextmanager
def served() -> Iterator[None]:
    """Have `mindspore` imported from msbridge, as scripts do, and as it was before in the end."""
    if installed():
        yield
        return
    install()
    try:
        yield
    finally:
        uninstall()


def check(module: Module, walked: set[object]) -> Iterator[Finding]:
    """Yield the places of a file where a name is used that is not here, and count all names in its project.

    Inside of `served` only.
    """
    if "mindspore" not in module.source.text:
        return
    tree = module.source.tree
    guarded = {id(node) for node in _guarded(tree)}
    longest: dict[tuple[int, int], str] = {}
    for path, node in uses(tree):
        place = node.lineno, node.col_offset  # type: ignore[attr-defined]  # all of them have a place
        module.project.names[path] += "(" in path
        if "(" not in path and id(node) not in guarded:
            longest[place] = max(longest.get(place, ""), path, key=len)
    for (line, column), path in longest.items():
        module.project.names[path] += 1
        if (rule := missing(path)) and not module.source.ignores(rule.id, line):
            yield Finding(rule, str(module.source.path), line, column + 1, module.source.excerpt(line))


@cache
def missing(path: str) -> Rule | None:
    """Return what is wrong with a path such as "mindspore.nn.Cell"; None where all of it that a module has is here."""
    found: Any = importlib.import_module("mindspore")
    names = path.split(".")
    for count in range(2, len(names) + 1):
        if not isinstance(found, ModuleType):
            return None  # what objects have, only a run can tell
        try:
            found = getattr(found, names[count - 1])
        except (AttributeError, ImportError) as error:
            return _rule(".".join(names[:count]), found, str(error))
    return None


def _rule(path: str, owner: ModuleType, said: str) -> Rule:
    what = f"{path} is not here"
    if row := absence.reason(path):
        return replace(ABSENT, what=what, why=row.absent, fix=f"use {row.instead}" if row.instead else "leave it out")
    near = absence.meant(path, dir(owner), lambda name: hasattr(owner, name))
    return replace(
        ABSENT, what=what, why=said.rstrip("."), fix=f"write {near}" if near else "look it up in the release"
    )


def _guarded(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes of which a script catches the error."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any(map(_catches, node.handlers)):
            for statement in node.body:
                yield from ast.walk(statement)


def _catches(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    return any(isinstance(one, ast.Name) and one.id in CATCHING for one in ast.walk(handler.type))
