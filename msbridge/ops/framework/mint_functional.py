"""Functions of `mint.nn.functional` under torch's argument names."""

from msbridge.ops.faces import same
from msbridge.ops.framework.inplace import methods

SAME = same(methods, "sigmoid_")
