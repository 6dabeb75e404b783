"""Layers of 1.5."""

import contextlib

from msbridge.core.releases.overrides import Part
from msbridge.nn.cell.flags import Flags


class CellGuard(contextlib.nullcontext):  # type: ignore[type-arg]
    """A context around the call of a Cell; there is no graph to build here.

    Follows: mindspore.nn.Cell.CellGuard (1.5).
    """


OVERRIDES = {
    "nn.Cell.CellGuard": CellGuard,
    "nn.Cell.to_float": Part(Flags, "to_float", Flags.to_float),  # with the flags, as in 1.0.0 and today
}
