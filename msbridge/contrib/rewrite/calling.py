"""Callees in `construct`: a layer, a network of its own, a container, a primitive, a function or a method."""

import ast
import builtins
import inspect
import sysconfig
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from msbridge import nn
from msbridge.contrib.rewrite.blocks import Block, CallFunction, CellContainer, ControlFlow
from msbridge.contrib.rewrite.names import FUNCTIONS
from msbridge.contrib.rewrite.node_types import NodeType
from msbridge.contrib.rewrite.scoped_values import ScopedValue, value_of
from msbridge.contrib.rewrite.statements import Made, Statement, targets_of
from msbridge.contrib.rewrite.trees import Function, Tree, define_name
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.containers import CellList, SequentialCell
from msbridge.ops.primitive.primitive import Primitive

__all__ = ["LEAVES", "Calls", "is_subtree"]

LEAVES: list[type] = [CellList, SequentialCell]  # Cells that have no tree of their own; scripts add to it
_NOT_LOOKED_INTO = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))


def is_subtree(cell: Cell) -> bool:
    """Whether a Cell has a tree of its own: it is not a layer of mindspore.nn."""
    name = type(cell).__name__
    layer = getattr(nn, name) if name in nn.__all__ else None  # no search for what may be meant
    return not isinstance(cell, tuple(LEAVES)) and not (isinstance(layer, type) and isinstance(cell, layer))


class Calls:
    """Makes statements of calls.

    Args:
        tree: the tree that they belong to.
        methods: the definitions of the methods of the network.
        tree_of: makes the tree of a network.
        parse: makes the statements of a function.
    """

    def __init__(
        self,
        tree: Tree,
        methods: dict[str, ast.FunctionDef],
        tree_of: Callable[[Cell], Tree],
        parse: Callable[[ast.FunctionDef, Block], None],
    ) -> None:
        self._tree, self._methods, self._tree_of, self._parse = tree, methods, tree_of, parse

    def call(self, statement: ast.Assign, call: ast.Call, block: Block) -> None:
        """Add the statement of an assignment of a call."""
        scope, _, name = ast.unparse(call.func).rpartition(".")
        if not isinstance(call.func, ast.Name | ast.Attribute) or any(
            isinstance(one, ast.Call) for one in ast.walk(call.func)
        ):
            self._opaque(statement, name or "function", block)
            return
        owner = self._tree.network
        member = getattr(owner, name, None) if scope == "self" else None
        if not scope and hasattr(builtins, name):
            self._opaque(statement, name, block)
        elif isinstance(member, Cell):
            self._cell(statement, call, name, member, block)
        elif isinstance(member, Primitive):
            self._plain(NodeType.CallPrimitive, statement, call, name, member, block)
        elif inspect.ismethod(member):
            self._method(statement, name, member, block)
        elif member is not None and not isinstance(inspect.getattr_static(owner, name), staticmethod):
            self._object(statement, call, f"self.{name}", member, block)
        elif scope == "self":
            self._opaque(statement, name, block)
        else:
            self._outside(statement, call, scope, name, block)

    def container(self, statement: ast.Assign, value: ast.Name | ast.Attribute, block: Block) -> bool:
        """Add the statement that takes a list of Cells; False where `value` is not one."""
        name = ast.unparse(value)
        member = getattr(self._tree.network, name.removeprefix("self."), None) if name.startswith("self.") else None
        is_list = isinstance(member, list) and bool(member) and all(isinstance(one, Cell) for one in member)
        if not (is_list or isinstance(member, CellList)):
            return False
        function = ScopedValue.create_naming_value(name.removeprefix("self."), "self")
        self._container(
            CellContainer(self._tree, statement, name, function, member, targets_of(statement.targets[0])), block
        )
        return True

    def evaluate_test(self, test: ast.expr, block: Block) -> bool | None:
        """Return whether a test is true, if that depends on the network's members only."""
        names = {one.id for one in ast.walk(test) if isinstance(one, ast.Name)}
        if any(self._provider(name, block) for name in names):
            return None
        code = compile(ast.fix_missing_locations(ast.Expression(test)), "<test>", "eval")
        try:
            return bool(eval(code, {**self._names(block), "self": self._tree.network}))
        except Exception:
            return None  # it is known when the network runs

    # One kind each

    def _plain(
        self, kind: NodeType, statement: ast.Assign, call: ast.Call, name: str, called: Any, block: Block
    ) -> Statement:
        kwargs = {keyword.arg or "**": value_of(keyword.value) for keyword in call.keywords}
        added = Statement(
            kind,
            statement,
            name,
            targets_of(statement.targets[0]),
            [value_of(value) for value in call.args],
            kwargs,
            value_of(call.func),
            called,
        )
        self._tree.append(added, block)
        return added

    def _cell(self, statement: ast.Assign, call: ast.Call, name: str, cell: Cell, block: Block) -> None:
        if isinstance(cell, SequentialCell):
            targets, args = targets_of(statement.targets[0]), [value_of(value) for value in call.args]
            kwargs = {keyword.arg or "**": value_of(keyword.value) for keyword in call.keywords}
            function = value_of(call.func)
            found = CellContainer(self._tree, statement, name, function, cell, targets, args, kwargs)
            self._container(found, block)
        elif is_subtree(cell):
            tree = self._subtree(cell)
            self._plain(NodeType.Tree, statement, call, name, cell, block).symbol_tree = tree
        else:
            self._plain(NodeType.CallCell, statement, call, name, cell, block)

    def _container(self, container: CellContainer, block: Block) -> None:
        trees = [self._subtree(cell) if _has_tree(cell) else None for cell in container.instance]
        self._tree.append(container, block)
        for cell, tree in zip(container.instance, trees, strict=True):
            targets, args, kwargs, name = container.targets, container.args, container.kwargs, type(cell).__name__
            if isinstance(cell, SequentialCell):
                function = ScopedValue.create_naming_value(name)
                inner = CellContainer(self._tree, None, name, function, cell, targets, args, kwargs)
                self._container(inner, container)
                container.originals.append(inner)
                continue
            kind = NodeType.CallCell if tree is None else NodeType.Tree
            function = ScopedValue.create_naming_value(name)
            one = Statement(kind, None, name, targets, args, kwargs, function, cell)
            one.symbol_tree = tree
            self._tree.append(one, container)
            container.originals.append(one)

    def _subtree(self, cell: Cell) -> Tree:
        """Return the tree of a member, one for all its calls."""
        if id(cell) not in self._tree.subtrees:
            self._tree.subtrees[id(cell)] = self._tree_of(cell)
        return self._tree.subtrees[id(cell)]

    def _opaque(
        self, statement: ast.Assign, name: str, block: Block, called: Any = None, instance_type: type | None = None
    ) -> None:
        """Add a call of a function that is not looked into."""
        function = value_of(statement.value.func)  # type: ignore[attr-defined]
        self._tree.append(
            CallFunction(self._tree, statement, name, function, called, instance_type=instance_type), block
        )

    def _method(self, statement: ast.Assign, name: str, method: Any, block: Block) -> None:
        definition = self._methods.get(name)
        if definition is None or _is_running(block, method):
            self._opaque(statement, name, block)
            return
        self._tree.methods[name] = definition
        self._expand_call(statement, name, method, definition, block, is_method=True)

    def _expand_call(
        self, statement: ast.Assign, name: str, called: Any, definition: ast.FunctionDef, block: Block, is_method: bool
    ) -> None:
        function = value_of(statement.value.func)  # type: ignore[attr-defined]
        found = CallFunction(self._tree, statement, name, function, called, definition, is_method)
        self._tree.append(found, block)
        self._parse(definition, found)

    def _outside(self, statement: ast.Assign, call: ast.Call, scope: str, name: str, block: Block) -> None:
        full = f"{scope}.{name}" if scope else name
        provider = self._provider(full, block) or self._provider(full.partition(".")[0], block)
        if provider is not None:
            made = provider.made if isinstance(provider, CallFunction) and str(provider.targets[0]) == full else None
            if made is not None and issubclass(made, Primitive):
                self._plain(NodeType.CallPrimitive, statement, call, full, Made(made), block)
            else:
                self._opaque(statement, name, block)
            return
        first, *rest = full.split(".")
        called = self._names(block).get(first)
        for part in rest:
            called = getattr(called, part, None)
        if called is None:
            self._opaque(statement, name, block)
        else:
            self._object(statement, call, full, called, block)

    def _object(self, statement: ast.Assign, call: ast.Call, full: str, called: Any, block: Block) -> None:
        name = full.rpartition(".")[2]
        if isinstance(called, Primitive):
            self._plain(NodeType.CallPrimitive, statement, call, name, called, block)
        elif inspect.isclass(called):
            self._opaque(statement, name, block, instance_type=called)
        elif inspect.isfunction(called) and _is_ours(called):
            own = called.__name__
            self._opaque(statement, FUNCTIONS.unique(own if own == full else f"{own}_opt"), block, called)
        elif not inspect.isfunction(called) or _is_running(block, called) or not _is_looked_into(called):
            self._opaque(statement, name, block, called)
        else:
            self._function(statement, full, called, block)

    def _function(self, statement: ast.Assign, full: str, function: Any, block: Block) -> None:
        definition = _definition(function)
        if definition is None:
            self._opaque(statement, full.rpartition(".")[2], block, function)
            return
        own = definition.name
        definition.name = FUNCTIONS.unique(own if own == full else f"{own}_opt")
        statement.value.func = define_name(definition.name)  # type: ignore[attr-defined]
        self._tree.functions.append(Function(definition, inspect.unwrap(function)))
        self._expand_call(statement, definition.name, function, definition, block, is_method=False)

    # Names

    def _names(self, block: Block) -> dict[str, Any]:
        """Return the names outside of the function of a block, with their values."""
        while isinstance(block, Statement) and block.block is not None:
            if isinstance(block, CallFunction) and not block.is_method:
                found: dict[str, Any] = inspect.unwrap(block.instance).__globals__
                return found
            block = block.block
        return self._tree.names_outside

    def _provider(self, name: str, block: Block) -> Statement | None:
        """Return the statement that the variable comes from, of this block or one around it."""
        for one in reversed(block.nodes()):
            if name in map(str, one.targets):
                return one
        if isinstance(block, ControlFlow):
            if isinstance(block.syntax, ast.For) and name in map(str, targets_of(block.syntax.target)):
                return block
            if block.block is not None:
                return self._provider(name, block.block)
        return None


def _has_tree(cell: Cell) -> bool:
    return not isinstance(cell, SequentialCell) and is_subtree(cell)


def _is_running(block: Block, function: Any) -> bool:
    """Whether a block is within the body of a function, which calls itself then."""
    while isinstance(block, Statement):
        if isinstance(block, CallFunction) and block.instance == function:
            return True
        if block.block is None:
            return False
        block = block.block
    return False


def _is_ours(function: Any) -> bool:
    return str(function.__module__).partition(".")[0] in ("msbridge", "mindspore")


def _is_looked_into(function: Any) -> bool:
    """Whether a function is the user's: neither Python's nor of an installed package."""
    module = inspect.getmodule(function)
    file = getattr(module, "__file__", None)
    if not isinstance(module, ModuleType) or file is None:
        return False
    path = Path(file).resolve()
    return not any(path.is_relative_to(folder) for folder in _NOT_LOOKED_INTO)


def _definition(function: Any) -> ast.FunctionDef | None:
    """Return the definition of a function, or None where it cannot be written elsewhere."""
    if inspect.unwrap(function).__closure__:
        return None
    try:
        parsed = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, SyntaxError):
        return None
    if not isinstance(parsed, ast.FunctionDef) or any(isinstance(one, ast.FunctionDef) for one in parsed.body):
        return None
    return parsed
