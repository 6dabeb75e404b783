"""Functions of `mint.nn.functional` under torch's argument names."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.faces import face, same
from msbridge.ops.shape import mint
from msbridge.ops.shape.gather_and_select import functions as gather_and_select
from msbridge.ops.shape.padding import functions as padding
from msbridge.ops.shape.pixel_blocks import functions as pixel_blocks
from msbridge.ops.shape.reshaping import functions as reshaping


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Put 1 where the index says, along a new last axis, and 0 elsewhere; -1 takes the largest index plus 1.

    Args:
        tensor: indices, any shape; Int32 or Int64.
        num_classes: the length of the new axis.

    Returns:
        A Tensor of shape (*tensor.shape, classes); Int64.

    Follows: mindspore.mint.nn.functional.one_hot (2.10).
    """
    return gather_and_select.one_hot(tensor, int(tensor.max()) + 1 if num_classes == -1 else num_classes)


FACES = (face("pad", padding.pad, "input pad mode value"),)
SAME = same(pixel_blocks, "fold pixel_shuffle unfold") | same(reshaping, "broadcast_to") | same(mint, "flatten")
