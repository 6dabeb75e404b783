"""Special functions."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.activation.mint_functional import log_softmax
from msbridge.ops.elementwise.elementwise.functions import exp2, expm1, log1p
from msbridge.ops.elementwise.elementwise.functions import round as _round
from msbridge.ops.elementwise.special.functions import erfc, sinc

__all__ = ["erfc", "exp2", "expm1", "log1p", "log_softmax", "round", "sinc"]


def round(input: Tensor) -> Tensor:
    """Round to integers, halves to the even neighbour.

    Args:
        input: any shape; integers or floats.

    Returns:
        A Tensor of the shape and dtype of `input`.

    Follows: mindspore.mint.special.round (2.10).
    """
    return _round(input)
