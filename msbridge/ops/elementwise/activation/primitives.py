"""Primitives of the activations."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.activation import functions, kernels
from msbridge.ops.primitive.primitive import Derived, derive


def _softmax(logits: Tensor, axis: int | tuple[int, ...] = (-1,)) -> Tensor:
    """Scale the exponentials of `logits` so that they sum to one along an axis, or over several.

    Args:
        logits: floats, at least one axis.
        axis: an axis, or a tuple of them, each in [-rank, rank).

    Returns:
        A Tensor of the shape and dtype of `logits`.
    """
    if len(axis) == 1:  # type: ignore[arg-type]  # _Axes made a tuple of it
        return functions.softmax(logits, axis[0])  # type: ignore[index]
    return kernels.softmax_over(logits, tuple(axis))  # type: ignore[arg-type]


class _Axes(Derived):
    """Base of a primitive that keeps a single axis as a tuple."""

    def __init__(self, axis: int | tuple[int, ...] = -1) -> None:
        super().__init__((axis,) if isinstance(axis, int) else axis)


def _gelu(input: Tensor) -> Tensor:
    """Return x·Φ(x), approximated by tanh.

    Args:
        input: any shape; floats.

    Returns:
        A Tensor of the shape and dtype of `input`.
    """
    return functions.gelu(input, "tanh")


DERIVED = (
    derive("CeLU", functions.celu, "alpha"),
    derive("Elu", functions.elu, "alpha"),
    derive("FastGeLU", functions.fast_gelu),
    derive("FastGelu", functions.fast_gelu),
    derive("GLU", functions.glu, "axis"),
    derive("GeLU", _gelu),
    derive("Gelu", _gelu),
    derive("HShrink", functions.hardshrink, "lambd"),
    derive("HSigmoid", functions.hardsigmoid),
    derive("HSwish", functions.hardswish),
    derive("LogSoftmax", functions.log_softmax, "axis"),
    derive("Mish", functions.mish),
    derive("PReLU", functions.prelu),
    derive("ReLU", functions.relu),
    derive("ReLU6", functions.relu6),
    derive("SeLU", functions.selu),
    derive("Sigmoid", functions.sigmoid),
    derive("SoftShrink", functions.softshrink, "lambd"),
    derive("Softmax", _softmax, "axis", base=_Axes, axis=-1),
    derive("Softplus", functions.softplus),
    derive("Softsign", functions.softsign),
    derive("Tanh", functions.tanh),
)
