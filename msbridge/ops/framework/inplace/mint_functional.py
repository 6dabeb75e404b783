"""Functions of `mint.nn.functional` under torch's argument names."""

from msbridge.ops.contents import same
from msbridge.ops.framework.inplace import methods

SAME = same(methods, "sigmoid_")
