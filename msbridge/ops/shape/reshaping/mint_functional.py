"""Functions of `mint.nn.functional` under torch's argument names."""

from msbridge.ops.contents import same
from msbridge.ops.shape.reshaping import functions, mint

SAME = same(functions, "broadcast_to") | same(mint, "flatten")
