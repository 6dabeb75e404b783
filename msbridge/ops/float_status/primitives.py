"""Primitives for overflow flags."""

from msbridge.ops.float_status import kernels as float_status
from msbridge.ops.primitive import derive

DERIVED = (
    derive("FloatStatus", float_status.float_status),
    derive("NPUAllocFloatStatus", float_status.allocate_status),
    derive("NPUClearFloatStatus", float_status.clear_status),
    derive("NPUGetFloatStatus", float_status.read_status),
)
