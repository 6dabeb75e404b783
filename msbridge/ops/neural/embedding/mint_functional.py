"""Functions of `mint.nn.functional` under torch's argument names."""

from msbridge.ops.contents import same
from msbridge.ops.neural.embedding import functions

SAME = same(functions, "embedding")
