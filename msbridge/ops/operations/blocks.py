"""Primitives that pad, that move blocks of pixels, and that handle diagonals."""

from collections.abc import Sequence

from msbridge.core.tensor import Tensor
from msbridge.ops import blocks, borders, diagonals
from msbridge.ops.primitive import REQUIRED, derive


def _fold(
    input_x: Tensor,
    output_size: Tensor,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    """Add windows up where they were taken."""
    return blocks.col2im(input_x, output_size, kernel_size, dilation, padding, stride)


BatchToSpace = derive(
    "BatchToSpace", blocks.batch_to_space_nd, {"block_size": REQUIRED, "crops": REQUIRED}, {"block_size": "block_shape"}
)
BatchToSpaceND = derive("BatchToSpaceND", blocks.batch_to_space_nd, {"block_shape": REQUIRED, "crops": REQUIRED})
BatchToSpaceNDV2 = derive("BatchToSpaceNDV2", blocks.batch_to_space_nd)
ChannelShuffle = derive("ChannelShuffle", blocks.channel_shuffle, {"group": REQUIRED}, {"group": "groups"})
Col2Im = derive("Col2Im", _fold, {"kernel_size": REQUIRED, "dilation": 1, "padding": 0, "stride": 1})
DepthToSpace = derive("DepthToSpace", blocks.depth_to_space, {"block_size": REQUIRED})
ExtractImagePatches = derive(
    "ExtractImagePatches",
    blocks.patches,
    {"ksizes": REQUIRED, "strides": REQUIRED, "rates": REQUIRED, "padding": "VALID"},
)
FillDiagonal = derive("FillDiagonal", diagonals.filled_diagonal, {"fill_value": REQUIRED, "wrap": False})
Im2Col = derive("Im2Col", blocks.windows, {"ksizes": REQUIRED, "strides": 1, "dilations": 1, "pads": 0})
MatrixBandPart = derive("MatrixBandPart", diagonals.matrix_band_part)
MatrixDiagPartV3 = derive("MatrixDiagPartV3", diagonals.matrix_diag_part, {"align": "RIGHT_LEFT"})
MatrixDiagV3 = derive("MatrixDiagV3", diagonals.matrix_diag, {"align": "RIGHT_LEFT"})
MatrixSetDiagV3 = derive("MatrixSetDiagV3", diagonals.matrix_set_diag, {"align": "RIGHT_LEFT"})
MirrorPad = derive("MirrorPad", borders.mirror_pad, {"mode": "REFLECT"})
Pad = derive("Pad", borders.pad_axes, {"paddings": REQUIRED})
PadV3 = derive("PadV3", borders.pad_by_input, {"mode": "constant", "paddings_contiguous": True})
Padding = derive("Padding", borders.padding, {"pad_dim_size": 8})
ReverseSequence = derive("ReverseSequence", blocks.reverse_sequence, {"seq_dim": REQUIRED, "batch_dim": 0})
SpaceToBatch = derive("SpaceToBatch", blocks.space_to_batch_nd, {"block_size": REQUIRED, "paddings": REQUIRED})
SpaceToBatchND = derive(
    "SpaceToBatchND",
    blocks.space_to_batch_nd,
    {"block_shape": REQUIRED, "paddings": REQUIRED},
    {"block_shape": "block_size"},
)
SpaceToDepth = derive("SpaceToDepth", blocks.space_to_depth, {"block_size": REQUIRED})

__all__ = [
    "BatchToSpace",
    "BatchToSpaceND",
    "BatchToSpaceNDV2",
    "ChannelShuffle",
    "Col2Im",
    "DepthToSpace",
    "ExtractImagePatches",
    "FillDiagonal",
    "Im2Col",
    "MatrixBandPart",
    "MatrixDiagPartV3",
    "MatrixDiagV3",
    "MatrixSetDiagV3",
    "MirrorPad",
    "Pad",
    "PadV3",
    "Padding",
    "ReverseSequence",
    "SpaceToBatch",
    "SpaceToBatchND",
    "SpaceToDepth",
]
