"""Primitives of the activations."""

from msbridge.core.tensor import Tensor
from msbridge.ops.activation import functions as activation
from msbridge.ops.primitive import derive


def _softmax(logits: Tensor, axis: int | tuple[int, ...] = -1) -> Tensor:
    """Scale the exponentials of `logits` so that they sum to one along an axis, or over several."""
    if isinstance(axis, int):
        return activation.softmax(logits, axis)
    return activation.softmax_over(logits, tuple(axis))


def _gelu(input: Tensor) -> Tensor:
    """Give x·Φ(x), approximated by tanh."""
    return activation.gelu(input, "tanh")


DERIVED = (
    derive("CeLU", activation.celu, "alpha"),
    derive("Elu", activation.elu, "alpha"),
    derive("FastGeLU", activation.fast_gelu),
    derive("FastGelu", activation.fast_gelu),
    derive("GLU", activation.glu, "axis"),
    derive("GeLU", _gelu),
    derive("Gelu", _gelu),
    derive("HShrink", activation.hardshrink, "lambd"),
    derive("HSigmoid", activation.hardsigmoid),
    derive("HSwish", activation.hardswish),
    derive("LogSoftmax", activation.log_softmax, "axis"),
    derive("Mish", activation.mish),
    derive("PReLU", activation.prelu),
    derive("ReLU", activation.relu),
    derive("ReLU6", activation.relu6),
    derive("SeLU", activation.selu),
    derive("Sigmoid", activation.sigmoid),
    derive("SoftShrink", activation.softshrink, "lambd"),
    derive("Softmax", _softmax, "axis"),
    derive("Softplus", activation.softplus),
    derive("Softsign", activation.softsign),
    derive("Tanh", activation.tanh),
)
