"""Methods of Tensor."""

from msbridge.ops.contents import same
from msbridge.ops.elementwise.activation import functions

SAME = same(functions, "hardshrink sigmoid soft_shrink softmax tanh")
