"""Collective primitives of 1.3: nothing says that they are not to be eliminated."""

from msbridge.core.releases.overrides import Part
from msbridge.ops.framework.collectives import bases, virtual
from msbridge.ops.legacy import r1_6


def _drop(added: dict[str, str]) -> dict[str, str]:
    return {name: names.replace("no_eliminate", "") for name, names in added.items()}


OVERRIDES = {
    "ops.Broadcast": Part(bases, "_ADDED", _drop(r1_6.ADDED)),
    "ops.operations.comm_ops._VirtualAssignAdd": Part(virtual, "_ADDED", _drop(r1_6.VIRTUAL)),
}
