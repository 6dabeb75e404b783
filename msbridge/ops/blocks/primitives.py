"""Primitives that pad, that move blocks of pixels, and that handle diagonals."""

from collections.abc import Sequence

from msbridge.core.tensor import Tensor
from msbridge.ops.blocks import functions, kernels
from msbridge.ops.primitive import derive


def _fold(
    input_x: Tensor,
    output_size: Tensor,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    """Add windows up where they were taken."""
    return functions.col2im(input_x, output_size, kernel_size, dilation, padding, stride)


DERIVED = (
    derive("BatchToSpace", functions.batch_to_space_nd, "block_size crops", renamed={"block_size": "block_shape"}),
    derive("BatchToSpaceND", functions.batch_to_space_nd, "block_shape crops"),
    derive("BatchToSpaceNDV2", functions.batch_to_space_nd),
    derive("ChannelShuffle", functions.channel_shuffle, "group", renamed={"group": "groups"}),
    derive("Col2Im", _fold, "kernel_size dilation padding stride"),
    derive("DepthToSpace", kernels.depth_to_space, "block_size"),
    derive("ExtractImagePatches", kernels.patches, "ksizes strides rates padding", padding="VALID"),
    derive("Im2Col", kernels.windows, "ksizes strides dilations pads"),
    derive("ReverseSequence", functions.reverse_sequence, "seq_dim batch_dim"),
    derive("SpaceToBatch", functions.space_to_batch_nd, "block_size paddings"),
    derive(
        "SpaceToBatchND", functions.space_to_batch_nd, "block_shape paddings", renamed={"block_shape": "block_size"}
    ),
    derive("SpaceToDepth", kernels.space_to_depth, "block_size"),
)
