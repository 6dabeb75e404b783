"""Methods of Tensor."""

from msbridge.ops.activation import functions
from msbridge.ops.contents import same

SAME = same(functions, "hardshrink sigmoid soft_shrink softmax tanh")
