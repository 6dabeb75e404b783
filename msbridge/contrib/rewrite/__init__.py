"""A network's `construct` as nodes: read them, insert, erase and replace some, and get a network of it.

Follows: mindspore.rewrite (2.10), and what 2.0 had besides.
"""

from msbridge.contrib.rewrite.node_types import NodeType
from msbridge.contrib.rewrite.nodes import Node
from msbridge.contrib.rewrite.patterns import PatternEngine, PatternNode, Replacement, VarNode
from msbridge.contrib.rewrite.scoped_values import ScopedValue, ValueType
from msbridge.contrib.rewrite.sparsifying import ArgType, SparseFunc, sparsify
from msbridge.contrib.rewrite.symbol_trees import SymbolTree, TreeNodeHelper

__all__ = [
    "ArgType",
    "Node",
    "NodeType",
    "PatternEngine",
    "PatternNode",
    "Replacement",
    "ScopedValue",
    "SparseFunc",
    "SymbolTree",
    "TreeNodeHelper",
    "ValueType",
    "VarNode",
    "sparsify",
]
