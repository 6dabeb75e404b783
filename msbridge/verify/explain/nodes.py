"""The nodes that findings about a network from a file name: those of the layers that they are about."""

from collections.abc import Sequence
from dataclasses import replace

from msbridge.nn.cell.cell import Cell
from msbridge.nn.cell.graph_cell import GraphLayer
from msbridge.verify.explain.findings import Finding, fact

MAX_NODES_LISTED = 6
CALL = " (call "  # behind the path of a layer in its name


def with_nodes(findings: Sequence[Finding], cell: Cell) -> tuple[Finding, ...]:
    """Return findings that name the nodes of their layers, where the Cell was read from a file."""
    layers = {path: one for path, one in cell.cells_and_names() if isinstance(one, GraphLayer)}
    named = []
    for finding in findings:
        layer = layers.get((finding.cell or finding.layer).partition(CALL)[0])
        nodes = [node for _, part in layer.cells_and_names() for node in getattr(part, "nodes", ())] if layer else []
        more = (fact("nodes", nodes=nodes[:MAX_NODES_LISTED], count=len(nodes)),) if nodes else ()
        named.append(replace(finding, evidence=(*finding.evidence, *more)))
    return tuple(named)
