"""Name resolution in a project: its own classes and functions, or names of other packages."""

import ast
import builtins
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from msbridge.dropin.release_guess.bindings import Bound
from msbridge.dropin.release_guess.sources import uses
from msbridge.scan.findings import Named
from msbridge.scan.sources import Source, UnreadableError

__all__ = ["Class", "External", "Function", "Module", "Project", "Value", "per_class"]

Fact = TypeVar("Fact")

KEPT = {"is_asked", "path", "project", "root", "source"}  # of a file that is let go of
MAX_IMPORT_DEPTH = 20  # imports of imports that are followed
# What an import means although the project has a file of this name in some folder.
INSTALLED = sys.stdlib_module_names | {"mindspore", "msbridge", "numpy", "torch"}
# Spellings of one place: the names that matter here are asked for under the shorter one.
OLDER = (
    (r"^msbridge\b", "mindspore"),
    (r"^mindspore\.ops\.(operations|functional|composite|auto_generate|primitive|function)\b", "mindspore.ops"),
    (r"^mindspore\.ops\.\w+_(ops|func)\b", "mindspore.ops"),
    (r"^mindspore\.common\.(tensor|parameter|api|dtype)\b", "mindspore"),
    (r"^mindspore\.common\b", "mindspore"),
    (r"^mindspore\.nn\.(cell|(layer|wrap|loss|optim)(\.\w+)?)(?=\.[A-Z])", "mindspore.nn"),
)  # fmt: skip


@dataclass(frozen=True)
class External:
    """A name of another package, such as "mindspore.nn.Cell", or of Python itself, such as "builtins.len"."""

    name: str

    @property
    def last(self) -> str:
        """The name without its module."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True, eq=False)
class Function:
    """A function of the project; a method where it has a class."""

    module: "Module"
    node: ast.FunctionDef | ast.AsyncFunctionDef
    owner: "Class | None" = None

    @property
    def name(self) -> str:
        """The name that people call it by."""
        return f"{self.owner.node.name}.{self.node.name}" if self.owner else self.node.name

    def decorators(self) -> Iterator["Target"]:
        """Yield the targets of its decorators; of a call that of the callable."""
        for one in self.node.decorator_list:
            yield self.module.resolve(one.func if isinstance(one, ast.Call) else one)

    def is_decorated(self, *names: str) -> bool:
        """Whether one of its decorators is an external name with one of these last parts."""
        return any(isinstance(one, External) and one.last in names for one in self.decorators())


@dataclass(frozen=True, eq=False)
class Class:
    """A class of the project."""

    module: "Module"  # its file
    node: ast.ClassDef  # its definition
    known: dict[object, Any] = field(default_factory=dict)  # what was found out about it, by the function that did

    @cached_property
    def bases(self) -> list["Target"]:
        """The bases of the class."""
        return [self.module.resolve(base) for base in self.node.bases]

    @cached_property
    def lineage(self) -> list["Class"]:
        """The class and those of its bases that belong to the project, nearer ones first."""
        line, waiting = [], [self]
        while waiting:
            one = waiting.pop(0)
            if one not in line:
                line.append(one)
                waiting += [base for base in one.bases if isinstance(base, Class)]
        return line

    @cached_property
    def foreign(self) -> list["Target"]:
        """The bases, its own or inherited, that are not of the project; None for what cannot be found."""
        return [base for one in self.lineage for base in one.bases if not isinstance(base, Class)]

    @cached_property
    def is_cell(self) -> bool:
        """Whether it derives from MindSpore's Cell."""
        return any(isinstance(base, External) and is_cell_class(base.name) for base in self.foreign)

    @cached_property
    def own(self) -> dict[str, Function]:
        """The methods that it defines."""
        nodes = [each for each in self.node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
        return {each.name: Function(self.module, each, self) for each in nodes}

    def method(self, name: str, after: "Class | None" = None) -> Function | None:
        """Return the method of this name, its own or inherited; with `after`, that of the bases of that class."""
        lineage = self.lineage[self.lineage.index(after) + 1 :] if after in self.lineage else self.lineage
        return next((one.own[name] for one in lineage if name in one.own), None)

    def is_decorated(self, *names: str) -> bool:
        """Whether one of its decorators is an external name with one of these last parts."""
        nodes = [one.func if isinstance(one, ast.Call) else one for one in self.node.decorator_list]
        found = [self.module.resolve(one) for one in nodes]
        return any(isinstance(one, External) and one.last in names for one in found)


def per_class(empty: Any) -> Callable[[Callable[[Class], Fact]], Callable[[Class], Fact]]:
    """Return a decorator: the function runs once for each class, and returns `empty` where it asks for itself."""

    def decorator(function: Callable[[Class], Fact]) -> Callable[[Class], Fact]:
        def compute_once(owner: Class) -> Fact:
            if function not in owner.known:
                owner.known[function] = empty
                owner.known[function] = function(owner)
            found: Fact = owner.known[function]
            return found

        return compute_once

    return decorator


@dataclass(frozen=True, eq=False)
class Value:
    """A name that a module of the project assigns."""

    module: "Module"
    node: ast.expr


Target = External | Function | Class | Value | None


class Module:
    """A file of the project, read when it is first asked for.

    Attributes:
        source: the file.
        project: where it belongs.
        is_asked: whether another file has asked for one of its names.
    """

    def __init__(self, source: Source, project: "Project"):
        self.source, self.project = source, project
        self.is_asked = False

    @cached_property
    def bindings(self) -> dict[str, ast.AST | tuple[str, str]]:
        """The bindings of names at the top: definitions, values, or (module, name) for what is imported."""
        bound: dict[str, ast.AST | tuple[str, str]] = {}
        for node in _top_level(self.source.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                bound[node.name] = node
            elif isinstance(node, ast.Assign):
                bound |= {one.id: node.value for one in node.targets if isinstance(one, ast.Name)}
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
                bound[node.target.id] = node.value
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    name = alias.name if alias.asname else alias.name.partition(".")[0]
                    bound[alias.asname or name] = (name, "")
            elif isinstance(node, ast.ImportFrom):
                base = self._base_of(node)
                bound |= {alias.asname or alias.name: (base, alias.name) for alias in node.names if alias.name != "*"}
        return bound

    def compute_once(self, node: ast.AST, find: Callable[[Any], Fact]) -> Fact:
        """Return the result of a function about a node of this file, which is called once for it."""
        key = node, find
        if key not in self._known:
            self._known[key] = find(node)
        found: Fact = self._known[key]
        return found

    @cached_property
    def _known(self) -> dict[object, Any]:
        return {}

    def forget(self) -> None:
        """Let go of what was read; it is read again when it is asked for."""
        for owner in (self, self.source):
            for name in owner.__dict__.keys() - KEPT:
                del owner.__dict__[name]

    @cached_property
    def uses(self) -> list[tuple[str, ast.AST]]:
        """Uses of MindSpore, with places: paths as they are written, "mindspore.nn.Dropout(p)" for arguments."""
        return list(uses(self.bound)) if "mindspore" in self.source.text else []

    @cached_property
    def bound(self) -> Bound:
        """The names that refer to something of MindSpore's."""
        return Bound(self.source.nodes)

    def is_of_project(self, name: str) -> bool:
        """Whether a module is a file of the project, by its name, or lies beside this one."""
        first = name.partition(".")[0]
        if first in self.project.folders_and_files:
            return True
        return self.project.lies_above(self.source.path.parent, first)

    @cached_property
    def starred(self) -> list[str]:
        """The modules of which everything is imported."""
        nodes = [node for node in _top_level(self.source.tree) if isinstance(node, ast.ImportFrom)]
        return [self._base_of(node) for node in nodes if node.names[0].name == "*"]

    def _base_of(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.source.dotted
        kept = len(parts) - node.level + self.source.is_package
        return ".".join([*parts[: max(kept, 0)], *([node.module] if node.module else [])])

    def resolve(self, node: ast.expr) -> Target:
        """Return the target of a name or a dotted name at the top of this file; None where that cannot be found."""
        if isinstance(node, ast.Name):
            return self.lookup(node.id)
        if isinstance(node, ast.Attribute):
            return self.attribute(self.resolve(node.value), node.attr)
        return None

    def attribute(self, base: Target, name: str) -> Target:
        """Return the target of an attribute of another target."""
        if isinstance(base, External):
            return self.project.locate(base.name, name, self)
        return base.method(name) if isinstance(base, Class) else None

    def lookup(self, name: str, depth: int = 0) -> Target:
        """Return the target of a name at the top of this file."""
        bound = self.bindings.get(name)
        if isinstance(bound, tuple):
            return self.project.locate(*bound, self, depth + 1) if depth < MAX_IMPORT_DEPTH else None
        if isinstance(bound, ast.ClassDef):
            return self._define(bound)
        if isinstance(bound, ast.FunctionDef | ast.AsyncFunctionDef):
            return self._define(bound)
        if isinstance(bound, ast.expr):
            aliased = isinstance(bound, ast.Name | ast.Attribute) and depth < MAX_IMPORT_DEPTH
            other = self._resolve_alias(bound, depth + 1) if aliased else None
            return other or Value(self, bound)
        for base in self.starred if depth < MAX_IMPORT_DEPTH else ():
            found = self.project.locate(base, name, self, depth + 1)
            if found is not None and not isinstance(found, External):
                return found
        return External(f"builtins.{name}") if name in _BUILTINS else None

    def _resolve_alias(self, node: ast.expr, depth: int) -> Target:
        if isinstance(node, ast.Name):
            return self.lookup(node.id, depth)
        return (
            self.attribute(self._resolve_alias(node.value, depth), node.attr)
            if isinstance(node, ast.Attribute)
            else None
        )

    def _define(self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Class | Function:
        known = self._definitions
        if node not in known:
            known[node] = Class(self, node) if isinstance(node, ast.ClassDef) else Function(self, node)
        return known[node]

    @cached_property
    def _definitions(self) -> dict[ast.AST, Class | Function]:
        return {}

    def class_of(self, node: ast.ClassDef) -> Class:
        """Return the class that a node defines."""
        found = self._define(node)
        assert isinstance(found, Class)
        return found

    @property
    def classes(self) -> Iterator[Class]:
        """The classes at its top, and those inside its functions and classes."""
        nodes = sorted(self.source.nodes.of(ast.ClassDef), key=lambda node: node.lineno)
        return (self.class_of(node) for node in nodes)


class Project:
    """All files of a scan.

    Args:
        sources: the files.

    Attributes:
        modules: the files, as they were given.
        names: how often names of MindSpore are used, and arguments by name, where a section counts them.
        named: the names of MindSpore, where a section looks them up.
        packages: packages of others that are imported, where a section looks for them: whether they are installed.
    """

    def __init__(self, sources: Iterable[Source]):
        self.names: Counter[str] = Counter()
        self.modules = [Module(source, self) for source in sources]
        self.named: dict[str, Named] = {}
        self.packages: dict[str, bool] = {}
        self._above: dict[tuple[Path, str], bool] = {}
        self._by_tail: dict[tuple[str, ...], list[Module]] = {}
        for module in self.modules:
            parts = module.source.dotted
            for start in range(len(parts)):
                self._by_tail.setdefault(parts[start:], []).append(module)

    def locate(self, base: str, name: str, asker: Module, depth: int = 0) -> Target:
        """Return the target of `name` in the module or class `base`; with "" the module itself, as a name."""
        dotted = f"{base}.{name}" if name and base else base or name
        if not name or self._find(dotted, asker) is not None:
            return External(_shortest(dotted))  # a module, by its name
        module = self._find(base, asker)
        if module is None:
            return External(_shortest(dotted))
        try:
            module.is_asked = module.is_asked or module is not asker
            return module.lookup(name, depth) if depth < MAX_IMPORT_DEPTH else None
        except UnreadableError:
            return None

    def lies_above(self, folder: Path, name: str) -> bool:
        """Whether a module of this name lies in a folder, or in one of the three above it."""
        if (folder, name) not in self._above:
            above = [folder.absolute(), *folder.absolute().parents][:4]
            found = any((one / name).is_dir() or (one / f"{name}.py").is_file() for one in above)
            self._above[folder, name] = found
        return self._above[folder, name]

    @cached_property
    def folders_and_files(self) -> frozenset[str]:
        """Their names, without suffix."""
        return frozenset(part for module in self.modules for part in module.source.dotted)

    def _find(self, dotted: str, asker: Module) -> Module | None:
        """Return the file that a dotted name means, the nearest one to the file that asks."""
        candidates = self._by_tail.get(tuple(dotted.split(".")), [])
        if (first := dotted.partition(".")[0]) in INSTALLED:
            candidates = [one for one in candidates if one.source.dotted[0] == first]
        near = asker.source.path.parts
        return max(candidates, key=lambda one: _common(one.source.path.parts, near), default=None)


def is_cell_class(name: str) -> bool:
    """Whether an external name is MindSpore's Cell, or one of its layers."""
    return name in ("mindspore.nn.Cell", "mindspore.Cell") or bool(
        re.fullmatch(r"mindspore\.(nn|mint\.nn)\.[A-Z]\w+", name)
    )


@lru_cache(4096)
def _shortest(dotted: str) -> str:
    for pattern, short in OLDER:
        dotted = re.sub(pattern, short, dotted)
    return dotted


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _top_level(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements that bind names of the module: those inside of `if` and `try`, too."""
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        yield node
        for part in ("body", "orelse", "finalbody") if isinstance(node, ast.If | ast.Try | ast.With) else ():
            waiting += getattr(node, part, [])


_BUILTINS = frozenset(dir(builtins))
