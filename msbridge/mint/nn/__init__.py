"""Layers and functions under torch's argument and parameter names."""

from msbridge.mint.nn import activation, convolution, functional, loss, normalization, padding, pooling, shape
from msbridge.mint.nn.activation import *
from msbridge.mint.nn.activation import SoftmaxExt as Softmax
from msbridge.mint.nn.convolution import *
from msbridge.mint.nn.dropout import Dropout2dExt as Dropout2d
from msbridge.mint.nn.dropout import DropoutExt as Dropout
from msbridge.mint.nn.loss import *
from msbridge.mint.nn.loss import L1LossExt as L1Loss
from msbridge.mint.nn.normalization import *
from msbridge.mint.nn.padding import *
from msbridge.mint.nn.pooling import *
from msbridge.mint.nn.pooling import AvgPool1dExt as AvgPool1d
from msbridge.mint.nn.pooling import AvgPool2dExt as AvgPool2d
from msbridge.mint.nn.pooling import AvgPool3dExt as AvgPool3d
from msbridge.mint.nn.pooling import MaxPool2dExt as MaxPool2d
from msbridge.mint.nn.shape import *
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
    "AdaptiveMaxPool2d",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "Cell",
    "Dropout",
    "Dropout2d",
    "Embedding",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Identity",
    "L1Loss",
    "LayerNorm",
    "Linear",
    "LogSoftmax",
    "MaxPool2d",
    "PReLU",
    "ReLU",
    "SoftMarginLoss",
    "Softmax",
    "Softshrink",
    "Unfold",
    "Upsample",
    "functional",
]
__all__ += activation.__all__
__all__ += convolution.__all__
__all__ += loss.__all__
__all__ += normalization.__all__
__all__ += padding.__all__
__all__ += pooling.__all__
__all__ += shape.__all__
