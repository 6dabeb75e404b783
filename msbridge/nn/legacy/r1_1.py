"""Layers of 1.1: names of parameters in containers, and how convolutions are printed."""

from typing import Any

from msbridge.core.releases.overrides import Part
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers import containers
from msbridge.nn.layers.activations import rectifiers
from msbridge.nn.layers.containers import SequentialCell
from msbridge.nn.layers.convolution import Conv2d, Conv3d, Convolution
from msbridge.nn.legacy.r1_0 import convolution_text


def _convolution(self: Any) -> str:
    """Return the attributes; those of `Conv2d` and `Conv3d` lack a comma and end in the format."""
    text = convolution_text(self)
    if not isinstance(self, Conv2d | Conv3d):
        return text
    return f"{text.replace(',weight_init', 'weight_init')}, format={self.data_format}"


def _append(self: Any, cell: Cell) -> Cell:
    """Add a Cell at the end, and return the container.

    Raises:
        TypeError: `cell` is not a Cell.
    """
    _today_append(self, cell)
    return self  # type: ignore[no-any-return]


def _delete(self: SequentialCell, index: int | slice) -> None:
    """Delete Cells; the others keep their names."""
    names = list(self._cells)
    for name in names[index] if isinstance(index, slice) else [names[self._normalize_index(index)]]:
        del self._cells[name]
    self._list_cells()


def _any_number(value: Any, *others: Any) -> Any:
    """Take what is checked later for a positive number."""
    return value


_today_append = containers._Ordered.append


OVERRIDES = {
    "nn.CellList": Part(containers._Ordered, "_prefix_parameters", lambda self, cell, prefix: None),
    "nn.CellList.append": _append,
    "nn.Conv1d": Part(Convolution, "extend_repr", _convolution),
    "nn.PReLU.__init__": Part(rectifiers, "positive_int", _any_number),
    "nn.SequentialCell.__delitem__": _delete,
    "nn.SequentialCell.append": _append,
}
