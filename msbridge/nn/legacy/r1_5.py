"""Layers of 1.5."""

from msbridge.core.releases.overrides import Part
from msbridge.nn.cell.flags import Flags

OVERRIDES = {"nn.Cell.to_float": Part(Flags, "to_float", Flags.to_float)}  # with the flags, as in 1.0.0 and today
