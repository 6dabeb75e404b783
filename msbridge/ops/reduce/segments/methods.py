"""Methods of Tensor."""

from msbridge.ops.contents import same
from msbridge.ops.reduce.segments import functions

SAME = same(functions, "unsorted_segment_max unsorted_segment_min unsorted_segment_prod")
