"""The code of a rewritten network."""

import ast
import builtins
import copy
import inspect
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msbridge.contrib.rewrite.blocks import CellContainer
from msbridge.contrib.rewrite.node_types import NodeType
from msbridge.contrib.rewrite.refilling import refill
from msbridge.contrib.rewrite.statements import Statement
from msbridge.contrib.rewrite.trees import Tree
from msbridge.nn.layers.containers import CellList, SequentialCell

__all__ = ["Source", "source_of"]


@dataclass(frozen=True, slots=True)
class _Import:
    """A name of the code that means something of another module."""

    value: Any
    module: str
    name: str

    def line(self, name: str) -> str:
        """Return the statement that makes `name` mean it."""
        if isinstance(self.value, types.ModuleType):
            whole = self.value.__name__
            return f"import {whole}" if whole == name else f"import {whole} as {name}"
        if self.module == "__main__":
            return f"{name} = getattr(sys.modules['__main__'], {self.name!r})"
        renamed = "" if name == self.name else f" as {name}"
        return f"from {self.module} import {self.name}{renamed}"


@dataclass(frozen=True, slots=True)
class Source:
    """The code of a network."""

    definitions: str  # classes and functions
    imports: str  # the lines that they need before them
    names: Mapping[str, Any]  # what those lines define


def source_of(tree: Tree) -> Source:
    """Return the code of a network as it is now."""
    writer = _Writer()
    writer.collect(tree)
    writer.write(tree)
    module = ast.fix_missing_locations(ast.Module(writer.pieces, []))
    lines = [one.line(name) for name, one in writer.imports.items()]
    if any("sys.modules" in line for line in lines):
        lines.insert(0, "import sys")
    return Source(ast.unparse(module), "\n".join(lines), {name: one.value for name, one in writer.imports.items()})


class _Writer:
    """Collects the definitions of a tree and the trees below."""

    def __init__(self) -> None:
        self.pieces: list[ast.stmt] = []
        self.imports: dict[str, _Import] = {}
        self._taken: set[str] = set()
        self._written: set[int] = set()

    def collect(self, tree: Tree) -> None:
        """Note all names that the code uses, so that no import takes one that means something else."""
        for definition in (*tree.methods.values(), *(one.syntax for one in tree.functions)):
            self._taken |= {one.name for one in (definition,) if definition.name not in tree.methods}
            self._taken |= _local_names(definition)
        self._taken.add(tree.class_name)
        for statement in tree.get_tree_nodes():
            self.collect(statement.symbol_tree)

    def write(self, tree: Tree) -> None:
        """Write the functions that a network calls, the networks below it, and its class."""
        if id(tree) in self._written:
            return
        self._written.add(id(tree))
        for function in tree.functions:
            names = {**inspect.unwrap(function.called).__globals__, **tree.called}
            self.pieces.append(_Resolver(self, names, function.called.__module__).definition(function.syntax))
        for statement in tree.get_tree_nodes():
            self.write(statement.symbol_tree)
        kind = type(tree.network)
        resolver = _Resolver(self, {**tree.names_outside, **tree.called}, kind.__module__, kind)
        base = ast.Name(self.name_of(kind, kind.__qualname__.rpartition(".")[2], kind.__module__), ast.Load())
        methods = [resolver.definition(one, base.id) for one in tree.methods.values()]
        body: list[ast.stmt] = [_init(tree, self.name_of(refill, "refill", refill.__module__)), *methods]
        self.pieces.append(ast.ClassDef(tree.class_name, [base], [], body, []))

    def name_of(self, value: Any, name: str, module: str) -> str:
        """Return the name under which the code imports an object."""
        free_name, number = name, 0
        while free_name in self._taken or (free_name in self.imports and self.imports[free_name].value is not value):
            number += 1
            free_name = f"{name}_{number}"
        self.imports.setdefault(free_name, _Import(value, module, name))
        return free_name


def _local_names(definition: ast.FunctionDef) -> set[str]:
    """Return the names that mean something within a function."""
    local: set[str] = set()
    for node in ast.walk(definition):
        match node:
            case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name) | ast.ExceptHandler(name=str(name)):
                local.add(name)
            case ast.alias(name, other):
                local.add(other or name.partition(".")[0])
            case ast.FunctionDef(name) | ast.ClassDef(name) if node is not definition:
                local.add(name)
    return local


class _Resolver(ast.NodeTransformer):
    """Makes names outside of a function those that the code imports."""

    def __init__(self, writer: _Writer, names: Mapping[str, Any], module: str, kind: type | None = None) -> None:
        self._writer, self._names, self._module, self._kind = writer, names, module, kind
        self._locals: set[str] = set()
        self._base = self._first = ""

    def definition(self, definition: ast.FunctionDef, base: str = "") -> ast.FunctionDef:
        """Return a copy of a definition that can be inserted into the code; a method is one of a class below `base`."""
        copied = copy.deepcopy(definition)
        arguments = copied.args
        for node in ast.walk(arguments):
            if isinstance(node, ast.arg):
                node.annotation = None
        copied.returns = None
        self._base, self._first = base, arguments.args[0].arg if base and arguments.args else ""
        self._locals = set()  # decorators and defaults are computed outside
        copied.decorator_list = [self.visit(one) for one in copied.decorator_list]
        copied.args = self.visit(arguments)
        self._locals = _local_names(definition)
        copied.body = [self.visit(one) for one in copied.body]
        for node in ast.walk(copied):
            if isinstance(node, ast.If | ast.For | ast.While) and not node.body:
                node.body.append(ast.Pass())
        if not copied.body:
            copied.body.append(ast.Pass())
        return copied

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._private(node.id)
        is_outside = isinstance(node.ctx, ast.Load) and node.id not in self._locals
        if is_outside and node.id in self._names and not hasattr(node, "is_defined"):
            value = self._names[node.id]
            if getattr(builtins, node.id, None) is not value:
                node.id = self._writer.name_of(value, node.id, self._module)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.attr = self._private(node.attr)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if self._base and isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            node.args = [_load(self._base), _load(self._first)]
            return node
        return self.generic_visit(node)

    def _private(self, name: str) -> str:
        if self._kind is None or not name.startswith("__") or name.endswith("__"):
            return name
        return f"_{self._kind.__name__.lstrip('_')}{name}"


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _init(tree: Tree, refill: str) -> ast.FunctionDef:
    """Return the `__init__` of the class, which takes the members of the network that was given."""
    lines = ["self.__setstate__(obj.__getstate__())"]
    members: dict[str, str] = {}
    for statement in tree.all_nodes(subtree_nodes=False):
        function = statement.function
        if isinstance(statement.block, CellContainer) or function is None or function.scope != "self":
            continue
        name = str(function.value)
        if isinstance(statement, CellContainer):
            made = _refilling(statement, f"obj.{name}", refill)
            if made and (name not in members or _is_edited(statement)):
                members[name] = made
        elif statement.node_type is NodeType.Tree:
            members[name] = f"{statement.symbol_tree.class_name}(obj.{name})"
        elif name in tree.added:
            members[name] = f"obj.{name}"
    for name in tree.added:
        if name.startswith("arg_"):
            members.setdefault(name, f"obj.{name}")
    lines += [_member(tree, name, value) for name, value in members.items()]
    body = "\n    ".join(lines)
    found = ast.parse(f"def __init__(self, obj):\n    {body}").body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


def _member(tree: Tree, name: str, value: str) -> str:
    if name in tree.network._cells:  # it keeps its place among the children
        return f"self.insert_child_to_cell({name!r}, {value})"
    return f"self.{name} = {value}"


def _is_edited(container: CellContainer) -> bool:
    nodes = container.nodes()
    return len(nodes) != len(container.originals) or any(
        one is not other for one, other in zip(nodes, container.originals, strict=True)
    )


def _refilling(container: CellContainer, path: str, refill: str) -> str:
    """Return the expression that makes a container of the Cells of its statements; nothing where it stays as it is."""
    is_changed = _is_edited(container)
    cells = []
    for at, statement in enumerate(container.nodes()):
        index = next((at for at, one in enumerate(container.originals) if one is statement), None)
        source = f"{path}[{index}]" if index is not None else _format_callee(statement)
        if isinstance(statement, CellContainer):
            inner = _refilling(statement, source, refill)
            is_changed = is_changed or bool(inner)
            source = inner or source
        elif statement.node_type is NodeType.Tree:
            is_changed = True
            source = f"{statement.symbol_tree.class_name}({source})"
        cells.append(f"{_child_name(container.instance, index, at)!r}: {source}")
    return f"{refill}({path}, {{{', '.join(cells)}}})" if is_changed else ""


def _format_callee(statement: Statement) -> str:
    assert statement.function is not None
    return f"obj.{statement.function.value}"


def _child_name(container: Any, index: int | None, at: int) -> str:
    """Return the name of a child: the one that it was given, or its position."""
    if index is not None and isinstance(container, SequentialCell | CellList):
        name: str = list(container._cells)[index]
        if not name.isdigit():
            return name
    return str(at)
