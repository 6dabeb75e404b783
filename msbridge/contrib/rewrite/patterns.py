"""Finding nodes by a pattern of what they call, and replacing them."""

import abc
from collections import OrderedDict
from collections.abc import Sequence
from types import NoneType
from typing import Any

from msbridge.contrib.rewrite.blocks import CellContainer
from msbridge.contrib.rewrite.checks import elements
from msbridge.contrib.rewrite.node_types import NodeType
from msbridge.contrib.rewrite.nodes import Node
from msbridge.contrib.rewrite.symbol_trees import SymbolTree
from msbridge.core.checks.arguments import instance
from msbridge.nn.cell.cell import Cell
from msbridge.ops.primitive.primitive import Primitive

__all__ = ["PatternEngine", "PatternNode", "Replacement", "VarNode"]

_Matched = OrderedDict[str, Node]


class PatternNode:
    """A node of a pattern.

    Args:
        pattern_node_name: its name, by which a match is looked up.
        match_type: the class of what a node calls that matches.
        inputs: the patterns of the nodes that the arguments come from; without any, they may be anything.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.rewrite.PatternNode (2.10).
    """

    def __init__(
        self, pattern_node_name: str, match_type: type = NoneType, inputs: "list[PatternNode] | None" = None
    ) -> None:
        self._name: str = instance(pattern_node_name, "pattern_node_name", "PatternNode", str)
        self._type = match_type
        self._inputs: list[PatternNode] = (
            [] if inputs is None else elements(inputs, "inputs", "PatternNode", PatternNode)
        )

    @staticmethod
    def from_node(node: Node) -> "PatternNode":
        """Return the pattern of a node, without its inputs.

        Raises:
            TypeError: `node` is not a Node.

        Follows: mindspore.rewrite.PatternNode.from_node (2.10).
        """
        instance(node, "node", "PatternNode", Node)
        kind = node.get_instance_type() if node.get_node_type() is NodeType.CallCell else NoneType
        return PatternNode(str(node.get_targets()[0]), kind)

    @staticmethod
    def create_pattern_from_node(node: Node) -> "PatternNode":
        """Return the pattern of a node and of all that its arguments come from.

        Raises:
            TypeError: `node` is not a Node.

        Follows: mindspore.rewrite.PatternNode.create_pattern_from_node (2.10).
        """
        found = PatternNode.from_node(node)
        found._inputs = [PatternNode.create_pattern_from_node(one) for one in node.get_inputs()]
        return found

    @staticmethod
    def create_pattern_from_list(type_list: list[type]) -> "PatternNode":
        """Return the last node of a chain of nodes that call these classes in sequence.

        Raises:
            TypeError: `type_list` is not a list.

        Follows: mindspore.rewrite.PatternNode.create_pattern_from_list (2.10).
        """
        last: list[PatternNode] = []
        for at, kind in enumerate(instance(type_list, "type_list", "PatternNode", list)):
            last = [PatternNode(f"{at}-{kind}", kind, last)]
        return last[0] if last else None  # type: ignore[return-value]

    def add_input(self, node: "PatternNode") -> None:
        """Add a pattern for one more argument.

        Raises:
            TypeError: `node` is not a PatternNode.

        Follows: mindspore.rewrite.PatternNode.add_input (2.10).
        """
        self._inputs.append(instance(node, "node", "PatternNode", PatternNode))

    def set_inputs(self, inputs: "list[PatternNode]") -> None:
        """Set the patterns of the arguments.

        Raises:
            TypeError: `inputs` is not a list of PatternNodes.

        Follows: mindspore.rewrite.PatternNode.set_inputs (2.10).
        """
        self._inputs = elements(inputs, "inputs", "PatternNode", PatternNode)

    def get_inputs(self) -> "list[PatternNode]":
        """Return the patterns of the arguments.

        Follows: mindspore.rewrite.PatternNode.get_inputs (2.10).
        """
        return self._inputs

    def match(self, node: Node) -> bool:
        """Whether a node calls an instance of the class of this pattern.

        Raises:
            TypeError: `node` is not a Node.

        Follows: mindspore.rewrite.PatternNode.match (2.10).
        """
        return bool(instance(node, "node", "PatternNode", Node).get_instance_type() == self._type)

    def name(self) -> str:
        """Return the name.

        Follows: mindspore.rewrite.PatternNode.name (2.10).
        """
        return self._name

    def type(self) -> Any:
        """Return the class of what a node calls that matches.

        Follows: mindspore.rewrite.PatternNode.type (2.10).
        """
        return self._type


class VarNode(PatternNode):
    """The pattern of any node, which does not become part of the match.

    Follows: mindspore.rewrite.VarNode (2.10).
    """

    def __init__(self) -> None:
        super().__init__("placeholder", Cell, [])

    def match(self, node: Node) -> bool:
        """Return True for any node.

        Follows: mindspore.rewrite.VarNode.match (2.10).
        """
        return node is not None


class Replacement(abc.ABC):
    """Makes the nodes that take the place of a match; a subclass defines `build`.

    Follows: mindspore.rewrite.Replacement (2.10).
    """

    @abc.abstractmethod
    def build(self, pattern: PatternNode, is_chain_pattern: bool, matched: _Matched) -> list[Node]:
        """Return the new nodes, or none to leave the match as it is.

        Args:
            pattern: the last node of the pattern.
            is_chain_pattern: the pattern was given as a list of classes.
            matched: the nodes by the names of their patterns.

        Follows: mindspore.rewrite.Replacement.build (2.10).
        """

    def __call__(self, pattern: PatternNode, is_chain_pattern: bool, matched: _Matched) -> list[Node]:
        return self.build(pattern, is_chain_pattern, matched)


class PatternEngine:
    """Replaces all matches of a pattern.

    Args:
        pattern: the last node of a pattern, or a list of classes of Cells and primitives that follow one another.
        replacement: makes the new nodes.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.rewrite.PatternEngine (2.10).
    """

    def __init__(self, pattern: PatternNode | list[type], replacement: Replacement | None = None) -> None:
        self._replacement: Replacement = instance(replacement, "replacement", "PatternEngine", Replacement)
        self._is_chain = isinstance(pattern, list)
        if isinstance(pattern, list):
            for kind in pattern:
                if not issubclass(kind, Cell | Primitive):
                    raise TypeError(f"For 'PatternEngine', 'pattern' should list Cells and Primitives, but got {kind}.")
            self._pattern = PatternNode.create_pattern_from_list(pattern)
        else:
            self._pattern = instance(pattern, "pattern", "PatternEngine", PatternNode)

    def pattern(self) -> PatternNode:
        """Return the last node of the pattern.

        Follows: mindspore.rewrite.PatternEngine.pattern (2.10).
        """
        return self._pattern

    def apply(self, stree: SymbolTree) -> bool:
        """Replace all matches in a tree, in its containers, and in the trees below.

        Returns:
            Whether a match in the tree itself was replaced.

        Raises:
            TypeError: `stree` is not a SymbolTree.

        Follows: mindspore.rewrite.PatternEngine.apply (2.10).
        """
        waiting = instance(stree, "stree", "PatternEngine", SymbolTree).get_inputs()
        is_changed = False
        visited: list[Node] = []
        while waiting:
            node = waiting.pop(0)
            if node in visited or node.get_symbol_tree() is None:
                continue
            visited.append(node)
            if node.get_node_type() is NodeType.Tree:
                self.apply(node.get_sub_tree())
            elif node.get_node_type() is NodeType.CellContainer:
                self._apply_within(stree, node)
            elif (root := self._replace_match(stree, node)) is not None:
                is_changed = True
                waiting.append(root)
                continue
            waiting += node.get_users()
        return is_changed

    def _apply_within(self, stree: SymbolTree, container: Node) -> None:
        handler = container.get_handler()
        assert isinstance(handler, CellContainer)
        for node in map(Node, handler.nodes()):
            if node.get_node_type() is NodeType.Tree:
                self.apply(node.get_sub_tree())
            elif node.get_node_type() is NodeType.CellContainer:
                self._apply_within(stree, node)
            elif node.get_symbol_tree() is not None:
                self._replace_match(stree, node, is_within=True)

    def _replace_match(self, stree: SymbolTree, node: Node, is_within: bool = False) -> Node | None:
        """Replace the match that ends at a node; None where there is none."""
        matched = _match(self._pattern, node)
        if matched is None or (not is_within and not _is_closed(self._pattern, matched)):
            return None
        new = self._replacement(self._pattern, self._is_chain, matched)
        if not new:
            return None
        root = stree.replace(node, new)
        for one in reversed(matched.values()):
            if one != node:
                stree.erase(one)
        return root


_MATCHING = (NodeType.CallCell, NodeType.CallPrimitive, NodeType.Input)


def _match(pattern: PatternNode, node: Node) -> _Matched | None:
    """Return the nodes that match a pattern whose last node is `node`."""
    if node.get_node_type() not in _MATCHING or not pattern.match(node):
        return None
    if isinstance(pattern, VarNode):
        return OrderedDict()
    matched: _Matched = OrderedDict()
    patterns: Sequence[PatternNode] = pattern.get_inputs()
    inputs = node.get_inputs()
    if patterns and len(patterns) != len(inputs):
        return None
    for one, source in zip(patterns, inputs, strict=False):
        part = _match(one, source)
        if part is None:
            return None
        matched.update(part)
    matched[pattern.name()] = node
    return matched


def _is_closed(pattern: PatternNode, matched: _Matched) -> bool:
    """Whether no node outside of the match uses what nodes of it compute, the last aside."""
    nodes = list(matched.values())
    return all(user in nodes for name, node in matched.items() if name != pattern.name() for user in node.get_users())
