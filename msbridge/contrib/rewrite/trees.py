"""The tree of a network: the block of its `construct`, and all changes that are asked for."""

import ast
import builtins
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from msbridge.contrib.rewrite.blocks import Block, CallFunction, CellContainer, ControlFlow
from msbridge.contrib.rewrite.names import CLASSES, Names
from msbridge.contrib.rewrite.node_types import NodeType
from msbridge.contrib.rewrite.scoped_values import ScopedValue, ValueType
from msbridge.contrib.rewrite.statements import Statement
from msbridge.core.releases.rows import Default
from msbridge.nn.cell.cell import Cell

__all__ = ["Function", "Position", "Tree", "define_name"]
_USERS = Default("rewrite.SymbolTree.replace", "kept")  # what used the result of the old statement


@dataclass(frozen=True, slots=True)
class Position:
    """A place beside a statement."""

    node: Statement  # the statement
    is_before: bool  # before it, not behind


@dataclass(frozen=True, slots=True)
class Function:
    """A function that statements were made of."""

    syntax: ast.FunctionDef  # its definition, under the name that the rewritten network calls
    called: types.FunctionType  # the function


def define_name(name: str) -> ast.Name:
    """Return a name that means a definition of the rewritten code, even where something else is called so."""
    found = ast.Name(name, ast.Load())
    found.is_defined = True  # type: ignore[attr-defined]
    return found


class Tree(Block):
    """The statements of a network.

    Args:
        network: the Cell.
        names_outside: what names outside of its methods mean.

    Attributes:
        class_name: the name of the rewritten class.
        names: of the nodes of all its blocks.
        variables: names of the targets.
        methods: definitions of the methods that statements were made of, `construct` among them.
        functions: the functions that statements were made of.
        subtrees: the trees of members, by the identity of the Cell.
        added: the Cells and primitives of inserted nodes, and objects given as arguments, by the attribute's name.
        called: the functions of inserted nodes, by the name in the code.
    """

    face: ClassVar[Callable[["Tree"], Any]]  # what scripts see of a tree: SymbolTree, which is above the nodes

    def __init__(self, network: Cell, names_outside: dict[str, Any]) -> None:
        super().__init__(self, [])
        self.network, self.names_outside = network, names_outside
        self.class_name = CLASSES.unique(f"{type(network).__name__}Opt")
        self.names, self.variables = Names(), Names()
        self.names.add("obj")
        self.methods: dict[str, ast.FunctionDef] = {}
        self.functions: list[Function] = []
        self.subtrees: dict[int, Tree] = {}
        self.added: dict[str, Any] = {}
        self.called: dict[str, Any] = {}

    # What is there

    def blocks(self) -> list[Block]:
        """Return this block and all blocks within, but not those of other trees."""
        waiting: list[Block] = [self]
        inside = []
        while waiting:
            block = waiting.pop()
            inside.append(block)
            waiting += [one for one in block.nodes() if isinstance(one, Block)]
        return inside

    def all_nodes(self, subtree_nodes: bool = True) -> list[Statement]:
        """Return the statements of all blocks, and of the trees below."""
        statements = [one for block in self.blocks() for one in block.nodes()]
        if subtree_nodes:
            for statement in self.get_tree_nodes():
                statements += statement.symbol_tree.all_nodes()
        return statements

    def find(self, name: str) -> Statement | None:
        """Return the statement of this name in any of the blocks, or None."""
        return next((found for block in self.blocks() if (found := block.get_node(name)) is not None), None)

    def get_origin_network(self) -> Cell:
        """Return the network that was given."""
        return self.network

    def unique_name(self, name: str) -> str:
        """Return `name`, with a number behind it where a variable of this tree has it."""
        return self.variables.unique(name)

    def require_node(self, node: Statement | str) -> Statement:
        """Return a statement, which may be given by its name if it is one of `construct` itself.

        Raises:
            RuntimeError: there is none of this name, or it was taken out.
        """
        statement = self.get_node(node) if isinstance(node, str) else node
        if statement is None or statement.block is None:
            wanted = node if isinstance(node, str) else node.name
            raise RuntimeError(f"Node '{wanted}' does not belong to the SymbolTree of {type(self.network).__name__}.")
        return statement

    # Changes

    def append(self, statement: Statement, block: Block) -> None:
        """Put a statement whose syntax is there already at the end of a block."""
        for target in statement.targets:
            self.variables.add(str(target))
        block.place(statement)

    def insert_node(self, new: Statement, base: Statement, is_before: bool) -> Statement:
        """Insert a statement beside another one.

        Raises:
            RuntimeError: it would come before or between the parameters.
            TypeError: a Cell or primitive would be called in a function that is not a method.
            ValueError: it is in a tree already, or `base` is in another tree.
        """
        if new.block is not None:
            raise ValueError(f"Node '{new.name}' is in a SymbolTree already and cannot be inserted again.")
        block = base.block
        if block is None or block.tree is not self:
            raise ValueError(f"The position is not in this SymbolTree, which is that of {type(self.network).__name__}.")
        following = base.get_next()
        if base.node_type is NodeType.Input and (
            is_before or (following is not None and following.node_type is NodeType.Input)
        ):
            raise RuntimeError(f"A node cannot be inserted before or between the parameters, here at '{base.name}'.")
        _check_kind(new, block)
        for target in new.targets:
            self.variables.add(str(target))
        self._keep_objects(new)
        block.place(new, base, is_before)
        self._make_syntax(new)
        block.write(new, base, is_before)
        return new

    def erase_node(self, node: Statement | str) -> Statement:
        """Take a statement out."""
        statement = self.require_node(node)
        block = statement.block
        assert block is not None
        block.unwrite(statement)
        block.forget(statement)
        return statement

    def replace(self, old: Statement, new: Sequence[Statement]) -> Statement:
        """Put statements in place of one, and return the last of them.

        Up to release 2.0 what used the result of the old one uses that of the last.

        Raises:
            IndexError: there are none.
        """
        base = self.require_node(old)
        users = old.get_target_users(0) if _USERS.value == "moved" else []
        for statement in new:
            base = self.insert_node(statement, base, False)
        for user, index in users:
            user.set_arg_by_node(index, new[-1])
        self.erase_node(old)
        return new[-1]

    def set_output(self, value: str, index: int) -> Statement:
        """Put another value in place of what is returned.

        Raises:
            RuntimeError: `construct` returns nothing.
            ValueError: `index` is not 0.
        """
        returns = self.get_returns()
        if not returns:
            raise RuntimeError(f"'construct' of {type(self.network).__name__} has no output.")
        returns[0].set_arg(index, value)
        return returns[0]

    def flatten_nodes(self, node: Statement, drop_other: bool = False, drop_unreached: bool = False) -> None:
        """Put the statements of a branch or loop in its place.

        Args:
            node: the branch or loop.
            drop_other: take the other branch out, too.
            drop_unreached: take out what comes behind a return then.

        Raises:
            ValueError: `node` is not a branch or loop.
        """
        if not isinstance(node, ControlFlow):
            raise ValueError(f"For 'flatten_nodes', the node should be of type ControlFlow, but got {node.node_type}.")
        block = node.block
        assert block is not None
        base: Statement = node.other if node.other is not None and not node.is_orelse else node
        for inner in node.nodes():
            node.unwrite(inner)
            node.forget(inner)
            block.place(inner, base)
            block.write(inner, base, False)
            base = inner
        self.erase_node(node)
        if drop_other and node.other is not None and node.other.block is not None:
            self.erase_node(node.other)
        if drop_unreached:
            self.drop_unreached(block)

    def drop_unreached(self, block: Block) -> None:
        """Take out what comes behind the first return of a block."""
        has_returned = False
        for one in block.nodes():
            if has_returned:
                self.erase_node(one)
            has_returned = has_returned or one.node_type is NodeType.Output

    def flatten_static_if_control_flow(self) -> None:
        """Keep of every branch whose test is known what will run."""
        for node in self.all_nodes():
            if not isinstance(node, ControlFlow) or node.block is None or node.test_result is None:
                continue
            tree = node.block.tree
            taken = node if node.test_result is not node.is_orelse else node.other
            if taken is None:
                tree.erase_node(node)
            else:
                tree.flatten_nodes(taken, drop_other=True, drop_unreached=True)

    def _keep_objects(self, new: Statement) -> None:
        """Make members of objects that are arguments."""
        values = new.values()
        for at, value in enumerate(values):
            if value.type is ValueType.CustomObjValue:
                name = self._add(self.unique_name(f"arg_{type(value.value).__name__}"), value.value)
                values[at] = ScopedValue.create_naming_value(name, "self")
        if any(value is not old for value, old in zip(values, new.values(), strict=True)):
            new.set_values(values)

    def _make_syntax(self, new: Statement) -> None:
        if new.node_type is NodeType.Input:
            return
        if isinstance(new, CallFunction):
            new.tree = self
            new.function = ScopedValue.create_naming_value(self.call_name(new.instance))
        else:
            new.function = ScopedValue.create_naming_value(self._add(new.name, new.instance), "self")
        if not isinstance(new.block, CellContainer):
            new.write_call()

    def call_name(self, function: Any) -> str:
        """Note a function that inserted nodes call, and return the name that it has in the code."""
        name = function.__name__
        if getattr(builtins, name, None) is function:
            return str(name)
        while self.called.get(name, self.names_outside.get(name, function)) is not function:
            name = self.unique_name(name)
        self.called[name] = function
        return str(name)

    def _add(self, name: str, value: Any) -> str:
        """Note a new member under a name that the network does not have."""
        free_name, number = name, 0
        while free_name in self.added or hasattr(self.network, free_name):
            number += 1
            free_name = f"{name}_{number}"
        self.added[free_name] = value
        return free_name


def _check_kind(new: Statement, block: Block) -> None:
    of_member = new.node_type in (NodeType.CallCell, NodeType.CallPrimitive, NodeType.Tree)
    if of_member and isinstance(block, CallFunction) and not block.is_method:
        raise TypeError(
            f"A node of type {new.node_type} cannot be inserted into '{block.name}': a function that is not a method "
            "has no members to call."
        )
    allowed = (NodeType.CallCell, NodeType.CallPrimitive, NodeType.CallFunction, NodeType.Tree, NodeType.Input)
    if new.node_type not in allowed:
        raise ValueError(f"Nodes that are inserted call something, or are parameters; got {new.node_type}.")
    if new.node_type is NodeType.Input and block.arguments is None:
        raise ValueError("A parameter can be inserted only into 'construct' or a function.")
