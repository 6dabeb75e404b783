"""Functions of `mint` under torch's argument names."""

from msbridge.ops.contents import same
from msbridge.ops.decomposition import functions

SAME = same(functions, "inverse triangular_solve")
