"""Private primitives of 1.10: no attribute says that they write in the backward pass; bits of numbers are numbers."""

import operator

from msbridge.core.releases.overrides import Part
from msbridge.ops.framework.collectives import virtual
from msbridge.ops.framework.python_values import scalars

_ADDED = {name: added.removesuffix(" side_effect_backprop_mem") for name, added in virtual._ADDED.items()}
OVERRIDES = {
    "ops.operations._scalar_ops.bit_and": Part(scalars.bit_and, "function", staticmethod(operator.and_)),  # type: ignore[attr-defined]
    "ops.operations._scalar_ops.bit_or": Part(scalars.bit_or, "function", staticmethod(operator.or_)),  # type: ignore[attr-defined]
    "ops.operations.comm_ops._VirtualAssignAdd": Part(virtual, "_ADDED", _ADDED),
}
