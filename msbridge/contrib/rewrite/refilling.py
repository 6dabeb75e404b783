"""A container with other Cells, beside the one that there was."""

import copy
from collections.abc import Mapping
from typing import Any

from msbridge.nn.cell.cell import Cell

__all__ = ["refill"]


def refill(container: Any, cells: Mapping[str, Cell]) -> Any:
    """Return a container like the given one, but with these Cells.

    Args:
        container: a SequentialCell, a CellList, or a list of Cells; it stays as it is.
        cells: the Cells by the names that they shall have in it.
    """
    if isinstance(container, list):
        return list(cells.values())
    refilled = copy.copy(container)
    for name in list(refilled._cells):
        del refilled._cells[name]
    for name, cell in cells.items():
        refilled._replace_child(name, cell)
    return refilled
