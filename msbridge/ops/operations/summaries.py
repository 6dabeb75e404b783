"""Primitives that hand values to whoever records them."""

from msbridge.ops import summaries
from msbridge.ops.primitive import derive

HistogramSummary = derive("HistogramSummary", summaries.histogram_summary)
ImageSummary = derive("ImageSummary", summaries.image_summary)
ScalarSummary = derive("ScalarSummary", summaries.scalar_summary)
TensorSummary = derive("TensorSummary", summaries.tensor_summary)

__all__ = ["HistogramSummary", "ImageSummary", "ScalarSummary", "TensorSummary"]
