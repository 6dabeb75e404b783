"""Primitives that read parts of a tensor, choose, or order elements."""

from msbridge.ops.primitive.primitive import derive
from msbridge.ops.shape.gather_and_select import functions, kernels
from msbridge.ops.shape.slicing import functions as slicing

DERIVED = (
    derive("Gather", functions.gather, "batch_dims"),
    derive("GatherD", functions.gather_d),
    derive("GatherNd", functions.gather_nd),
    derive("GatherV2", functions.gather),
    derive("MaskedFill", functions.masked_fill),
    derive("MaskedSelect", functions.masked_select),
    derive("NonZero", functions.nonzero),
    derive("OneHot", functions.one_hot, "axis"),
    derive("Select", functions.select),
    derive("Slice", slicing.slice),
    derive("SparseGatherV2", functions.gather),
    derive("StridedSlice", slicing.strided_slice, "begin_mask end_mask ellipsis_mask new_axis_mask shrink_axis_mask"),
    derive("UnravelIndex", kernels.unravel_index),
)
