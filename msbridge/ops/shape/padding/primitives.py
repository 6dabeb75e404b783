"""Primitives of padding."""

from msbridge.ops.primitive.primitive import derive
from msbridge.ops.shape.padding import functions
from msbridge.ops.shape.padding.kernels import pad_axes, pad_by_input

DERIVED = (
    derive("MirrorPad", functions.mirror_pad, "mode", mode="REFLECT"),
    derive("Pad", pad_axes, "paddings"),
    derive("PadV3", pad_by_input, "mode paddings_contiguous"),
    derive("Padding", functions.padding, "pad_dim_size"),
)
