"""Making the tree of a network of its source.

What is not understood stays as it is written, as a node of type Python.
"""

import ast
import inspect
import sys
import textwrap
from typing import Any

from msbridge.contrib.rewrite.blocks import Block, ControlFlow
from msbridge.contrib.rewrite.calling import Calls
from msbridge.contrib.rewrite.flattening import flatten
from msbridge.contrib.rewrite.node_types import NodeType
from msbridge.contrib.rewrite.scoped_values import ScopedValue, value_of
from msbridge.contrib.rewrite.statements import Statement, targets_of
from msbridge.contrib.rewrite.trees import Tree
from msbridge.core.runtime.defining_modules import defining_module
from msbridge.nn.cell.cell import Cell

__all__ = ["tree_of"]


def tree_of(network: Cell) -> Tree:
    """Return the tree of a network.

    Raises:
        OSError: the source of its class cannot be found.
    """
    kind = type(network)
    try:
        source = inspect.getsource(kind)
    except OSError as error:
        raise OSError(f"For 'SymbolTree', the source of {kind.__name__} cannot be found: {error}.") from error
    definition = ast.parse(textwrap.dedent(source)).body[0]
    assert isinstance(definition, ast.ClassDef)
    tree = Tree(network, names_outside(kind))
    methods = {one.name: one for one in definition.body if isinstance(one, ast.FunctionDef)}
    if "construct" in methods:
        construct = methods["construct"]
        tree.body, tree.arguments = construct.body, construct.args
        tree.methods["construct"] = construct
        _Parser(tree, methods).function(construct, tree)
    return tree


def names_outside(kind: type) -> dict[str, Any]:
    """Return the names outside of a class, with their values: its module's, and those around it."""
    outside = dict(vars(sys.modules[defining_module(kind)]))
    for method in vars(kind).values():
        if inspect.isfunction(method):
            outside |= inspect.getclosurevars(inspect.unwrap(method)).nonlocals
    return outside


class _Parser:
    """Makes statements of syntax.

    Args:
        tree: the tree that they belong to.
        methods: the definitions of the methods of the network.
    """

    def __init__(self, tree: Tree, methods: dict[str, ast.FunctionDef]) -> None:
        self._tree = tree
        self._tests: dict[ast.stmt, ast.expr] = {}
        self._calls = Calls(tree, methods, tree_of, self.function)

    def function(self, definition: ast.FunctionDef, block: Block) -> None:
        """Make the statements of a function."""
        self._tests |= flatten(definition.body, str if block is self._tree else self._tree.unique_name)
        arguments = definition.args
        self._other(arguments.posonlyargs, block)
        for argument in arguments.args:
            if argument.arg != "self":
                target = ScopedValue.create_naming_value(argument.arg)
                self._add(Statement(NodeType.Input, argument, f"input_{argument.arg}", [target]), block)
        for rest in (arguments.vararg, arguments.kwonlyargs, arguments.kwarg):
            self._other(rest, block)
        first = definition.body[0]
        if len(definition.body) > 1 and isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            del definition.body[0]  # the docstring
        for statement in list(definition.body):
            self._statement(statement, block)
        self._tree.drop_unreached(block)

    def _statement(self, statement: ast.stmt, block: Block) -> None:
        match statement:
            case ast.Assign():
                self._assignment(statement, block)
            case ast.Return():
                value = ast.Constant(None) if statement.value is None else statement.value
                self._add(Statement(NodeType.Output, statement, "return", [], [value_of(value)]), block)
            case ast.If():
                self._branch(statement, block)
            case ast.For():
                self._blocks(statement, block, "for_node", "for_else_node")
            case ast.While():
                self._blocks(statement, block, "while_node", "while_else_node")
            case _:
                self._other(statement, block)

    def _add(self, statement: Statement, block: Block) -> None:
        self._tree.append(statement, block)

    def _other(self, syntax: Any, block: Block) -> None:
        if syntax:
            self._add(Statement(NodeType.Python, syntax, type(syntax).__name__), block)

    def _assignment(self, statement: ast.Assign, block: Block) -> None:
        value, targets = statement.value, targets_of(statement.targets[0])

        def method(name: str, called: str, args: list[ast.expr]) -> None:
            function = ScopedValue.create_naming_value(called)
            self._add(Statement(NodeType.CallMethod, statement, name, targets, _values(args), function=function), block)

        match value:
            case ast.Call():
                self._calls.call(statement, value, block)
            case ast.BinOp() | ast.UnaryOp() | ast.BoolOp() | ast.Compare():
                name, args = _computation(value)
                self._add(Statement(NodeType.MathOps, statement, name, targets, _values(args)), block)
            case ast.Name() | ast.Attribute():
                if not self._calls.container(statement, value, block):
                    method(f"{type(value).__name__.lower()}_assign", "pass_through", [value])
            case ast.Constant():
                method("constant_assign", "pass_through", [value])
            case ast.Subscript():
                method("subscript_var", "pass_through", [value])
            case ast.Tuple(items) | ast.List(items) if all(isinstance(item, _SIMPLE) for item in items):
                name = type(value).__name__.lower()
                method(name, name, items)
            case ast.Dict(keys, values) if all(map(_is_text, keys)) and all(isinstance(one, _SIMPLE) for one in values):
                named = {key.value: value_of(one) for key, one in zip(keys, values, strict=True)}  # type: ignore[union-attr]
                function = ScopedValue.create_naming_value("dict")
                self._add(Statement(NodeType.CallMethod, statement, "dict", targets, [], named, function), block)
            case _:
                self._other(statement, block)

    def _branch(self, statement: ast.If, block: Block) -> None:
        result = self._calls.evaluate_test(self._tests[statement], block)
        for one in self._blocks(statement, block, "if_node", "else_node"):
            one.test_result = result

    def _blocks(
        self, statement: ast.If | ast.For | ast.While, block: Block, name: str, name_of_else: str
    ) -> list[ControlFlow]:
        blocks = []
        for is_orelse, body, title in ((False, statement.body, name), (True, statement.orelse, name_of_else)):
            if not body:
                continue
            self._tests |= flatten(body, self._tree.unique_name)
            branch = ControlFlow(self._tree, statement, title, is_orelse)
            self._add(branch, block)
            for inner in list(body):
                self._statement(inner, branch)
            blocks.append(branch)
        if len(blocks) > 1:
            blocks[0].other, blocks[1].other = blocks[1], blocks[0]
        return blocks


_SIMPLE = (ast.Name, ast.Attribute, ast.Tuple, ast.Constant)


def _values(args: list[ast.expr]) -> list[ScopedValue]:
    return [value_of(one) for one in args]


def _is_text(key: ast.expr | None) -> bool:
    return isinstance(key, ast.Constant) and isinstance(key.value, str)


def _computation(value: ast.BinOp | ast.UnaryOp | ast.BoolOp | ast.Compare) -> tuple[str, list[ast.expr]]:
    """Return the name of the node for an operator, and the operands."""
    operators: list[ast.AST]
    match value:
        case ast.BinOp(left, operator, right):
            operators, args = [operator], [left, right]
        case ast.UnaryOp(operator, operand):
            operators, args = [operator], [operand]
        case ast.BoolOp(operator, values):
            operators, args = [operator], values
        case ast.Compare(left, comparisons, others):
            operators, args = list(comparisons), [left, *others]
    return "_".join(type(one).__name__ for one in (value, *operators)).lower(), args
