"""Node: a statement of a network, as scripts see it."""

import ast
from collections.abc import Mapping, Sequence
from types import BuiltinFunctionType, FunctionType
from typing import Any

from msbridge.contrib.rewrite.blocks import CallFunction
from msbridge.contrib.rewrite.calling import is_subtree
from msbridge.contrib.rewrite.checks import elements, items
from msbridge.contrib.rewrite.node_types import NodeType
from msbridge.contrib.rewrite.parsing import tree_of
from msbridge.contrib.rewrite.scoped_values import ScopedValue
from msbridge.contrib.rewrite.statements import Statement
from msbridge.core.checks.arguments import boolean, instance
from msbridge.nn.cell.cell import Cell
from msbridge.ops.primitive.primitive import Primitive

__all__ = ["Node"]

_Targets = Sequence[ScopedValue | str]
_Args = Sequence[ScopedValue] | None
_Kwargs = Mapping[str, ScopedValue] | None


class Node:
    """A statement of a network.

    Args:
        node: what handles it; scripts make nodes with `create_call_cell` and the like.

    Follows: mindspore.rewrite.Node (2.10).
    """

    def __init__(self, node: Statement) -> None:
        self._node: Statement = instance(node, "node", "Node", Statement)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._node is other._node

    def __hash__(self) -> int:
        return hash(self._node)

    def __repr__(self) -> str:
        return f"<Node {self.get_name()!r} of {self.get_node_type()}>"

    @staticmethod
    def create_call_cell(
        cell: Cell | Primitive,
        targets: _Targets,
        args: _Args = None,
        kwargs: _Kwargs = None,
        name: str = "",
        is_sub_net: bool = False,
    ) -> "Node":
        """Return a node that calls a Cell or a primitive, to be inserted.

        Args:
            cell: what is called; the rewritten network gets it as a member.
            targets: a list of the variables that results go to.
            args: positional arguments.
            kwargs: keyword arguments.
            name: of the node and of the member; empty for the name of the class.
            is_sub_net: make a SymbolTree for the node, unless the Cell is a layer of `mindspore.nn`.

        Raises:
            RuntimeError: the Cell does not take these arguments.
            TypeError: an argument is of another type.

        Follows: mindspore.rewrite.Node.create_call_cell (2.10).
        """
        instance(cell, "cell", "Node", (Cell, Primitive))
        instance(name, "name", "Node", str)
        boolean(is_sub_net, "is_sub_net", "Node")
        results, args, kwargs = _targets(targets, "Node"), _args(args, "Node"), _kwargs(kwargs, "Node")
        function = ScopedValue.create_naming_value(name)
        kind = NodeType.CallCell if isinstance(cell, Cell) else NodeType.CallPrimitive
        if not (is_sub_net and isinstance(cell, Cell) and is_subtree(cell)):
            return Node(Statement(kind, None, name, results, args, kwargs, function, cell))
        found = Statement(NodeType.Tree, None, name, results, args, kwargs, function, cell)
        found.symbol_tree = tree_of(cell)
        return Node(found)

    @staticmethod
    def create_call_function(
        function: FunctionType | type | BuiltinFunctionType,
        targets: _Targets,
        args: _Args = None,
        kwargs: _Kwargs = None,
    ) -> "Node":
        """Return a node that calls a function or a class, to be inserted.

        Args:
            function: what is called.
            targets: a list of the variables that results go to.
            args: positional arguments.
            kwargs: keyword arguments.

        Raises:
            TypeError: an argument is of another type.

        Follows: mindspore.rewrite.Node.create_call_function (2.10).
        """
        owner = "create_call_function"
        instance(function, "function", owner, (FunctionType, type, BuiltinFunctionType))
        results, args, kwargs = _targets(targets, owner), _args(args, owner), _kwargs(kwargs, owner)
        return Node(CallFunction.make_inserted(function, results, args, kwargs))

    @staticmethod
    def create_input(param_name: str, default: ScopedValue | None = None) -> "Node":
        """Return a node that is a parameter of `construct`, to be inserted behind the others.

        Args:
            param_name: its name.
            default: is noted as the argument of the node; a call that leaves the parameter out passes None, as it does
                in MindSpore.

        Raises:
            TypeError: `param_name` is not a str, or `default` is not a ScopedValue.

        Follows: mindspore.rewrite.Node.create_input (2.10).
        """
        instance(param_name, "param_name", "Node", str)
        if default is not None:
            instance(default, "default", "Node", ScopedValue)
        syntax = ast.arg(param_name)
        target = ScopedValue.create_naming_value(param_name)
        args = [] if default is None else [default]
        return Node(Statement(NodeType.Input, syntax, f"input_{param_name}", [target], args))

    def get_handler(self) -> Statement:
        """Return the statement of the node."""
        return self._node

    def get_name(self) -> str:
        """Return the name, of which a SymbolTree has only one.

        Follows: mindspore.rewrite.Node.get_name (2.10).
        """
        return self._node.name

    def get_node_type(self) -> NodeType:
        """Return the type of the statement.

        Follows: mindspore.rewrite.Node.get_node_type (2.10).
        """
        return self._node.node_type

    def get_instance_type(self) -> Any:
        """Return the class of the Cell or primitive that is called; of a function, the function; else NoneType.

        Follows: mindspore.rewrite.Node.get_instance_type (2.10).
        """
        return self._node.get_instance_type()

    def get_instance(self) -> Any:
        """Return the Cell, primitive or function that is called, or None.

        Follows: mindspore.rewrite.Node.get_instance (2.10).
        """
        return self._node.instance

    def get_targets(self) -> list[ScopedValue]:
        """Return the variables that results go to.

        Follows: mindspore.rewrite.Node.get_targets (2.10).
        """
        return self._node.targets

    def get_args(self) -> list[ScopedValue]:
        """Return the positional arguments.

        Follows: mindspore.rewrite.Node.get_args (2.10).
        """
        return self._node.get_args()

    def get_kwargs(self) -> dict[str, ScopedValue]:
        """Return the keyword arguments.

        Follows: mindspore.rewrite.Node.get_kwargs (2.10).
        """
        return self._node.get_kwargs()

    def get_inputs(self) -> "list[Node]":
        """Return the nodes that the arguments come from, as far as they are in the same block.

        Follows: mindspore.rewrite.Node.get_inputs (2.10).
        """
        return [Node(one) for one in self._node.get_inputs()]

    def get_users(self) -> "list[Node]":
        """Return the nodes that use results, as far as they are in the same block.

        Follows: mindspore.rewrite.Node.get_users (2.10).
        """
        return [Node(one) for one in self._node.get_users()]

    def get_arg_providers(self) -> "dict[int, tuple[Node, int]]":
        """Return by argument the node that it comes from, and which of its targets it is.

        Follows: mindspore.rewrite.Node.get_arg_providers (2.10).
        """
        return {at: (Node(one), index) for at, (one, index) in self._node.get_arg_providers().items()}

    def get_target_users(self, index: int = -1) -> Any:
        """Return by target the nodes that use it, and as which of their arguments; or those of one target.

        Raises:
            TypeError: `index` is not an int.

        Follows: mindspore.rewrite.Node.get_target_users (2.10).
        """
        found = self._node.get_target_users(instance(index, "index", "get_target_users", int))
        if index != -1:
            return [(Node(one), at) for one, at in found]
        return {target: [(Node(one), at) for one, at in users] for target, users in found.items()}

    def set_arg(self, index: int, arg: ScopedValue | str) -> None:
        """Put another value in place of a positional argument; a str is the name of a variable.

        Raises:
            TypeError: an argument is of another type.
            ValueError: there is no such argument.

        Follows: mindspore.rewrite.Node.set_arg (2.10).
        """
        instance(index, "index", "Node", int)
        self._node.set_arg(index, instance(arg, "arg", "Node", (ScopedValue, str)))

    def set_arg_by_node(self, arg_idx: int, src_node: "Node", out_idx: int | None = None) -> None:
        """Put a target of another node in place of a positional argument.

        Args:
            arg_idx: which argument.
            src_node: the other node.
            out_idx: which of its targets; it may be left out where there is one.

        Raises:
            RuntimeError: there is no such target, or there are several and none was named.
            TypeError: an argument is of another type.
            ValueError: there is no such argument.

        Follows: mindspore.rewrite.Node.set_arg_by_node (2.10).
        """
        instance(arg_idx, "arg_idx", "Node", int)
        instance(src_node, "src_node", "Node", Node)
        if out_idx is not None:
            instance(out_idx, "out_idx", "Node", int)
        self._node.set_arg_by_node(arg_idx, src_node._node, out_idx)

    def get_symbol_tree(self) -> Any:
        """Return the SymbolTree that the node is in, or None.

        Follows: mindspore.rewrite.Node.get_symbol_tree (2.10).
        """
        tree = self._node.get_belong_symbol_tree()
        return None if tree is None else tree.face(tree)

    def get_sub_tree(self) -> Any:
        """Return the SymbolTree of the network that is called.

        Raises:
            TypeError: the node is not of type Tree.

        Follows: mindspore.rewrite.Node.get_sub_tree (2.10).
        """
        if self._node.node_type is not NodeType.Tree:
            raise TypeError(f"For 'get_sub_tree', the node should be of NodeType.Tree, but got {self._node.node_type}.")
        return self._node.symbol_tree.face(self._node.symbol_tree)

    def set_attribute(self, key: str, value: Any) -> None:
        """Note something with the node.

        Raises:
            TypeError: `key` is not a str.
        """
        self._node.set_attribute(instance(key, "key", "Node attribute", str), value)

    def get_attributes(self) -> dict[str, Any]:
        """Return the attributes: of a node that calls a Cell or primitive its public ones, and `cls`."""
        return self._node.attributes

    def get_attribute(self, key: str) -> Any:
        """Return one of these, or None.

        Raises:
            TypeError: `key` is not a str.
        """
        return self._node.get_attribute(instance(key, "key", "Node attribute", str))


def _targets(targets: _Targets, owner: str) -> list[ScopedValue]:
    elements(targets, "targets", owner, (ScopedValue, str))
    values = []
    for target in instance(targets, "targets", owner, list):
        if isinstance(target, str):
            scope, _, name = target.rpartition(".")
            target = ScopedValue.create_naming_value(name, scope)
        values.append(target)
    return values


def _args(args: _Args, owner: str) -> Sequence[ScopedValue]:
    return [] if args is None else elements(args, "args", owner, ScopedValue)


def _kwargs(kwargs: _Kwargs, owner: str) -> Mapping[str, ScopedValue]:
    return {} if kwargs is None else items(kwargs, "kwargs", owner, ScopedValue)
