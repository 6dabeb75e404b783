"""State of a translation: the file, its edits, imports, marks, and the kind and reasons of every line."""

import ast
from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from msbridge.dropin.release_guess.bindings import Bound
from msbridge.dropin.release_guess.nodes import Nodes
from msbridge.translate.direction import TO_MINDSPORE, Direction, is_for_torch
from msbridge.translate.edits import Text
from msbridge.translate.translation import Kind

__all__ = ["UNKNOWN", "Context", "Value"]

ORDER = {Kind.SAME: 0, Kind.RENAMED: 1, Kind.REWRITTEN: 2, Kind.BY_HAND: 3}


class Value(NamedTuple):
    """Inferred kind of an expression."""

    # "tensor", "pair" of them, "cell", "number", "str", "bool", "dict", "sequence", "shape", "dtype", "device";
    # "torch" for other names of torch, "" where nothing is known
    kind: str = ""
    path: str = ""  # of torch, where it is a name of it; the torch class of a "cell"


UNKNOWN = Value()


class Context:
    """A file on its way.

    Args:
        source: its text.
        tree: its syntax tree.
        packages: those that are translated as well.
        direction: from what to what.
    """

    def __init__(
        self, source: str, tree: ast.Module, packages: Collection[str] = (), direction: Direction = TO_MINDSPORE
    ):
        self.direction = direction
        self.packages = tuple(one for one in direction.packages if one not in packages)
        self.text = Text(source)
        self.tree = tree
        self.nodes = Nodes(tree)
        self.bound = Bound(self.nodes, self.packages, self._starred_names())
        self.methods = {one.name for one in self.nodes.of(ast.FunctionDef)}
        self.names = self._bound_names()
        self.untranslated: dict[str, str] = {}  # names of torch in marked lines, and what they are
        self.imports: dict[str, str] = {}  # the name that is used, and the line that imports it
        self.helpers: dict[str, None] = {}
        self.marks: defaultdict[int, list[str]] = defaultdict(list)  # by the line that a mark goes above
        self.kinds: dict[int, Kind] = {}
        self.reasons: defaultdict[int, list[str]] = defaultdict(list)
        self.statement: ast.stmt | None = None
        self.classes: dict[str, dict[str, Value]] = {}  # attributes of the classes of the file
        self.modules: set[str] = set()  # the classes of the file that are modules
        self.sequences: set[str] = set()  # of these, those that are nn.Sequential

    def _starred_names(self) -> dict[str, str]:
        """Return the names that the file has from a star import of its own project, by convention."""
        imports = self.nodes.of(ast.ImportFrom)
        if not any(alias.name == "*" and (one.level or one.module) for one in imports for alias in one.names):
            return {}
        bound = {one.id for one in self.nodes.of(ast.Name) if isinstance(one.ctx, ast.Store)}
        bound |= {one.arg for one in self.nodes.of(ast.arg)}
        aliases = [alias for one in imports for alias in one.names]
        aliases += [alias for one in self.nodes.of(ast.Import) for alias in one.names]
        bound |= {one.asname or one.name.partition(".")[0] for one in aliases}
        return {name: path for name, path in self.direction.conventions.items() if name not in bound}

    def _bound_names(self) -> set[str]:
        """Return the names that the file binds to something other than the framework."""
        stored = {one.id for one in self.nodes.of(ast.Name) if isinstance(one.ctx, ast.Store)}
        stored |= {one.arg for one in self.nodes.of(ast.arg)}
        stored |= self.methods | {one.name for one in self.nodes.of(ast.ClassDef)}
        imports: list[ast.Import | ast.ImportFrom] = [*self.nodes.of(ast.Import), *self.nodes.of(ast.ImportFrom)]
        for each in imports:
            root = getattr(each, "module", "") or ""
            level = getattr(each, "level", 0)
            for alias in each.names:
                path = f"{root}.{alias.name}" if root else alias.name
                if level or not (path.partition(".")[0] in self.packages or is_for_torch(path)):
                    stored.add(alias.asname or alias.name.partition(".")[0])
        return stored

    def note(self, start: int, end: int, kind: Kind, reason: str) -> None:
        """Note what becomes of the lines of a stretch."""
        for line in range(self.text.line_of(start), self.text.line_of(max(start, end - 1)) + 1):
            if ORDER[kind] > ORDER[self.kinds.get(line, Kind.SAME)]:
                self.kinds[line] = kind
            if reason not in self.reasons[line]:
                self.reasons[line].append(reason)

    def rename(self, start: int, end: int, text: str) -> None:
        """Write another name."""
        was = self.text.source[start:end]
        if was != text:
            self.text.replace(start, end, text)
            self.note(start, end, Kind.RENAMED, f"{was} → {text}")

    def rewrite(self, start: int, end: int, text: str, reason: str) -> None:
        """Write another form."""
        self.text.replace(start, end, text)
        self.note(start, max(end, start + 1), Kind.REWRITTEN, reason)

    def note_rewritten(self, node: ast.AST, reason: str) -> None:
        """Note that the lines of a node have another form."""
        self.note(self.text.start(node), self.text.end(node), Kind.REWRITTEN, reason)

    def mark(self, node: ast.AST, reason: str) -> None:
        """Leave something to somebody: a comment above the statement says what has to be decided."""
        line = self.statement.lineno if self.statement is not None else node.lineno  # type: ignore[attr-defined]
        if decorators := getattr(self.statement, "decorator_list", None):
            line = min(line, *(one.lineno for one in decorators))
        if reason not in self.marks[line]:
            self.marks[line].append(reason)
        place = self.text.start(node)
        self.note(place, place + 1, Kind.BY_HAND, reason)
        for name in ast.walk(node):
            if isinstance(name, ast.Name) and (path := self.bound.path(name)):
                self.untranslated[name.id] = path

    def unmark(self, statement: ast.stmt) -> None:
        """Take the marks of a statement back."""
        gone = self.marks.pop(statement.lineno, [])
        self.kinds.pop(statement.lineno, None)
        self.reasons[statement.lineno] = [one for one in self.reasons[statement.lineno] if one not in gone]

    def use(self, name: str) -> str:
        """Return a dotted name as the new source writes it, and have its first part imported."""
        root, _, rest = name.partition(".")
        line = self.direction.imports.get(root)
        if line is None:
            return name
        written = root
        if root in self.names and root not in ("math", "np"):
            written = f"{self.direction.prefix}_{root}"
            line = f"{line.partition(' as ')[0]} as {written}"
        self.imports[written] = line  # twice is no harm: the file may have it in a function only
        return f"{written}.{rest}" if rest else written

    def use_helper(self, name: str) -> str:
        """Add a helper to the new source, and return its name there."""
        self.helpers[name] = None
        return f"{name}_of_{self.direction.suffix}" if name in self.names else name
