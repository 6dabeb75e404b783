"""The kinds of nodes."""

from enum import Enum

__all__ = ["NodeType"]


class NodeType(Enum):
    """The kinds of nodes, by what their statements do.

    Attributes:
        CallCell: calls a layer.
        CallPrimitive: calls a primitive.
        CallFunction: calls a function or a method.
        CallMethod: assigns a name, a constant, an element, a tuple, a list or a dict.
        Python: is something else, which is left as it stands.
        Input: is a parameter of `construct`.
        Output: returns.
        Tree: calls a Cell that has a SymbolTree of its own.
        CellContainer: calls a SequentialCell, or takes a CellList.
        MathOps: computes with an operator.
        ControlFlow: is a branch or a loop.

    Follows: mindspore.rewrite.NodeType (2.10).
    """

    Unknown = 0
    CallCell = 1
    CallPrimitive = 2
    CallModule = 3
    CallFunction = 4
    CallMethod = 5
    Python = 6
    Input = 7
    Output = 8
    Tree = 9
    CellContainer = 10
    MathOps = 11
    ControlFlow = 12
