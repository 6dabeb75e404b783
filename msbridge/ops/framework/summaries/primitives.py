"""Primitives that hand values to whoever records them."""

from msbridge.ops.framework.summaries import kernels
from msbridge.ops.primitive.primitive import derive

DERIVED = (
    derive("HistogramSummary", kernels.histogram_summary),
    derive("ImageSummary", kernels.image_summary),
    derive("ScalarSummary", kernels.scalar_summary),
    derive("TensorSummary", kernels.tensor_summary),
)
