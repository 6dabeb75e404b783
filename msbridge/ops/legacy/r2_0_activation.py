"""Activations as they were: the exact GELU of half precision was computed, and given, in single precision."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import float16, float32
from msbridge.ops.elementwise.activation import functions


def gelu(input_x: Tensor, approximate: str = "none") -> Tensor:
    """Return x·Φ(x), Φ the normal distribution function; Float32 of Float16 for "none".

    Follows: mindspore.ops.gelu (2.0).
    """
    is_wider = approximate == "none" and input_x.dtype is float16
    return functions.gelu(input_x.astype(float32) if is_wider else input_x, approximate)


def leaky_relu(input: Tensor, alpha: float | Tensor = 0.2) -> Tensor:
    """Multiply what is below zero by alpha; Float32 of whole numbers.

    Follows: mindspore.ops.leaky_relu (2.0).
    """
    is_whole = not input._data.dtype.is_floating_point
    return functions.leaky_relu(input.astype(float32) if is_whole else input, alpha)


OVERRIDES = {"ops.gelu": gelu, "ops.leaky_relu": leaky_relu}
