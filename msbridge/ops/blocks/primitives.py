"""Primitives that pad, that move blocks of pixels, and that handle diagonals."""

from collections.abc import Sequence

from msbridge.core.tensor import Tensor
from msbridge.ops.blocks import functions
from msbridge.ops.diagonals import functions as diagonals
from msbridge.ops.padding import functions as borders
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
    derive("DepthToSpace", functions.depth_to_space, "block_size"),
    derive("ExtractImagePatches", functions.patches, "ksizes strides rates padding", padding="VALID"),
    derive("Im2Col", functions.windows, "ksizes strides dilations pads"),
    derive("MatrixBandPart", diagonals.matrix_band_part),
    derive("MatrixDiagPartV3", diagonals.matrix_diag_part, "align"),
    derive("MatrixDiagV3", diagonals.matrix_diag, "align"),
    derive("MatrixSetDiagV3", diagonals.matrix_set_diag, "align"),
    derive("MirrorPad", borders.mirror_pad, "mode"),
    derive("Pad", borders.pad_axes, "paddings"),
    derive("PadV3", borders.pad_by_input, "mode paddings_contiguous"),
    derive("Padding", borders.padding, "pad_dim_size"),
    derive("ReverseSequence", functions.reverse_sequence, "seq_dim batch_dim"),
    derive("SpaceToBatch", functions.space_to_batch_nd, "block_size paddings"),
    derive(
        "SpaceToBatchND", functions.space_to_batch_nd, "block_shape paddings", renamed={"block_shape": "block_size"}
    ),
    derive("SpaceToDepth", functions.space_to_depth, "block_size"),
)
