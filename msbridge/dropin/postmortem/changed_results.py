"""Releases that changed a value which a failing line uses: rows of `mappings/releases/` with an expression."""

import ast
import re
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any

from msbridge.core.checks.stack_frames import value_of
from msbridge.core.releases.overrides import locate
from msbridge.core.releases.release import at_least, before
from msbridge.core.releases.rows import Row, every
from msbridge.core.runtime.defining_modules import defining_module
from msbridge.core.tensor.tensor import Tensor

_OF_ANOTHER_TYPE = r"\bint(eger)?s?\b|dtypes|Cannot cast|not supported for the input types"
_Statement = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.For
_SIDES = {"__truediv__": ("left", "target"), "__rtruediv__": ("right",)}  # of a node that divides


def format_change(row: Row) -> str:
    """Return the sentence for a user on the change of a result."""
    return (
        f"`{row.expression}` returns {row.now} since MindSpore {row.since}, and returned {row.was} before. "
        f"`msbridge run --release {before(row.since)}` restores that."
    )


def explain_changed_form(text: str, nodes: Iterable[ast.AST], frame: FrameType) -> str | None:
    """Return a sentence on a form that the script may have relied on, or None.

    Args:
        text: the error's.
        nodes: of the failing expression, and of those whose results it uses.
        frame: from which they are seen.
    """
    rows = [row for row in every() if row.expression and at_least(row.since)]
    failing = [row for row in rows if re.search(row.fails or _OF_ANOTHER_TYPE, text)]
    listed = list(nodes)
    for row in failing:
        if row.in_error or any(_uses(row.name, node, frame) for node in listed):
            return format_change(row)
    return None


def _uses(public: str, node: ast.AST, frame: FrameType) -> bool:
    """Return whether a node calls or reads what has a public name."""
    holder, _, name = public.rpartition(".")
    if name in _SIDES:
        if not isinstance(node, ast.BinOp | ast.AugAssign) or not isinstance(node.op, ast.Div):
            return False
        return any(hasattr(node, side) and _is_tensor(getattr(node, side), frame) for side in _SIDES[name])
    if not isinstance(node, ast.Call):
        return False
    called = value_of(node.func, frame)
    if called is None:
        if holder != "Tensor" or not isinstance(node.func, ast.Attribute):
            return False
        return node.func.attr == name and _is_tensor(node.func.value, frame)
    wanted = getattr(*locate(public), None)
    return wanted is not None and any(
        one is wanted for one in (called, type(called), getattr(called, "__func__", None))
    )


def _is_tensor(node: ast.expr, frame: FrameType) -> bool:
    """Return whether an expression is known to return a Tensor, or holds a call of what returns one."""
    return any(_gives_tensor(value_of(each, frame)) for each in ast.walk(node) if isinstance(each, ast.expr))


def _gives_tensor(found: Any) -> bool:
    return isinstance(found, Tensor) or (isinstance(found, type) and issubclass(found, Tensor)) or _is_operator(found)


def _is_operator(found: Any) -> bool:
    return callable(found) and defining_module(found).startswith("msbridge.ops")


def find_used_nodes(tree: ast.AST, inside: Iterable[ast.expr], line: int) -> Iterator[ast.AST]:
    """Yield the nodes of an expression, and of the statements above that assign its variables."""
    waiting: list[ast.AST] = list(inside)
    above = [node for node in _find_assignments(tree, line) if node.lineno <= line]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.Name):
            continue
        for assignment in list(above):
            targets = assignment.targets if isinstance(assignment, ast.Assign) else [assignment.target]
            if any(isinstance(each, ast.Name) and each.id == node.id for each in _nodes(targets)):
                above.remove(assignment)
                value = assignment.iter if isinstance(assignment, ast.For) else assignment.value
                waiting += [assignment, *_nodes([value] if value else [])]


def _nodes(trees: Iterable[ast.AST]) -> list[ast.AST]:
    return [node for tree in trees for node in ast.walk(tree)]


def _find_assignments(tree: ast.AST, line: int) -> Iterator[_Statement]:
    """Yield the statements that set variables, but those of functions that do not hold the line."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _Statement):
            yield node
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if isinstance(node, ast.stmt) and is_function and not node.lineno <= line <= (node.end_lineno or line):
            continue
        yield from _find_assignments(node, line)
