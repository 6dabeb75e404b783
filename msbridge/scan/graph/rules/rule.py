"""Rules about compiled code."""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from msbridge.scan.findings import Rule
from msbridge.scan.graph.branch import Branch
from msbridge.scan.graph.scope import Scope

__all__ = ["GraphRule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRule(Rule):
    """A rule about nodes of compiled functions.

    Attributes:
        nodes: the kinds of syntax nodes that it looks at; a Branch is an `if` on a Tensor.
        fits: whether it fits one, with what the names represent there; every one unless given.
    """

    nodes: tuple[type[ast.AST | Branch], ...]
    fits: Callable[[Any, Scope], bool] = lambda *_: True
