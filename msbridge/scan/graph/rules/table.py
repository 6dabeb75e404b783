"""All rules of `--graph`, the gravest first."""

import ast
from collections.abc import Mapping

from msbridge.scan.graph.branch import Branch
from msbridge.scan.graph.rules import calls, effects, objects, statements, values
from msbridge.scan.graph.rules.rule import GraphRule

__all__ = ["BY_NODE", "RULES"]

FAMILIES = (statements, effects, values, objects, calls)
RULES: tuple[GraphRule, ...] = tuple(
    sorted((rule for family in FAMILIES for rule in family.RULES), key=lambda rule: rule.level.rank)
)
BY_NODE: Mapping[type[ast.AST | Branch], tuple[GraphRule, ...]] = {
    node: tuple(rule for rule in RULES if node in rule.nodes)
    for node in {node for rule in RULES for node in rule.nodes}
}
