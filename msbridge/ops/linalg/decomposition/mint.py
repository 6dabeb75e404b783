"""Functions of `mint` under torch's argument names."""

from msbridge.ops.contents import same
from msbridge.ops.linalg.decomposition import functions, kernels

SAME = same(functions, "inverse") | same(kernels, "triangular_solve")
