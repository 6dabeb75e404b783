"""Primitives that hand values to whoever records them."""

from msbridge.ops.primitive import derive
from msbridge.ops.summaries import kernels as summaries

DERIVED = (
    derive("HistogramSummary", summaries.histogram_summary),
    derive("ImageSummary", summaries.image_summary),
    derive("ScalarSummary", summaries.scalar_summary),
    derive("TensorSummary", summaries.tensor_summary),
)
