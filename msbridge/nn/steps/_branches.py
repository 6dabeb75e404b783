"""Training steps of scripts that leave out their update after an overflow, `if not overflow: …`, in graph mode.

MindSpore compiles that branch, and the device decides. Here Python would have to know; so it always takes the branch
that updates, and where there was an overflow, the Parameters get back what they had. That is the same where the branch
changes Parameters only and nothing follows that would be undone too: `branch_of` reads the source of `construct`, and
finds a branch only where this is plain to see. Elsewhere the host looks.
"""

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from msbridge.core.tensor.tensor import Tensor

__all__ = ["Branch", "Overflow", "branch_of"]

_ORDERING = ("depend", "cast")  # calls that change no value, or that follow a branch and change none


class Overflow(Tensor):
    """Whether a step overflowed, asked by the `if` of a step that a script defines.

    Within `construct`, the question is answered with no, and `begin` is called at the first; then it is read as ever.
    """

    __slots__ = ("begin",)

    begin: Callable[[], bool]

    def __bool__(self) -> bool:
        return not self.begin() and super().__bool__()


@dataclass(frozen=True)
class Branch:
    """The part of a `construct` that runs where there was no overflow."""

    is_update_alone: bool  # nothing but one call of `self.optimizer`
    attributes: tuple[str, ...]  # the attributes of the Cell that it assigns


@functools.cache
def branch_of(construct: Callable[..., Any]) -> Branch | None:
    """Return the branch that a `construct` takes without an overflow, if it may always be taken, and then undone."""
    try:
        source = textwrap.dedent(inspect.getsource(construct))
        (function,) = ast.parse(source).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    if not isinstance(function, ast.FunctionDef):
        return None
    tests = [index for index, statement in enumerate(function.body) if _name_of_test(statement) is not None]
    if not tests:
        return None
    decision = function.body[tests[-1]]
    assert isinstance(decision, ast.If)
    is_negated = isinstance(decision.test, ast.UnaryOp)
    taken, other = (decision.body, decision.orelse) if is_negated else (decision.orelse, decision.body)
    known = {"self", *(argument.arg for argument in function.args.args)}
    is_plain = (
        not _is_handed_on(function, str(_name_of_test(decision)))
        and all(_is_of_host(test, known) for test in _tests_in(function) if test is not decision.test)
        and all(_is_constant(statement) for statement in other)
        and all(_is_undoable(statement) for statement in taken)
        and all(_is_harmless(statement) for statement in function.body[tests[-1] + 1 :])
    )
    return _branch_function(taken) if is_plain and taken else None


def _branch_function(taken: list[ast.stmt]) -> Branch:
    calls = [node for statement in taken for node in ast.walk(statement) if isinstance(node, ast.Call)]
    updates = [call for call in calls if ast.unparse(call.func) == "self.optimizer"]
    others = [call for call in calls if call not in updates and _last_name(call.func) not in _ORDERING]
    targets = [
        node.attr
        for statement in taken
        for node in ast.walk(statement)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    ]
    return Branch(len(updates) == 1 and not others and not targets, tuple(targets))


def _name_of_test(statement: ast.stmt) -> str | None:
    """Return the name in `if name:` or `if not name:`."""
    if not isinstance(statement, ast.If):
        return None
    test = statement.test
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    return test.id if isinstance(test, ast.Name) else None


def _tests_in(function: ast.FunctionDef) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
            yield node.test
        elif isinstance(node, ast.comprehension):
            yield from node.ifs


def _is_handed_on(function: ast.FunctionDef, name: str) -> bool:
    """Whether a function is called with `name`, which may ask it too."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    others = [call for call in calls if _last_name(call.func) not in _ORDERING]
    return any(isinstance(item, ast.Name) and item.id == name for call in others for item in call.args)


def _is_of_host(test: ast.expr, known: set[str]) -> bool:
    """Whether a condition is of settings and arguments only."""
    return all(node.id in known for node in ast.walk(test) if isinstance(node, ast.Name))


def _is_constant(statement: ast.stmt) -> bool:
    """Whether it is `pass`, or assigns a constant to a name."""
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
    )


def _is_undoable(statement: ast.stmt) -> bool:
    """Whether it calls something, or assigns to attributes; a name may get what it had, or what an update returns."""
    if isinstance(statement, ast.If):
        return all(map(_is_undoable, (*statement.body, *statement.orelse)))
    if isinstance(statement, ast.Assign):
        value = statement.value
        targets = [isinstance(target, ast.Attribute) for target in statement.targets]
        is_ordering = isinstance(value, ast.Call) and _last_name(value.func) in ("optimizer", *_ORDERING)
        return all(targets) or is_ordering
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.target, ast.Attribute)
    return isinstance(statement, ast.Expr | ast.Pass)


def _is_harmless(statement: ast.stmt) -> bool:
    """Whether it changes no Parameter."""
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return isinstance(statement, ast.Return | ast.Assign | ast.Expr | ast.Pass) and all(
        _last_name(call.func) in _ORDERING for call in calls
    )


def _last_name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
