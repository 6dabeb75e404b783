"""Functions of `mint.nn.functional` under torch's argument names."""

from msbridge.ops.blocks import functions
from msbridge.ops.contents import same

SAME = same(functions, "fold pixel_shuffle unfold")
