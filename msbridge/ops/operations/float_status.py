"""Primitives for overflow flags."""

from msbridge.ops import float_status
from msbridge.ops.primitive import derive

FloatStatus = derive("FloatStatus", float_status.float_status)
NPUAllocFloatStatus = derive("NPUAllocFloatStatus", float_status.allocate_status)
NPUClearFloatStatus = derive("NPUClearFloatStatus", float_status.clear_status)
NPUGetFloatStatus = derive("NPUGetFloatStatus", float_status.read_status)

__all__ = ["FloatStatus", "NPUAllocFloatStatus", "NPUClearFloatStatus", "NPUGetFloatStatus"]
