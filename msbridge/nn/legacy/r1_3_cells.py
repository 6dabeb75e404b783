"""Cells of 1.3: Parameters of a tuple that have no names share one."""

from msbridge.core.releases.overrides import Part
from msbridge.nn.cell.cell import Cell

OVERRIDES = {"nn.Cell.insert_param_to_cell": Part(Cell, "_number_unnamed", lambda self, parameter: None)}
