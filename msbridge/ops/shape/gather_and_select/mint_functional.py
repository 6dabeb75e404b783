"""Functions of `mint.nn.functional` under torch's argument names."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.shape.gather_and_select import functions


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Put 1 where the index says, along a new last axis, and 0 elsewhere; -1 takes the largest index plus 1.

    Follows: mindspore.mint.nn.functional.one_hot (2.10).
    """
    return functions.one_hot(tensor, int(tensor.max()) + 1 if num_classes == -1 else num_classes)
