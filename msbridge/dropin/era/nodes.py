"""Walks through syntax trees that leave out what has no parts: contexts, operators, numbers and texts in fields."""

import ast
from collections.abc import Iterator

__all__ = ["children", "statements", "walk"]

PLAIN = {"attr", "conversion", "ctx", "id", "is_async", "kind", "level", "module", "name", "op", "ops", "simple", "tag"}
PLAIN |= {"asname", "arg", "type_comment", "rest"}
# The fields of each kind of node that can hold nodes: to read only these takes a third of ast.iter_child_nodes.
FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}


def children(node: ast.AST) -> list[ast.AST]:
    """Return the nodes directly in a node, in the order of the text; no contexts and operators."""
    kind = type(node)
    if kind not in FIELDS:
        FIELDS[kind] = tuple(name for name in kind._fields if name not in PLAIN)
    found: list[ast.AST] = []
    for name in FIELDS[kind]:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [one for one in value if isinstance(one, ast.AST)]
    return found


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all nodes in it, in no certain order, but a node before what is in it."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += children(node)


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield all statements in a node, those of inner functions and classes too; expressions are not looked into."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        for part in ("body", "handlers", "orelse", "finalbody", "cases"):
            inner = getattr(node, part, ())
            if inner.__class__ is list:
                waiting += inner
                yield from (one for one in inner if isinstance(one, ast.stmt))
