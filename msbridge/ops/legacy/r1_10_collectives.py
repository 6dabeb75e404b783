"""Collective primitives of 1.10: AlltoAll does not name the size of its group, borders are not checked."""

from msbridge.core.releases.overrides import Part
from msbridge.ops.framework.collectives import bases

ADDED = bases._ADDED | {"AlltoAll": "no_eliminate"}
OVERRIDES = {
    "ops.AlltoAll": Part(bases, "_ADDED", ADDED),
    "ops.NeighborExchangeV2": [
        Part(bases, "_UNCHECKED", bases._UNCHECKED | {"NeighborExchangeV2"}),
        Part(bases.Bordered, "_check", bases.Collective._check),
    ],
}
