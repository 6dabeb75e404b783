"""Collective primitives of 1.5: an attribute has another name."""

from msbridge.core.releases.overrides import Part
from msbridge.ops.framework.collectives import bases, virtual
from msbridge.ops.legacy import r1_6


def _rename(added: dict[str, str]) -> dict[str, str]:
    return {name: names.replace("no_eliminate", "no_elimilate") for name, names in added.items()}


_ADDED = _rename(r1_6.ADDED | {"AllReduce": "fusion index no_eliminate"})
OVERRIDES = {
    "ops.AlltoAll": [
        Part(bases, "_ADDED", _ADDED),
        Part(bases, "_VALUES", bases._VALUES | {"no_elimilate": True}),
    ],
    "ops.operations.comm_ops._VirtualAssignAdd": Part(virtual, "_ADDED", _rename(r1_6.VIRTUAL)),
}
