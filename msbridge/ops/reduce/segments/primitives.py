"""Primitives of segments."""

from msbridge.ops.primitive.primitive import derive
from msbridge.ops.reduce.segments import functions, picked_segments
from msbridge.ops.reduce.segments.kernels import segment_max, segment_mean, segment_min, segment_prod, segment_sum

DERIVED = (
    derive("UnsortedSegmentMax", functions.unsorted_segment_max),
    derive("UnsortedSegmentMin", functions.unsorted_segment_min),
    derive("UnsortedSegmentProd", functions.unsorted_segment_prod),
    derive("UnsortedSegmentSum", functions.unsorted_segment_sum),
    derive("SegmentMax", segment_max),
    derive("SegmentMean", segment_mean),
    derive("SegmentMin", segment_min),
    derive("SegmentProd", segment_prod),
    derive("SegmentSum", segment_sum),
    derive("SparseSegmentMeanWithNumSegments", picked_segments.mean_of_count),
    derive("SparseSegmentSqrtN", picked_segments.root),
    derive("SparseSegmentSqrtNWithNumSegments", picked_segments.root_of_count),
    derive("SparseSegmentSum", picked_segments.total),
    derive("SparseSegmentSumWithNumSegments", picked_segments.total_of_count),
)
