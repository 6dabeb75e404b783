"""Functions of `mint.nn.functional` under torch's argument names."""

from msbridge.ops.contents import same
from msbridge.ops.elementwise.elementwise import functions

SAME = same(functions, "clamp")
