"""Primitives of parallel training of 1.6, without attributes that were added later."""

from msbridge.core.releases.overrides import Part
from msbridge.ops.framework.collectives import bases, virtual

_VIRTUAL = virtual._ADDED
_VIRTUAL = {name: added.replace("order_enforce_skip", "") for name, added in virtual._ADDED.items()}
_ATTRIBUTES = [
    Part(bases, "_ADDED", {**bases._ADDED, "AllReduce": "fusion index", "AlltoAll": "no_eliminate"}),
    Part(virtual, "_ADDED", _VIRTUAL),
]
OVERRIDES = {"ops.AllReduce": _ATTRIBUTES, "ops.AlltoAll": _ATTRIBUTES}
