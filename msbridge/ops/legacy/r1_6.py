"""Primitives of parallel training of 1.6, without attributes that were added later."""

from msbridge.core.releases.overrides import Part
from msbridge.ops.framework.collectives import bases, virtual

_VIRTUAL = virtual._ADDED
OVERRIDES = {
    "ops.AllReduce": [
        Part(bases, "_ADDED", {**bases._ADDED, "AllReduce": "fusion index"}),
        Part(
            virtual, "_ADDED", {name: added.replace("order_enforce_skip", "") for name, added in virtual._ADDED.items()}
        ),
    ]
}
