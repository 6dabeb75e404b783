"""Statements in which every argument is a name or a constant.

`y = self.relu(self.conv(x)) + 1` becomes `conv_var = self.conv(x)`, `relu_var = self.relu(conv_var)` and
`y = relu_var + 1`. The names of the new variables are those that MindSpore makes, which scripts know.
"""

import ast
import copy
import keyword
from collections.abc import Callable

__all__ = ["flatten"]

# Fields of a statement or expression whose contents become statements of their own.
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Return: ("value",),
    ast.Call: ("func", "args", "keywords"),
    ast.BinOp: ("left", "right"),
    ast.BoolOp: ("values",),
    ast.UnaryOp: ("operand",),
    ast.Compare: ("left", "comparators"),
    ast.If: ("test",),
    ast.For: ("iter",),
    ast.Tuple: ("elts",),
    ast.List: ("elts",),
}


def flatten(body: list[ast.stmt], unique: Callable[[str], str] = str) -> dict[ast.stmt, ast.expr]:
    """Flatten the statements of a block in place, but not the blocks within.

    Args:
        body: the statements.
        unique: makes a name that the tree does not have yet.

    Returns:
        The tests of branches as they were written.
    """
    tests: dict[ast.stmt, ast.expr] = {one: copy.deepcopy(one.test) for one in body if isinstance(one, ast.If)}
    waiting = [one for statement in body for one in _single(statement)]
    flattener = _Flattener(_find_assigned(waiting), unique)
    done: list[ast.stmt] = []
    while waiting:  # from the last to the first, as the names are numbered
        statement = waiting.pop()
        done.append(statement)
        waiting += reversed(flattener.hoist(statement))
    body[:] = [ast.fix_missing_locations(statement) for statement in reversed(done)]
    return tests


def _single(statement: ast.stmt) -> list[ast.stmt]:
    """Return `b = value` and `a = b` for `a = b = value`."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) == 1:
        return [statement]
    *rest, last = statement.targets
    statement.targets = [last]
    statements: list[ast.stmt] = [statement]
    for target in reversed(rest):
        statements.append(ast.Assign([target], ast.parse(ast.unparse(last), mode="eval").body))
        last = target
    return statements


def _find_assigned(body: list[ast.stmt]) -> set[str]:
    targets = [target for statement in body if isinstance(statement, ast.Assign) for target in statement.targets]
    names = [name for target in targets for name in ast.walk(target)]
    return {name.id for name in names if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}


class _Flattener:
    """Takes arguments out of the statements of one block."""

    def __init__(self, names: set[str], unique: Callable[[str], str]) -> None:
        self._names, self._unique = names, unique

    def hoist(self, statement: ast.stmt) -> list[ast.stmt]:
        """Put names in place of what is not a name, and return the assignments to them."""
        node: ast.AST = statement.value if isinstance(statement, ast.Assign | ast.Expr) else statement
        assignments: list[ast.stmt] = []
        for field in _FIELDS.get(type(node), ()):
            value = getattr(node, field)
            if isinstance(value, list):
                setattr(node, field, [self._element(node, at, one, assignments) for at, one in enumerate(value)])
            elif value is not None:
                setattr(node, field, self._replace_by_name(node, value, assignments))
        return assignments

    def _element(self, node: ast.AST, at: int, element: ast.AST, assignments: list[ast.stmt]) -> ast.AST:
        is_conditional = isinstance(node, ast.BoolOp) and at > 0  # MindSpore computes what follows `or` in any case
        if is_conditional or isinstance(element, ast.Starred):
            return element
        if isinstance(element, ast.keyword):
            element.value = self._replace_by_name(node, element.value, assignments)
            return element
        return self._replace_by_name(node, element, assignments)

    def _replace_by_name(self, node: ast.AST, value: ast.AST, assignments: list[ast.stmt]) -> ast.expr:
        assert isinstance(value, ast.expr)  # the fields of the table hold expressions
        if isinstance(value, ast.Name | ast.Constant):
            return value
        if isinstance(value, ast.Attribute) and not isinstance(node, ast.For):
            root = value
            while isinstance(root.value, ast.Attribute):
                root = root.value
            if not isinstance(root.value, ast.Name):
                root.value = self._variable(root.value, assignments)
            return value
        return self._variable(value, assignments)

    def _variable(self, value: ast.expr, assignments: list[ast.stmt]) -> ast.Name:
        wanted = _name_for(value)
        wanted = f"{wanted}_var" if keyword.iskeyword(wanted) else wanted
        name, number = wanted, 0
        while name in self._names:
            number += 1
            name = f"{wanted}_{number}"
        name = self._unique(name)
        self._names.add(name)
        assignments.append(ast.Assign([ast.Name(name, ast.Store())], value))
        return ast.Name(name, ast.Load())


def _name_for(value: ast.expr) -> str:
    match value:
        case ast.Call(ast.Name(name)) | ast.Call(ast.Attribute(attr=name)):
            return f"{name}_var"
        case ast.Call():
            return "function_var"
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) | ast.UnaryOp(op=operator):
            return f"{type(operator).__name__.lower()}_var"
        case ast.Attribute(ast.Name(scope), name):
            return f"{scope}_{name}"
    return f"{type(value).__name__.lower()}_var"
