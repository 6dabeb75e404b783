"""Primitives for overflow flags."""

from msbridge.ops.primitive.primitive import derive
from msbridge.ops.training.float_status import kernels

DERIVED = (
    derive("FloatStatus", kernels.float_status),
    derive("NPUAllocFloatStatus", kernels.allocate_status),
    derive("NPUClearFloatStatus", kernels.clear_status),
    derive("NPUGetFloatStatus", kernels.read_status),
)
