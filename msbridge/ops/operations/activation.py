"""Primitives of the activations."""

from msbridge.core.tensor import Tensor
from msbridge.ops import activation
from msbridge.ops.primitive import derive

__all__ = [
    "GLU",
    "CeLU",
    "Elu",
    "FastGeLU",
    "FastGelu",
    "GeLU",
    "Gelu",
    "HShrink",
    "HSigmoid",
    "HSwish",
    "LogSoftmax",
    "Mish",
    "PReLU",
    "ReLU",
    "ReLU6",
    "SeLU",
    "Sigmoid",
    "SoftShrink",
    "Softmax",
    "Softplus",
    "Softsign",
    "Tanh",
]


def _softmax(logits: Tensor, axis: int | tuple[int, ...] = -1) -> Tensor:
    """Scale the exponentials of `logits` so that they sum to one along an axis, or over several."""
    if isinstance(axis, int):
        return activation.softmax(logits, axis)
    return activation.softmax_over(logits, tuple(axis))


def _gelu(input: Tensor) -> Tensor:
    """Give x·Φ(x), approximated by tanh."""
    return activation.gelu(input, "tanh")


CeLU = derive("CeLU", activation.celu, {"alpha": 1.0})
Elu = derive("Elu", activation.elu, {"alpha": 1.0})
FastGeLU = derive("FastGeLU", activation.fast_gelu)
FastGelu = derive("FastGelu", activation.fast_gelu)
GLU = derive("GLU", activation.glu, {"axis": -1})
GeLU = derive("GeLU", _gelu)
Gelu = derive("Gelu", _gelu)
HShrink = derive("HShrink", activation.hardshrink, {"lambd": 0.5})
HSigmoid = derive("HSigmoid", activation.hardsigmoid)
HSwish = derive("HSwish", activation.hardswish)
LogSoftmax = derive("LogSoftmax", activation.log_softmax, {"axis": -1})
Mish = derive("Mish", activation.mish)
PReLU = derive("PReLU", activation.prelu)
ReLU = derive("ReLU", activation.relu)
ReLU6 = derive("ReLU6", activation.relu6)
SeLU = derive("SeLU", activation.selu)
Sigmoid = derive("Sigmoid", activation.sigmoid)
SoftShrink = derive("SoftShrink", activation.softshrink, {"lambd": 0.5})
Softmax = derive("Softmax", _softmax, {"axis": -1})
Softplus = derive("Softplus", activation.softplus)
Softsign = derive("Softsign", activation.softsign)
Tanh = derive("Tanh", activation.tanh)
