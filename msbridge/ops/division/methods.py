"""Methods of Tensor."""

from msbridge.ops.contents import same
from msbridge.ops.division import functions

SAME = same(functions, "div divide floor_divide fmod remainder true_divide xdivy")
