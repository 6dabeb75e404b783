"""Functions of `mint.nn.functional` under torch's argument names."""

from msbridge.ops.contents import same
from msbridge.ops.unpooling import functions

SAME = same(functions, "max_unpool2d")
