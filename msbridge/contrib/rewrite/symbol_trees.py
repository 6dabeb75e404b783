"""SymbolTree: a network as nodes that scripts read, change and turn into a network again."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msbridge.contrib.rewrite.checks import elements
from msbridge.contrib.rewrite.networks import code_of, network_of
from msbridge.contrib.rewrite.node_types import NodeType
from msbridge.contrib.rewrite.nodes import Node
from msbridge.contrib.rewrite.parsing import tree_of
from msbridge.contrib.rewrite.scoped_values import ScopedValue
from msbridge.contrib.rewrite.statements import Statement
from msbridge.contrib.rewrite.tables import dump, tabulate
from msbridge.contrib.rewrite.trees import Position, Tree
from msbridge.core.checks.arguments import boolean, instance
from msbridge.nn.cell.cell import Cell

__all__ = ["SymbolTree", "TreeNodeHelper"]


class SymbolTree:
    """The statements of a network's `construct` as nodes.

    What nodes are called, and which there are, is as in MindSpore; functions of MindSpore are not looked into. The
    network that was given stays as it is, and shares parameters with the rewritten one.

    Args:
        handler: what handles the tree; scripts call `SymbolTree.create`.

    Raises:
        TypeError: `handler` is not a tree.

    Follows: mindspore.rewrite.SymbolTree (2.10; where `x or f(x)` is written, `f` is called only if `x` is false).
    """

    def __init__(self, handler: Tree) -> None:
        self._symbol_tree: Tree = instance(handler, "handler", "SymbolTree", Tree)
        self._file = "./network_define.py"

    @classmethod
    def create(cls, network: Cell) -> "SymbolTree":
        """Return the tree of a network, made of the source of its class.

        Args:
            network: a Cell whose class defines `construct`; methods of base classes are not looked into.

        Raises:
            OSError: the source cannot be found.
            TypeError: `network` is not a Cell.

        Follows: mindspore.rewrite.SymbolTree.create (2.10).
        """
        return cls(tree_of(instance(network, "network", "SymbolTree", Cell)))

    def get_handler(self) -> Tree:
        """Return the tree that this one wraps."""
        return self._symbol_tree

    def get_origin_network(self) -> Cell:
        """Return the network that was given."""
        return self._symbol_tree.network

    # Nodes

    def nodes(self, all_nodes: bool = False) -> Iterator[Node]:
        """Iterate over the nodes.

        Args:
            all_nodes: also over those in functions, branches, loops, containers and trees below.

        Raises:
            TypeError: `all_nodes` is not a bool.

        Follows: mindspore.rewrite.SymbolTree.nodes (2.10).
        """
        boolean(all_nodes, "all_nodes", "nodes")
        tree = self._symbol_tree
        yield from map(Node, tree.all_nodes() if all_nodes else tree.nodes())

    def all_nodes(self, subtree_nodes: bool = True) -> list[Node]:
        """Return the nodes, with those in functions, branches, loops and containers.

        Args:
            subtree_nodes: and those of trees below.

        Raises:
            TypeError: `subtree_nodes` is not a bool.
        """
        return [Node(one) for one in self._symbol_tree.all_nodes(boolean(subtree_nodes, "subtree_nodes", "all_nodes"))]

    def get_node(self, node_name: str) -> Node | None:
        """Return the node of this name, or None; those of trees below are not looked at.

        Raises:
            TypeError: `node_name` is not a str.

        Follows: mindspore.rewrite.SymbolTree.get_node (2.10).
        """
        found = self._symbol_tree.find(instance(node_name, "node_name", "SymbolTree", str))
        return None if found is None else Node(found)

    def get_inputs(self) -> list[Node]:
        """Return the nodes of the parameters of `construct`.

        Follows: mindspore.rewrite.SymbolTree.get_inputs (2.10).
        """
        return [Node(one) for one in self._symbol_tree.get_input_nodes()]

    def unique_name(self, name: str = "output") -> str:
        """Return `name`, with a number behind it where a variable has it; it is taken then.

        Raises:
            TypeError: `name` is not a str.

        Follows: mindspore.rewrite.SymbolTree.unique_name (2.10).
        """
        return self._symbol_tree.unique_name(instance(name, "name", "SymbolTree", str))

    def create_call_function(self, func: Callable[..., Any], targets: list[str], *args: Any, **kwargs: Any) -> Node:
        """Return a node that calls a function, to be inserted, as releases up to 2.0 make it.

        Args:
            func: what is called.
            targets: the variables that results go to.
            args: positional arguments: nodes, whose first targets are meant, and constants.
            kwargs: keyword arguments, likewise.

        Raises:
            TypeError: an argument is of another type.

        Follows: mindspore.rewrite.SymbolTree.create_call_function (2.0).
        """
        values = {name: _argument(value) for name, value in kwargs.items()}
        return Node.create_call_function(func, targets, [_argument(value) for value in args], values)  # type: ignore[arg-type]

    # Changes

    def before(self, node: Node | str) -> Position:
        """Return the place before a node, for `insert`.

        Raises:
            RuntimeError: there is no such node.
            TypeError: `node` is neither a Node nor a str.

        Follows: mindspore.rewrite.SymbolTree.before (2.10).
        """
        return Position(self._own(node), True)

    def after(self, node: Node | str) -> Position:
        """Return the place behind a node, for `insert`.

        Raises:
            RuntimeError: there is no such node.
            TypeError: `node` is neither a Node nor a str.

        Follows: mindspore.rewrite.SymbolTree.after (2.10).
        """
        return Position(self._own(node), False)

    def insert(self, position: Position, node: Node) -> Node:
        """Insert a node, and return it; its name may get a number.

        Args:
            position: what `before` or `after` returned.
            node: in no SymbolTree yet.

        Raises:
            RuntimeError: it would come before or between the parameters.
            TypeError: an argument is of another type, or a Cell would be called in a function that is not a method.
            ValueError: the node is in a SymbolTree already, or the position is in another one.

        Follows: mindspore.rewrite.SymbolTree.insert (2.10).
        """
        instance(position, "position", "SymbolTree", Position)
        instance(node, "node", "SymbolTree", Node)
        return Node(self._symbol_tree.insert_node(node.get_handler(), position.node, position.is_before))

    def erase(self, node: Node | str) -> Node:
        """Take a node out, and return it.

        Raises:
            RuntimeError: there is no such node.
            TypeError: `node` is neither a Node nor a str.

        Follows: mindspore.rewrite.SymbolTree.erase (2.10).
        """
        return Node(self._symbol_tree.erase_node(self._own(node)))

    erase_node = erase  # its name up to 2.0

    def replace(self, old_node: Node, new_nodes: list[Node]) -> Node:
        """Put nodes in place of one, and return the last of them.

        Raises:
            IndexError: there are no new nodes.
            TypeError: an argument is of another type.

        Follows: mindspore.rewrite.SymbolTree.replace (2.10).
        """
        instance(old_node, "old_node", "SymbolTree", Node)
        elements(new_nodes, "new_nodes", "SymbolTree", Node)
        return Node(self._symbol_tree.replace(old_node.get_handler(), [node.get_handler() for node in new_nodes]))

    def set_output(self, index: int, return_value: str) -> Node:
        """Return another variable from `construct`.

        Args:
            index: 0.
            return_value: the name of the variable.

        Raises:
            RuntimeError: `construct` returns nothing.
            TypeError: an argument is of another type.
            ValueError: `index` is not 0.

        Follows: mindspore.rewrite.SymbolTree.set_output (2.10).
        """
        instance(index, "index", "SymbolTree", int)
        return Node(self._symbol_tree.set_output(instance(return_value, "return_value", "SymbolTree", str), index))

    def flatten_nodes(self, node: Node, erase_nodes_after_return: bool = False) -> None:
        """Put the nodes of a branch or loop in its place.

        Raises:
            TypeError: an argument is of another type.
            ValueError: `node` is not a branch or loop.
        """
        handler = instance(node, "node", "flatten_nodes", Node).get_handler()
        boolean(erase_nodes_after_return, "erase_nodes_after_return", "flatten_nodes")
        self._symbol_tree.flatten_nodes(handler, drop_unreached=erase_nodes_after_return)

    def flatten_static_if_control_flow(self) -> None:
        """Keep of every branch whose test depends on the network's members only what will run.

        Follows: mindspore.rewrite.SymbolTree.flatten_static_if_control_flow (2.10).
        """
        self._symbol_tree.flatten_static_if_control_flow()

    # What comes of it

    def get_code(self) -> str:
        """Return the code of the rewritten network.

        Follows: mindspore.rewrite.SymbolTree.get_code (2.10; the text is not the same).
        """
        return code_of(self._symbol_tree)

    def get_network(self) -> Any:
        """Return the rewritten network, an instance of a subclass of the class of the one that was given.

        Follows: mindspore.rewrite.SymbolTree.get_network (2.10; no file is written).
        """
        return network_of(self._symbol_tree)

    def print_node_tabulate(self, all_nodes: bool = False) -> None:
        """Print a table of the nodes.

        Args:
            all_nodes: with those in functions, branches, loops, containers and trees below.

        Raises:
            TypeError: `all_nodes` is not a bool.

        Follows: mindspore.rewrite.SymbolTree.print_node_tabulate (2.10).
        """
        print(tabulate(self._symbol_tree, boolean(all_nodes, "all_nodes", "print_node_tabulate")))  # noqa: T201

    def dump(self) -> None:
        """Print the nodes as numbered calls.

        Follows: mindspore.rewrite.SymbolTree.dump (2.10).
        """
        print(dump(self._symbol_tree))  # noqa: T201

    def set_saved_file_name(self, file_name: str) -> None:
        """Set the file that `save_network_to_file` writes.

        Raises:
            TypeError: `file_name` is not a str.
        """
        name = instance(file_name, "file_name", "Saving network", str)
        self._file = name if name.endswith(".py") else f"{name}.py"

    def get_saved_file_name(self) -> str:
        """Return the file that `save_network_to_file` writes."""
        return self._file

    def save_network_to_file(self) -> None:
        """Write the code to a file."""
        Path(self._file).write_text(self.get_code(), encoding="utf-8")

    def _own(self, node: Node | str) -> Statement:
        instance(node, "node", "SymbolTree", (Node, str))
        return self._symbol_tree.require_node(node if isinstance(node, str) else node.get_handler())


Tree.face = SymbolTree


def _argument(value: Any) -> ScopedValue:
    return value.get_targets()[0] if isinstance(value, Node) else ScopedValue.create_variable_value(value)


class TreeNodeHelper:
    """Returns the SymbolTree of a node of type Tree, as releases up to 2.0 ask for it.

    Follows: mindspore.rewrite.TreeNodeHelper (2.0).
    """

    @staticmethod
    def get_sub_tree(node: Node) -> SymbolTree | None:
        """Return the SymbolTree of the network that a node calls; None where it calls none.

        Raises:
            TypeError: `node` is not a Node.

        Follows: mindspore.rewrite.TreeNodeHelper.get_sub_tree (2.0).
        """
        instance(node, "node", "TreeNodeHelper", Node)
        return node.get_sub_tree() if node.get_node_type() is NodeType.Tree else None
