"""Methods of Tensor."""

from msbridge.ops.contents import same
from msbridge.ops.segments import functions

SAME = same(functions, "unsorted_segment_max unsorted_segment_min unsorted_segment_prod")
