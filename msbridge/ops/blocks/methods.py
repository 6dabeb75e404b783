"""Methods of Tensor."""

from msbridge.ops.blocks import functions
from msbridge.ops.contents import same

SAME = same(functions, "col2im fold reverse_sequence unfold")
