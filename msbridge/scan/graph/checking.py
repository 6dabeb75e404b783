"""Checks of graph mode: every compiled function is walked once, and the rules look at every node."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from msbridge.dropin.release_guess.nodes import children
from msbridge.scan.findings import Finding
from msbridge.scan.graph.branch import Branch
from msbridge.scan.graph.entry_points import Compiled, entries, find_callees
from msbridge.scan.graph.rules.table import BY_NODE
from msbridge.scan.graph.scope import Scope
from msbridge.scan.graph.value_kinds import NONE, UNKNOWN, ValueKind
from msbridge.scan.project import Class, Function, Module

__all__ = ["check"]


def check(module: Module, seen: set[object]) -> Iterator[Finding]:
    """Yield the findings of the compiled functions of a file, and of the functions that they reach, in whichever file.

    Args:
        module: the file.
        seen: the functions that were walked, by their nodes and those of their classes; those of this file are added.

    Raises:
        UnreadableError: the file is not Python.
    """
    waiting = list(entries(module))
    while waiting:
        entry = waiting.pop(0)
        key = (entry.function.node, entry.owner.node if entry.owner else None)
        if key not in seen:
            seen.add(key)
            walk = _Walk(entry)
            yield from walk.findings()
            waiting += walk.reached


class _Walk:
    """The walk through one compiled function, statement by statement."""

    def __init__(self, compiled: Compiled):
        function = compiled.function
        self.compiled, self.source = compiled, function.module.source
        self.scope = Scope(function.module, function.node, compiled.owner, compiled.is_entry, defined_in=function.owner)
        self.reached: list[Compiled] = []
        self.found: list[Finding] = []

    def findings(self) -> list[Finding]:
        """Walk, and return what the rules fit."""
        node = self.compiled.function.node
        self._look(node)
        self._block(node.body)
        return self.found

    def _look(self, node: ast.AST | Branch) -> None:
        for rule in BY_NODE.get(type(node), ()):
            if rule.fits(node, self.scope):
                place = node.node if isinstance(node, Branch) else node
                line, column = place.lineno, place.col_offset  # type: ignore[attr-defined]  # rules are about nodes with a place
                if not self.source.ignores(rule.id, line):
                    path, excerpt = str(self.source.path), self.source.excerpt(line)
                    self.found.append(Finding(rule, path, line, column + 1, excerpt, self.compiled.way))

    def _expression(self, node: ast.AST) -> None:
        self._look(node)
        if isinstance(node, ast.expr):
            for function, owner in find_callees(node, self.scope):
                self._reach(function, owner)
        if isinstance(node, ast.Lambda):
            self._inner(node, [ast.Return(node.body, lineno=node.lineno, col_offset=node.col_offset)])
            return
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            self._comprehension(node)
            return
        for child in children(node):
            self._expression(child)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        with self.scope.way():
            for one in node.generators:
                self._expression(one.iter)
                self.scope.bind(one.target, self.scope.item_of(one.iter))
                for condition in one.ifs:
                    self._expression(condition)
            for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
                self._expression(part)

    def _reach(self, function: Function, owner: Class | None) -> None:
        if function.name not in self.compiled.way:  # a recursion is walked once
            self.reached.append(Compiled(function, owner, False, (*self.compiled.way, function.name)))

    def _block(self, body: Sequence[ast.stmt]) -> ValueKind | None:
        """Walk statements; return what the last one returns, if it does.

        Branches are judged at the end, as the other way of `if x > 0: return x` is all that follows.
        """
        branches = []
        for node in body:
            if isinstance(node, ast.If):
                branches.append(self._branches(node))
            else:
                self._statement(node)
        last = body[-1] if body else None
        returned = (self.scope.kind(last.value) if last.value else NONE) if isinstance(last, ast.Return) else None
        for branch in branches:
            if branch is not None:
                self._look(branch if branch.node.orelse else replace(branch, other=returned))
        return returned

    def _statement(self, node: ast.stmt) -> None:
        self._look(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._inner(node, node.body)
            self.scope.name(node.name, ValueKind("function"))
        elif isinstance(node, ast.For | ast.AsyncFor | ast.While):
            self._loop(node)
        elif not isinstance(node, ast.ClassDef):
            self.scope.is_raising = isinstance(node, ast.Raise)
            for child in children(node):
                if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                    self._expression(child)
            self.scope.is_raising = False
            self.scope.run(node)
            for part in ("body", "handlers", "orelse", "finalbody", "cases"):
                for one in getattr(node, part, []):
                    self._block(one.body if isinstance(one, ast.ExceptHandler | ast.match_case) else [one])

    def _branches(self, node: ast.If) -> Branch | None:
        """Walk both ways of a branch, and join what they assign; return it if it is one on a Tensor."""
        self._look(node)
        self._expression(node.test)
        scope, is_on_tensor = self.scope, self.scope.is_tensor(node.test)
        with scope.way() as first:
            body = self._block(node.body) if not scope.is_never(node.test) else None
        with scope.way() as second:
            other = self._block(node.orelse)
        known = {
            name: (first.get(name, scope.env.get(name)), second.get(name, scope.env.get(name)))
            for name in {**first, **second}
        }
        if node.body and isinstance(node.body[-1], ast.Return | ast.Raise):
            for name, found in second.items():
                scope.name(name, found)
        else:
            for name, (kind, there) in known.items():
                scope.name(name, kind if kind is not None and kind == there else UNKNOWN)
        assigned = tuple((kind, there) for kind, there in known.values() if kind is not None and there is not None)
        return Branch(node, assigned, body, other) if is_on_tensor else None

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        self._expression(node.test if isinstance(node, ast.While) else node.iter)
        if not isinstance(node, ast.While):
            self.scope.bind(node.target, self.scope.item_of(node.iter))
        for name, kind in self.scope.after(node.body).items():
            if self.scope.env.get(name, kind) != kind:
                self.scope.name(name, UNKNOWN)
        self._block(node.body)
        self._block(node.orelse)

    def _inner(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, body: Sequence[ast.stmt]) -> None:
        """Walk a function that is defined inside."""
        kept = self.scope
        self.scope = Scope(kept.module, node, kept.owner, False, outer=kept, defined_in=kept.defined_in)
        self._block(body)
        self.scope = kept
