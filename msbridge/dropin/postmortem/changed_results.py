"""Which release gave another form of a value that a script's failing line uses: the rows of `mappings/changes.toml`."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

from msbridge.core.checks.stack_frames import value_of
from msbridge.core.releases import overrides
from msbridge.core.releases.release import at_least, before
from msbridge.core.tensor.tensor import Tensor
from msbridge.mappings import table

_OF_ANOTHER_TYPE = r"\bint(eger)?s?\b|dtypes|Cannot cast|not supported for the input types"
_Statement = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.For
_SIDES = {"__truediv__": ("left", "target"), "__rtruediv__": ("right",)}  # of a node that divides


@dataclass(frozen=True, slots=True)
class Change:
    """A row of changes.toml.

    Attributes:
        expression: what earlier releases answer otherwise.
        place: where it differs, as the rooms' rows of earlier parts name it.
        was: what it gave.
        now: what it gives.
        fails: how errors read of what expects the earlier form; unless given, of what expects another dtype.
        seen: the form is seen in the error alone: no call in the script tells it.
    """

    expression: str
    place: str
    was: str
    now: str
    fails: str = _OF_ANOTHER_TYPE
    seen: bool = False

    def said(self, until: str) -> str:
        """Return the sentence for a user, where `until` is the first release of today's form."""
        old = before(until)
        return (
            f"`{self.expression}` gives {self.now} since MindSpore {until}, and gave {self.was} before. "
            f"`msbridge run --release {old}` gives that."
        )


def changed_form(text: str, nodes: Iterable[ast.AST], frame: FrameType) -> str | None:
    """Return a sentence on a form that the script may have relied on, or None.

    Args:
        text: the error's.
        nodes: of the failing expression, and of those whose results it uses.
        frame: from which they are seen.
    """
    rows: list[Change] = [row for row in table("changes.toml", Change).values() if re.search(row.fails, text)]
    if not rows:
        return None
    known = {row.place: row.until for row in overrides.every()}
    rows = [row for row in rows if row.place in known and at_least(known[row.place])]
    listed = list(nodes)
    for row in rows:
        if row.seen or any(_uses(row.place, node, frame) for node in listed):
            return row.said(known[row.place])
    return None


def _uses(place: str, node: ast.AST, frame: FrameType) -> bool:
    """Say whether a node calls or reads what stands in a place."""
    name = place.rpartition(".")[2]
    if name in _SIDES:
        if not isinstance(node, ast.BinOp | ast.AugAssign) or not isinstance(node.op, ast.Div):
            return False
        return any(hasattr(node, side) and _is_tensor(getattr(node, side), frame) for side in _SIDES[name])
    if not isinstance(node, ast.Call):
        return False
    found = value_of(node.func, frame)
    if found is None:
        if not place.startswith("core.tensor.tensor.Tensor.") or not isinstance(node.func, ast.Attribute):
            return False
        return node.func.attr == name and _is_tensor(node.func.value, frame)
    wanted = _standing(place)
    return wanted is not None and any(one is wanted for one in (found, type(found), getattr(found, "__func__", None)))


def _is_tensor(node: ast.expr, frame: FrameType) -> bool:
    """Say whether an expression is known to give a Tensor, or holds a call of what gives one."""
    return any(_gives_tensor(value_of(each, frame)) for each in ast.walk(node) if isinstance(each, ast.expr))


def _gives_tensor(found: Any) -> bool:
    return isinstance(found, Tensor) or (isinstance(found, type) and issubclass(found, Tensor)) or _is_operator(found)


def _is_operator(found: Any) -> bool:
    return callable(found) and str(getattr(found, "__module__", "")).startswith("msbridge.ops")


def _standing(place: str) -> Any:
    """Return what stands in a place below msbridge, or None."""
    words = place.split(".")
    length = next(end for end in range(len(words), -1, -1) if ".".join(["msbridge", *words[:end]]) in sys.modules)
    found: Any = sys.modules[".".join(["msbridge", *words[:length]])]
    for word in words[length:]:
        found = getattr(found, word, None)
    return found


def used(tree: ast.AST, inside: Iterable[ast.expr], line: int) -> Iterator[ast.AST]:
    """Yield the nodes of an expression, and of the statements above that give its variables their values."""
    waiting: list[ast.AST] = list(inside)
    above = [node for node in _seen_from(tree, line) if node.lineno <= line]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.Name):
            continue
        for one in list(above):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            if any(isinstance(each, ast.Name) and each.id == node.id for each in _nodes(targets)):
                above.remove(one)
                value = one.iter if isinstance(one, ast.For) else one.value
                waiting += [one, *_nodes([value] if value else [])]


def _nodes(trees: Iterable[ast.AST]) -> list[ast.AST]:
    return [node for tree in trees for node in ast.walk(tree)]


def _seen_from(tree: ast.AST, line: int) -> Iterator[_Statement]:
    """Yield the statements that set variables, but those of functions that do not hold the line."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _Statement):
            yield node
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if isinstance(node, ast.stmt) and is_function and not node.lineno <= line <= (node.end_lineno or line):
            continue
        yield from _seen_from(node, line)
