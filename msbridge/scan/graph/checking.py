"""What graph mode refuses or changes: every compiled function is walked once, and the rules look at every node."""

import ast
from collections.abc import Iterator, Sequence

from msbridge.dropin.era.nodes import children
from msbridge.scan.findings import Finding
from msbridge.scan.graph.compiled import Compiled, called_functions, entries
from msbridge.scan.graph.kinds import UNKNOWN, Kind
from msbridge.scan.graph.rules.table import BY_NODE
from msbridge.scan.graph.scope import Scope
from msbridge.scan.project import Class, Function, Module

__all__ = ["check"]


def check(module: Module, seen: set[object]) -> Iterator[Finding]:
    """Yield what the compiled functions of a file have, and the functions that they reach, in whichever file.

    Args:
        module: the file.
        seen: the functions that were walked, by their nodes and those of their classes; those of this file are added.

    Raises:
        UnreadableError: the file is no Python.
    """
    waiting = list(entries(module))
    while waiting:
        one = waiting.pop(0)
        key = (one.function.node, one.owner.node if one.owner else None)
        if key not in seen:
            seen.add(key)
            walk = _Walk(one)
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

    def _look(self, node: ast.AST) -> None:
        for rule in BY_NODE.get(type(node), ()):
            if rule.fits(node, self.scope):
                line, column = node.lineno, node.col_offset  # type: ignore[attr-defined]  # rules are about nodes with a place
                if not self.source.ignores(rule.id, line):
                    path, excerpt = str(self.source.path), self.source.excerpt(line)
                    self.found.append(Finding(rule, path, line, column + 1, excerpt, self.compiled.way))

    def _expression(self, node: ast.AST) -> None:
        self._look(node)
        if isinstance(node, ast.expr):
            for function, owner in called_functions(node, self.scope):
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
        kept = dict(self.scope.env)
        for one in node.generators:
            self._expression(one.iter)
            self.scope.bind(one.target, self.scope.item_of(one.iter))
            for condition in one.ifs:
                self._expression(condition)
        for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self._expression(part)
        self.scope.env = kept

    def _reach(self, function: Function, owner: Class | None) -> None:
        if function.name not in self.compiled.way:  # a recursion is walked once
            self.reached.append(Compiled(function, owner, False, (*self.compiled.way, function.name)))

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for number, node in enumerate(body):
            self.scope.rest = list(body[number + 1 :])
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        self._look(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._inner(node, node.body)
            self.scope.env[node.name] = Kind("function")
        elif isinstance(node, ast.If):
            self._expression(node.test)
            self._branches(node)
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

    def _branches(self, node: ast.If) -> None:
        before = dict(self.scope.env)
        if not self.scope.is_never(node.test):
            self._block(node.body)
        one, self.scope.env = self.scope.env, dict(before)
        self._block(node.orelse)
        other = self.scope.env
        if node.body and isinstance(node.body[-1], ast.Return | ast.Raise):
            return
        self.scope.env = {
            name: one[name] if one.get(name) == other.get(name) else UNKNOWN for name in one.keys() & other.keys()
        } | dict.fromkeys(one.keys() ^ other.keys(), UNKNOWN)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        self._expression(node.test if isinstance(node, ast.While) else node.iter)
        if not isinstance(node, ast.While):
            self.scope.bind(node.target, self.scope.item_of(node.iter))
        before, after = dict(self.scope.env), self.scope.after(node.body)
        self.scope.env |= {name: UNKNOWN for name in before if before[name] != after.get(name)}
        self._block(node.body)
        self._block(node.orelse)

    def _inner(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, body: Sequence[ast.stmt]) -> None:
        """Walk a function that is defined inside."""
        kept = self.scope
        self.scope = Scope(kept.module, node, kept.owner, False, outer=kept, defined_in=kept.defined_in)
        self._block(body)
        self.scope = kept
