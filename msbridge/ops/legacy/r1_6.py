"""Primitives of parallel training of 1.6, without attributes that were added later."""

from msbridge.core.releases.overrides import Part
from msbridge.ops.framework.collectives import bases, virtual
from msbridge.ops.legacy import r1_10_collectives

ADDED = r1_10_collectives.ADDED | {"AllReduce": "fusion index"}
VIRTUAL = {name: added.replace("order_enforce_skip", "") for name, added in virtual._ADDED.items()}
OVERRIDES = {
    "ops.AllReduce": Part(bases, "_ADDED", ADDED),
    "ops.AlltoAll": Part(bases, "_ADDED", ADDED),
    "ops.operations.comm_ops._VirtualAssignAdd": Part(virtual, "_ADDED", VIRTUAL),
}
