"""The names of MindSpore that a file uses and msbridge does not have."""

import ast
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cache
from types import ModuleType
from typing import Any

from msbridge.core.checks.no_effect_warnings import Setting, settings
from msbridge.core.checks.suggestions import synonyms
from msbridge.dropin import install, installed, uninstall
from msbridge.dropin.importing import missing_names
from msbridge.dropin.release_guess import last_release
from msbridge.dropin.release_guess.nodes import Nodes, walk
from msbridge.dropin.stand_ins import stands_in
from msbridge.scan.findings import Finding, Level, Named, Rule
from msbridge.scan.project import Module

__all__ = ["ABSENT", "LEGACY", "NO_EFFECT", "RULES", "check", "find_guarded_nodes", "missing", "serve_mindspore"]

ABSENT = Rule(
    "absent",
    Level.REFUSED,
    "a MindSpore name that msbridge lacks",
    "the script ends there with an error that says why",
    "what the finding says; `try` with `except ImportError` or `AttributeError` around it suppresses the finding",
)
LEGACY = Rule(
    "former",
    Level.ADVICE,
    "a name that the newest MindSpore does not have",
    "msbridge has it, for scripts of earlier releases",
    "use a newer name if the script must also run on the newest MindSpore",
)
NO_EFFECT = Rule(
    "no-effect",
    Level.ADVICE,
    "a setting that has no effect here",
    "it is accepted, and has nothing to act on",
    "remove it, or keep it",
)
RULES = (ABSENT, LEGACY, NO_EFFECT)
ALIKE = 0.86  # of two spellings of one name: "rellu" and "relu", not "TopKRouter" and "ToOther"
CATCHING = {"ImportError", "ModuleNotFoundError", "AttributeError", "Exception", "BaseException"}


@contextmanager
def serve_mindspore() -> Iterator[None]:
    """Import `mindspore` from msbridge, as scripts do, and as it was before in the end."""
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

    Inside of `serve_mindspore` only.
    """
    if not module.uses:
        return
    guarded = {id(node) for node in find_guarded_nodes(module.source.nodes)}
    paths: set[str] = set()
    longest: dict[tuple[int, int], tuple[int, str, ast.AST]] = {}
    for path, node in module.uses:
        if "(" in path and (rule := _without_effect(path)):
            yield from _report(module, rule, node.lineno, node.col_offset)  # type: ignore[attr-defined]
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            paths.add(path)
        place = node.lineno, node.col_offset  # type: ignore[attr-defined]  # all of them have a place
        module.project.names[path] += "(" in path
        if "(" not in path and id(node) not in guarded:
            longest[place] = max(longest.get(place, (0, "", node)), (len(path), path, node), key=lambda one: one[0])
    said: set[object] = set()
    for (line, column), (_, path, node) in sorted(longest.items()):
        module.project.names[path] += 1
        if path in paths or any(path.startswith(f"{one}.") for one in paths):
            continue  # the script has put it there itself
        rule = missing(path) or (None if module.bound.is_unsure(node) else _legacy_rule(path))
        named = module.project.named
        state = {"": "available", ABSENT.id: "missing"}.get(rule.id if rule else "", "different")
        first = named.get(path) or Named(path, state, 0, str(module.source.path), line, rule)
        named[path] = replace(first, uses=first.uses + 1)
        # A line reports the same once; what is different here, once of a file.
        if rule and (known := (rule, line if rule.id == ABSENT.id else 0)) not in said:
            said.add(known)
            yield from _report(module, rule, line, column)


def _report(module: Module, rule: Rule, line: int, column: int) -> Iterator[Finding]:
    if not module.source.ignores(rule.id, line):
        yield Finding(rule, str(module.source.path), line, column + 1, module.source.excerpt(line))


@cache
def missing(path: str) -> Rule | None:
    """Return the rule that a path such as "mindspore.nn.Cell" breaks; None where modules and classes have all of it."""
    value: Any = importlib.import_module("mindspore")
    names = path.split(".")
    for count in range(2, len(names) + 1):
        if not isinstance(value, ModuleType | type):
            value = _module(".".join(names[: count - 1]))  # which comes behind a function of its name
        if value is None:
            return None  # what objects have, only a run can show
        try:
            value = getattr(value, names[count - 1])
        except (AttributeError, ImportError) as error:
            return _rule(".".join(names[:count]), value, str(error))
        if stands_in(value):
            return _rule(".".join(names[:count]), value, "it can be imported, and says so where it is used")
    return None


def _module(path: str) -> ModuleType | None:
    try:
        return importlib.import_module(path)
    except ImportError:
        return None


@cache
def _legacy_rule(path: str) -> Rule | None:
    """Return the rule for a path that is here, and left MindSpore with some release."""
    names = path.split(".")
    for count in range(len(names), 1, -1):
        above = ".".join(names[:count])
        if until := last_release(above):
            return replace(LEGACY, what=f"{above} is of releases up to {until}")
    return None


@cache
def _without_effect(path: str) -> Rule | None:
    """Return the rule for an argument, "mindspore.set_context(save_graphs)", that does nothing here."""
    owner, _, argument = path.rstrip(")").partition("(")
    row = _settings().get(f"{owner.rpartition('.')[2]}.{argument}")
    if row is None or not row.notice:
        return None
    what = f"{argument} of {owner} has no effect here: {row.purpose}"
    return replace(NO_EFFECT, what=what, why=f"it is accepted: {row.because}")


@cache
def _settings() -> dict[str, Setting]:
    """Return the settings without effect by their last two parts, which no path to their function changes."""
    return {".".join(name.split(".")[-2:]): row for name, row in settings().items() if name.count(".") < 3}


def _rule(path: str, owner: ModuleType | type, said: str) -> Rule:
    what = f"{path} is not in msbridge"
    if row := missing_names.reason(path):
        return replace(ABSENT, what=what, why=row.absent, fix=f"use {row.instead}" if row.instead else "leave it out")
    near = missing_names.guess_meaning(path, dir(owner), lambda name: hasattr(owner, name))
    fix = "look for another way: no name here is spelt like it"
    if near:
        fix = f"write {near}" if _is_sure(path, near) else f"look it up in the release that has it; perhaps {near}"
    return replace(ABSENT, what=what, why=said.rstrip("."), fix=fix)


def _is_sure(path: str, near: str) -> bool:
    """Whether a name is what a path was meant to be: by the table, under another module, or by a letter or two."""
    parent, _, name = path.rpartition(".")
    if "." in near or near in synonyms(name, parent.removeprefix("mindspore.")):
        return True
    return SequenceMatcher(None, name.lower().replace("_", ""), near.lower().replace("_", "")).ratio() >= ALIKE


def find_guarded_nodes(nodes: Nodes) -> Iterator[ast.AST]:
    """Yield the nodes of which a script catches the error."""
    tries: list[ast.Try | ast.TryStar] = [*nodes.of(ast.Try), *nodes.of(ast.TryStar)]
    for node in tries:
        if any(map(_catches, node.handlers)):
            for statement in node.body:
                yield from walk(statement)


def _catches(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    return any(isinstance(one, ast.Name) and one.id in CATCHING for one in ast.walk(handler.type))
