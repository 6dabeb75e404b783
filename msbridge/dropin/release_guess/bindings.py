"""Bindings of the names of a file, where imports bind them to names of some packages."""

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from msbridge.dropin.release_guess.nodes import Nodes

__all__ = ["Bound"]

Place: TypeAlias = tuple[int, int]
END = (sys.maxsize, 0)
SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


class Bound:
    """The names that a file binds to those of some packages: by imports, and by assignments of what is imported.

    What a function binds is known only in it, and hides there what the file binds. Of imports under `try` the first
    one counts, of several under `if` the first one of these packages. What the file assigns to an imported name, as in
    a loop, hides it from there on, under `except` or `if` to the end of that. A name that is assigned counts where the
    file binds it only once.

    Args:
        nodes: those of the file.
        packages: which packages.
        known: names that the file does not bind, and what they are, such as those of a star import.

    Attributes:
        nodes: as above.
        packages: as above.
        wanted: the names.
        unsure: those that the file imports in several ways, of which one is taken.
    """

    def __init__(
        self, nodes: Nodes, packages: Collection[str] = ("mindspore",), known: Mapping[str, str] = MappingProxyType({})
    ):
        self.nodes, self.packages = nodes, packages
        imported = [*_find_imports(nodes)]
        self.wanted = {name for name, path, _ in imported if self.has(path)} | known.keys()
        self.unsure: set[str] = set()
        self._everywhere = dict(known)
        self._imports: defaultdict[str, list[Place]] = defaultdict(list)
        self._within: dict[str, list[tuple[Place, Place, str]]] = {}  # by name: from where to where it means what
        self._ranges: dict[tuple[type[ast.AST], ...], list[tuple[Place, Place]]] = {}
        if not self.wanted:
            return
        self._scopes = sorted((_place(one), *_range(one)) for one in nodes.of(*SCOPES))
        self._after = {_place(one): _end(each) for each in nodes.of(ast.Assign) for one in each.targets}
        for name, path, node in sorted(imported, key=lambda one: _place(one[2])):
            if name in self.wanted:
                if not any(one[0] <= _place(node) < one[2] for one in self._scopes):
                    self._imports[name].append(_place(node))
                self._bind(name, path if self.has(path) else "", node)
        stored = [one for one in nodes.of(ast.Name) if one.ctx.__class__ is ast.Store]
        for one in stored:
            if one.id in self.wanted:
                self._bind(one.id, "", one)
        for each in nodes.of(ast.arg):
            if each.arg in self.wanted:
                self._bind(each.arg, "", each)
        self._follow(Counter(one.id for one in stored))

    def has(self, path: str) -> bool:
        """Whether a dotted path begins with one of the packages."""
        return path.partition(".")[0] in self.packages

    def is_unsure(self, node: ast.AST) -> bool:
        """Whether a dotted name begins with one that the file imports in several ways."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.unsure

    def path(self, node: ast.expr) -> str:
        """Return the dotted path that an expression is; "" where it is none of these packages."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.wanted:
            return ""
        dotted = self._everywhere.get(node.id, "")
        if within := self._within.get(node.id):
            place = _place(node)
            inner = max((one for one in within if one[0] <= place < one[1]), default=None)
            dotted = dotted if inner is None else inner[2]
        return ".".join((dotted, *reversed(attributes))) if dotted and attributes else dotted

    def _bind(self, name: str, path: str, node: ast.AST) -> None:
        place = _place(node)
        around = [one for one in self._scopes if one[0] <= place < one[2]]
        if around:  # of those around it, the last one is the innermost
            _, first, last = around[-1]
            self._within.setdefault(name, []).append((first, last, path))
        elif not isinstance(node, ast.alias):
            known = self._everywhere.setdefault(name, path)  # what is assigned in place of an import is another way
            if known != path and not self._around(place, ast.ClassDef):
                ends = [last for _, last in self._around(place, ast.If, ast.ExceptHandler)]
                ends += [one for one in self._imports[name] if one > place]
                first = self._after.get(place, place)  # what is assigned still represents what was before
                self._within.setdefault(name, []).append((first, min(ends, default=END), path))
        elif not self._everywhere.get(name):
            self.unsure |= {name} & self._everywhere.keys()
            self._everywhere[name] = path
        elif path != self._everywhere[name] and self._around(place, ast.If, ast.ExceptHandler):
            self.unsure.add(name)
        else:
            self._everywhere[name] = path

    def _around(self, place: Place, *kinds: type[ast.AST]) -> list[tuple[Place, Place]]:
        """Return from where to where the nodes of some kinds around a place go."""
        if kinds not in self._ranges:
            self._ranges[kinds] = [(_place(one), _end(one)) for one in self.nodes.of(*kinds)]
        return [(first, last) for first, last in self._ranges[kinds] if first <= place < last]

    def _follow(self, stored: Counter[str]) -> None:
        """Take names in that are assigned once, and what they are assigned."""
        nodes = self.nodes
        others = {name for name, _, _ in _find_imports(nodes)} | {one.arg for one in nodes.of(ast.arg)}
        for node in nodes.of(ast.Assign):
            target = node.targets[0]
            if isinstance(node.value, ast.Attribute) and isinstance(target, ast.Name) and target.id not in others:
                path = self.path(node.value) if stored[target.id] == 1 else ""
                if path:
                    self.wanted.add(target.id)
                    self._bind(target.id, path, target)


def _find_imports(nodes: Nodes) -> Iterator[tuple[str, str, ast.AST]]:
    """Yield the names that imports bind, to what, and where; to "" for what is relative."""
    for one in nodes.of(ast.Import):
        for alias in one.names:
            first = alias.name.partition(".")[0]
            yield (alias.asname, alias.name, alias) if alias.asname else (first, first, alias)
    for each in nodes.of(ast.ImportFrom):
        for alias in each.names:
            path = f"{each.module}.{alias.name}" if each.module and not each.level else ""
            yield alias.asname or alias.name, path, alias


def _place(node: ast.AST) -> Place:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]  # of nodes that have one


def _end(node: ast.AST) -> Place:
    return node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]  # of nodes of a parsed text


def _range(node: ast.AST) -> tuple[Place, Place]:
    """Return from where to where the names of a function or comprehension are known: not in decorators and defaults."""
    first = node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        first = node.body[0]
        first = min([first, *getattr(first, "decorator_list", ())], key=_place)
    elif isinstance(node, ast.Lambda):
        first = node.body
    return _place(first), _end(node)
