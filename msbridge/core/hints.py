"""Hints for errors at a script's own line: what a call there gives, where the script took it for something else.

The rows stand in `mappings/hints.toml`. Everything here runs when a script has ended with an error.
"""

import ast
import itertools
import linecache
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from msbridge.mappings import table

PACKAGE = str(Path(__file__).parent.parent)
Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
Span = tuple[int | None, int | None, int | None, int | None]  # lines and columns: (first, last, column, last column)


@dataclass(frozen=True, slots=True)
class Hint:
    """A row of hints.toml.

    Attributes:
        path: the MindSpore name of what is called.
        gives: the type of the result, as Python's error names it.
        now: what it gives.
        instead: what to write.
        since: the release that changed it; empty where it always was so.
        was: what it gave before.
    """

    path: str
    gives: str
    now: str
    instead: str
    since: str = ""
    was: str = ""

    def __str__(self) -> str:
        name = self.path.removeprefix("mindspore.")
        change = f"; before MindSpore {self.since} it gave {self.was}" if self.since else ""
        return f"{name} gives {self.now}{change}. Instead: {self.instead}."


def hint_for(error: BaseException) -> str | None:
    """Return a sentence for the user whose code failed on the form of a value, or None where nothing is known.

    Args:
        error: an AttributeError or TypeError as it was caught, with its traceback.
    """
    if not isinstance(error, AttributeError | TypeError) or (place := _user_place(error.__traceback__)) is None:
        return None
    text = str(error)  # "sequence" is what a product says of a tuple
    rows = [row for row in table("hints.toml", Hint).values() if row.gives in text or "sequence" in text]
    frame, span = place
    for call in _calls(frame.f_code.co_filename, span) if rows else ():
        for row in rows:
            if _is_call_of(row.path, call.func, frame):
                return str(row)
    return None


def _user_place(traceback: TracebackType | None) -> tuple[FrameType, Span] | None:
    """Return the innermost frame that is not msbridge's, and where in its source the failing expression stands."""
    place = None
    while traceback is not None:
        frame = traceback.tb_frame
        if not frame.f_code.co_filename.startswith(PACKAGE):
            positions = frame.f_code.co_positions()
            place = frame, next(itertools.islice(positions, traceback.tb_lasti // 2, None))
        traceback = traceback.tb_next
    return place


def _calls(filename: str, span: Span) -> Iterator[ast.Call]:
    """Yield the calls in the failing expression, then those whose results its variables hold."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except SyntaxError:  # a notebook's cell with a magic command
        return
    inside = [node for node in ast.walk(tree) if isinstance(node, ast.expr) and _is_within(node, span)]
    yield from (node for node in inside if isinstance(node, ast.Call))
    read = {node.id for node in inside if isinstance(node, ast.Name)}
    for node in reversed(list(_assignments(tree, span[0] or 0))):
        targets = {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node.value, ast.Call) and read & targets:
            yield node.value


def _is_within(node: ast.expr, span: Span) -> bool:
    first, last, column, end = span
    if first is None or last is None or node.end_lineno is None:
        return False
    starts = (node.lineno, node.col_offset) >= (first, column or 0)
    return starts and (node.end_lineno, node.end_col_offset or 0) <= (last, sys.maxsize if end is None else end)


def _assignments(tree: ast.Module, line: int) -> Iterator[ast.Assign]:
    """Yield the assignments above `line`, those of the innermost function around it last."""
    scopes: list[Scope] = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef)
        and (isinstance(node, ast.Module) or node.lineno <= line <= (node.end_lineno or line))
    ]
    for scope in scopes:
        above = [node for node in ast.walk(scope) if isinstance(node, ast.Assign) and node.lineno < line]
        yield from sorted(above, key=lambda node: node.lineno)


def _is_call_of(path: str, func: ast.expr, frame: FrameType) -> bool:
    """Say whether `func`, seen from `frame`, is what MindSpore names `path`; of unknown objects, the method's name."""
    owner, _, name = path.rpartition(".")
    found = _value(func, frame)
    if found is None:
        return owner.endswith(".Tensor") and isinstance(func, ast.Attribute) and func.attr == name
    wanted: Any = sys.modules.get("msbridge")
    for part in path.split(".")[1:]:
        wanted = getattr(wanted, part, None)
    return wanted is not None and any(one is wanted for one in (found, type(found), getattr(found, "__func__", None)))


def _value(node: ast.expr, frame: FrameType) -> Any:
    """Return what a dotted name stands for in `frame`; a class for the object that its call makes; None if unknown."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if isinstance(node, ast.Call):
        made = _value(node.func, frame)
        return made if isinstance(made, type) else None
    if isinstance(node, ast.Attribute) and (owner := _value(node.value, frame)) is not None:
        return getattr(owner, node.attr, None)
    return None
