"""Primitives that pad, that move blocks of pixels, and that handle diagonals."""

from collections.abc import Sequence
from typing import Any

from msbridge.core.checks.arguments import int_within
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.primitive.primitive import Derived, derive
from msbridge.ops.shape.pixel_blocks import functions, kernels


def _fold(
    input_x: Tensor,
    output_size: Tensor,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    """Add windows up where they were taken.

    Args:
        input_x: shape (n, c, kh·kw, windows); floats.
        output_size: (h, w), of shape (2,); Int32.
        kernel_size: an int or (height, width).
        dilation: the distance of neighbours in a window, likewise.
        padding: what was put around the image, likewise.
        stride: the distance of windows, likewise.

    Returns:
        A Tensor of shape (n, c, h, w) and the dtype of `input_x`.
    """
    return functions.col2im(input_x, output_size, kernel_size, dilation, padding, stride)


class _Blocks(Derived):
    """A primitive that moves blocks of at least two by two pixels."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        int_within(self.attrs["block_size"], f"the block_size of '{self.name}'", 2)


_OF_SHAPE = {"block_size": "block_shape"}
DERIVED = (
    derive("BatchToSpace", functions.batch_to_space_nd, "block_size crops", renamed=_OF_SHAPE, base=_Blocks),
    derive("BatchToSpaceND", functions.batch_to_space_nd, "block_shape crops"),
    derive("BatchToSpaceNDV2", functions.batch_to_space_nd),
    derive("ChannelShuffle", functions.channel_shuffle, "group", renamed={"group": "groups"}),
    derive("Col2Im", _fold, "kernel_size dilation padding stride"),
    derive("DepthToSpace", kernels.depth_to_space, "block_size", base=_Blocks),
    derive("ExtractImagePatches", kernels.patches, "ksizes strides rates padding", padding="VALID"),
    derive("Im2Col", kernels.windows, "ksizes strides dilations pads"),
    derive("ReverseSequence", functions.reverse_sequence, "seq_dim batch_dim"),
    derive("SpaceToBatch", functions.space_to_batch_nd, "block_size paddings", base=_Blocks),
    derive(
        "SpaceToBatchND", functions.space_to_batch_nd, "block_shape paddings", renamed={"block_shape": "block_size"}
    ),
    derive("SpaceToDepth", kernels.space_to_depth, "block_size", base=_Blocks),
)
