"""Primitives for overflow flags."""

from msbridge.ops.float_status import kernels
from msbridge.ops.primitive import derive

DERIVED = (
    derive("FloatStatus", kernels.float_status),
    derive("NPUAllocFloatStatus", kernels.allocate_status),
    derive("NPUClearFloatStatus", kernels.clear_status),
    derive("NPUGetFloatStatus", kernels.read_status),
)
