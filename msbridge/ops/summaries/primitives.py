"""Primitives that hand values to whoever records them."""

from msbridge.ops.primitive import derive
from msbridge.ops.summaries import kernels

DERIVED = (
    derive("HistogramSummary", kernels.histogram_summary),
    derive("ImageSummary", kernels.image_summary),
    derive("ScalarSummary", kernels.scalar_summary),
    derive("TensorSummary", kernels.tensor_summary),
)
