"""Layers and functions under torch's argument and parameter names."""

from msbridge.mint.nn import functional
from msbridge.mint.nn.activation import (
    ELU,
    GELU,
    GLU,
    SELU,
    Hardtanh,
    LogSigmoid,
    Mish,
    ReLU6,
    Sigmoid,
    SiLU,
    Tanh,
    Threshold,
)
from msbridge.mint.nn.activation import SoftmaxExt as Softmax
from msbridge.mint.nn.convolution import Conv1d, Conv2d, Conv3d, ConvTranspose2d
from msbridge.mint.nn.dropout import Dropout2dExt as Dropout2d
from msbridge.mint.nn.dropout import DropoutExt as Dropout
from msbridge.mint.nn.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CosineEmbeddingLoss,
    CrossEntropyLoss,
    KLDivLoss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from msbridge.mint.nn.loss import L1LossExt as L1Loss
from msbridge.mint.nn.normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, SyncBatchNorm
from msbridge.mint.nn.padding import (
    ConstantPad1d,
    ConstantPad2d,
    ConstantPad3d,
    ReflectionPad1d,
    ReflectionPad2d,
    ReflectionPad3d,
    ReplicationPad1d,
    ReplicationPad2d,
    ReplicationPad3d,
    ZeroPad1d,
    ZeroPad2d,
    ZeroPad3d,
)
from msbridge.mint.nn.pooling import (
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AdaptiveAvgPool3d,
    AdaptiveMaxPool1d,
    MaxUnpool2d,
)
from msbridge.mint.nn.pooling import AvgPool1dExt as AvgPool1d
from msbridge.mint.nn.pooling import AvgPool2dExt as AvgPool2d
from msbridge.mint.nn.pooling import AvgPool3dExt as AvgPool3d
from msbridge.mint.nn.pooling import MaxPool2dExt as MaxPool2d
from msbridge.mint.nn.shape import Flatten, Fold, PixelShuffle, UpsamplingBilinear2d, UpsamplingNearest2d
from msbridge.mint.nn.shape import UnfoldExt as Unfold
from msbridge.mint.nn.shape import UpsampleExt as Upsample
from msbridge.nn.cell.cell import Cell
from msbridge.nn.layers.activations.activation import HShrink as Hardshrink
from msbridge.nn.layers.activations.activation import HSigmoid as Hardsigmoid
from msbridge.nn.layers.activations.activation import HSwish as Hardswish
from msbridge.nn.layers.activations.activation import SoftShrink as Softshrink
from msbridge.nn.layers.activations.rectifiers import PReLUExt as PReLU
from msbridge.nn.layers.activations.rectifiers import ReLU
from msbridge.nn.layers.activations.softmax import LogSoftmaxExt as LogSoftmax
from msbridge.nn.layers.dense import Identity, Linear
from msbridge.nn.layers.embedding import EmbeddingExt as Embedding
from msbridge.nn.layers.normalization.layer_norm import LayerNormExt as LayerNorm
from msbridge.nn.layers.pooling.adaptive_pool import AdaptiveMaxPool2d
from msbridge.nn.losses.margins import SoftMarginLoss

__all__ = [
    "ELU",
    "GELU",
    "GLU",
    "SELU",
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "BCELoss",
    "BCEWithLogitsLoss",
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "Cell",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose2d",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "Dropout",
    "Dropout2d",
    "Embedding",
    "Flatten",
    "Fold",
    "GroupNorm",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "Identity",
    "KLDivLoss",
    "L1Loss",
    "LayerNorm",
    "Linear",
    "LogSigmoid",
    "LogSoftmax",
    "MSELoss",
    "MaxPool2d",
    "MaxUnpool2d",
    "Mish",
    "NLLLoss",
    "PReLU",
    "PixelShuffle",
    "ReLU",
    "ReLU6",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "SiLU",
    "Sigmoid",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "Softmax",
    "Softshrink",
    "SyncBatchNorm",
    "Tanh",
    "Threshold",
    "Unfold",
    "Upsample",
    "UpsamplingBilinear2d",
    "UpsamplingNearest2d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
    "functional",
]
