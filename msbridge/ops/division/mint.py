"""Functions of `mint` under torch's argument names."""

from msbridge.ops.contents import same
from msbridge.ops.division import functions

SAME = same(functions, "div divide floor_divide fmod remainder")
