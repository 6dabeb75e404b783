"""Functions of `mint.nn.functional` under torch's argument names."""

from msbridge.ops.contents import same
from msbridge.ops.shape.pixel_blocks import functions

SAME = same(functions, "fold pixel_shuffle unfold")
