"""Hints for errors at a script's own line: what a call there returns, where the script took it for something else.

The rows are in `mappings/hints.toml`. Everything here runs when a script has ended with an error.
"""

import ast
import linecache
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any

from msbridge.core.checks.stack_frames import Span, failing_position, is_ours, value_of
from msbridge.core.releases.release import before
from msbridge.dropin.postmortem.changed_results import explain_changed_form, find_used_nodes
from msbridge.mappings import table

_OF_FORMS = (AttributeError, IndexError, TypeError, ValueError)
Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Hint:
    """A row of hints.toml."""

    path: str  # the MindSpore name of what is called
    result: str  # the type of the result, as Python's error names it
    now: str  # what it returns
    instead: str  # what to write
    since: str = ""  # the release that changed it; empty where it always was so
    was: str = ""  # what it returned before

    def __str__(self) -> str:
        name = self.path.removeprefix("mindspore.")
        change = f"; before MindSpore {self.since} it returned {self.was}" if self.since else ""
        choice = f" `msbridge run --release {before(self.since)}` restores that." if self.since else ""
        return f"{name} returns {self.now}{change}. Instead: {self.instead}.{choice}"


def hint_for(error: BaseException) -> str | None:
    """Return a sentence for the user whose code failed on the form of a value, or None where nothing is known.

    Args:
        error: an error as it was caught, with its traceback.
    """
    if not isinstance(error, _OF_FORMS) or (place := _user_place(error.__traceback__)) is None:
        return None
    text = str(error)  # "sequence" is what a product says of a tuple
    rows = [row for row in table("hints.toml", Hint).values() if row.result in text or "sequence" in text]
    frame, span = place
    for call in _calls(frame.f_code.co_filename, span) if rows else ():
        for row in rows:
            if _is_call_of(row.path, call.func, frame):
                return str(row)
    return next(filter(None, (_explain_changed_form(text, *one) for one in _user_places(error.__traceback__))), None)


def _explain_changed_form(text: str, frame: FrameType, span: Span) -> str | None:
    """Return a sentence on the form that what the failing expression uses has in another release."""
    try:
        tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename)))
    except SyntaxError:
        return None
    inside = [node for node in ast.walk(tree) if isinstance(node, ast.expr) and _is_within(node, span)]
    return explain_changed_form(text, find_used_nodes(tree, inside, span.first or 0), frame)


def _user_place(traceback: TracebackType | None) -> tuple[FrameType, Span] | None:
    """Return the innermost frame that is not msbridge's, and where in its source the failing expression is."""
    return next(iter(_user_places(traceback)), None)


def _user_places(traceback: TracebackType | None) -> list[tuple[FrameType, Span]]:
    """Return the frames that are not msbridge's, the innermost first: a package's, and the script's that called it."""
    places = []
    while traceback is not None:
        if not is_ours(traceback.tb_frame.f_code.co_filename):
            places.append((traceback.tb_frame, failing_position(traceback)))
        traceback = traceback.tb_next
    return places[::-1]


def _calls(filename: str, span: Span) -> Iterator[ast.Call]:
    """Yield the calls in the failing expression, then those whose results its variables hold."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except SyntaxError:  # a notebook's cell with a magic command
        return
    inside = [node for node in ast.walk(tree) if isinstance(node, ast.expr) and _is_within(node, span)]
    yield from (node for node in inside if isinstance(node, ast.Call))
    read = {node.id for node in inside if isinstance(node, ast.Name)}
    for node in reversed(list(_assignments(tree, span.first or 0))):
        targets = {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node.value, ast.Call) and read & targets:
            yield node.value


def _is_within(node: ast.expr, span: Span) -> bool:
    if span.first is None or span.last is None or node.end_lineno is None:
        return False
    starts = (node.lineno, node.col_offset) >= (span.first, span.start or 0)
    end = sys.maxsize if span.end is None else span.end
    return starts and (node.end_lineno, node.end_col_offset or 0) <= (span.last, end)


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
    """Whether `func`, seen from `frame`, is what MindSpore names `path`; of unknown objects, the method's name."""
    owner, _, name = path.rpartition(".")
    called = value_of(func, frame)
    if called is None:
        return owner.endswith(".Tensor") and isinstance(func, ast.Attribute) and func.attr == name
    wanted: Any = sys.modules.get("msbridge")
    for part in path.split(".")[1:]:
        wanted = getattr(wanted, part, None)
    return wanted is not None and any(
        one is wanted for one in (called, type(called), getattr(called, "__func__", None))
    )
