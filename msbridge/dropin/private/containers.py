"""Checks of the elements and indices of containers, which libraries take from MindSpore's private modules."""

from collections.abc import Mapping

from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.containers import prefix_of


def valid_cell(cell: object, op_name: str | None = None) -> bool:
    """Return True.

    Raises:
        TypeError: `cell` is not a Cell.

    Follows: mindspore.nn.layer.container._valid_cell (2.10).
    """
    if isinstance(cell, Cell):
        return True
    raise TypeError(f"{_start(op_name)}each cell must be a subclass of Cell, but got {type(cell).__name__}.")


def valid_index(cell_num: int, index: int, op_name: str | None = None) -> int:
    """Return an index of `cell_num` Cells as a position in [0, cell_num).

    Raises:
        TypeError: it is not an int.
        IndexError: it is out of range.

    Follows: mindspore.nn.layer.container._valid_index (2.10).
    """
    _check_range(cell_num, index, cell_num - 1, op_name)
    return index % cell_num


def valid_index_for_inserting(cell_num: int, index: int, op_name: str | None = None) -> int:
    """Return the position in [0, cell_num] at which a Cell is inserted.

    Raises:
        TypeError: `index` is not an int.
        IndexError: it is out of range.

    Follows: mindspore.nn.layer.container._valid_index_for_inserting (2.10).
    """
    _check_range(cell_num, index, cell_num, op_name)
    return index % cell_num if index != cell_num and cell_num else index


def get_prefix_and_index(cells: Mapping[str, Cell]) -> tuple[str, int]:
    """Read from the names of the children's parameters what they begin with, and how many parts that has.

    Follows: mindspore.nn.layer.container._get_prefix_and_index (2.10).
    """
    prefix = prefix_of(cells)
    return prefix, prefix.count(".")


def _check_range(cell_num: int, index: int, last: int, op_name: str | None) -> None:
    if not isinstance(index, int):
        raise TypeError(f"{_start(op_name)}the type of 'index' must be int, but got {type(index).__name__}.")
    if not -cell_num <= index <= last:
        raise IndexError(
            f"{_start(op_name)}the value of 'index' must be a number in range [{-cell_num}, {last}], but got {index}."
        )


def _start(op_name: str | None) -> str:
    return f"For '{op_name}', " if op_name else ""
