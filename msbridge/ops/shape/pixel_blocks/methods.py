"""Methods of Tensor."""

from msbridge.ops.contents import same
from msbridge.ops.shape.pixel_blocks import functions

SAME = same(functions, "col2im fold reverse_sequence unfold")
