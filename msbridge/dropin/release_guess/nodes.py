"""Walks through syntax trees that leave out what has no parts: contexts, operators, numbers and texts in fields."""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, TypeVar

__all__ = ["Nodes", "children", "statements", "walk"]

NodeType = TypeVar("NodeType", bound=ast.AST)

PLAIN = {"attr", "conversion", "ctx", "id", "is_async", "kind", "level", "module", "name", "op", "ops", "simple", "tag"}
PLAIN |= {"asname", "arg", "type_comment", "type_ignores", "rest", "kwd_attrs"}
# Kinds whose other fields hold no nodes, either.
LEAVES = {ast.Constant, ast.Global, ast.MatchSingleton, ast.Nonlocal}
BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")
# What of each kind of node can hold nodes: reading only that takes a fifth of ast.iter_child_nodes.
_parts: dict[type[ast.AST], tuple[int, Callable[[Any], Any]]] = {}
_blocks: dict[type[ast.AST], tuple[str, ...]] = {}


class Nodes:
    """The nodes of a syntax tree by their kinds, found in one walk.

    Args:
        tree: the syntax tree.
    """

    def __init__(self, tree: ast.AST):
        self._by_kind: defaultdict[type[ast.AST], list[Any]] = defaultdict(list)
        for node in walk(tree):
            self._by_kind[node.__class__].append(node)

    def of(self, *kinds: type[NodeType]) -> list[NodeType]:
        """Return the nodes of some kinds, in no certain order."""
        return [node for kind in kinds for node in self._by_kind.get(kind, ())]


def children(node: ast.AST) -> list[ast.AST]:
    """Return the nodes directly in a node, in the order of the text; no contexts and operators."""
    count, read = _parts.get(node.__class__) or _note(node.__class__)
    inner: list[ast.AST] = []
    for value in (read(node),) if count == 1 else read(node):
        if value.__class__ is list:
            inner += value if None not in value else [one for one in value if one is not None]
        elif value is not None:
            inner.append(value)
    return inner


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all nodes in it, in no certain order, but a node before what is in it."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        count, read = _parts.get(node.__class__) or _note(node.__class__)
        if not count:
            continue
        for value in (read(node),) if count == 1 else read(node):
            if value.__class__ is list:
                waiting += value if None not in value else [one for one in value if one is not None]
            elif value is not None:
                waiting.append(value)


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield all statements in a node, those of inner functions and classes too; expressions are not looked into."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        kind = node.__class__
        blocks = _blocks.get(kind)
        if blocks is None:
            blocks = _blocks[kind] = tuple(name for name in BLOCKS if name in kind._fields)
        for name in blocks:
            inner = getattr(node, name)
            if inner.__class__ is list:
                waiting += inner
                yield from (one for one in inner if isinstance(one, ast.stmt))


def _note(kind: type[ast.AST]) -> tuple[int, Callable[[Any], Any]]:
    """Return the number of a kind's fields that can hold nodes, and their getter: a value, or several as a tuple."""
    names = [] if kind in LEAVES else [name for name in kind._fields if name not in PLAIN]
    _parts[kind] = len(names), attrgetter(*names) if names else _nothing
    return _parts[kind]


def _nothing(_: ast.AST) -> Mapping[str, ast.AST]:
    return {}
