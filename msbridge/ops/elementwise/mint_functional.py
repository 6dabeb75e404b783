"""Functions of `mint.nn.functional` under torch's argument names."""

from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.faces import same

SAME = same(elementwise, "clamp")
