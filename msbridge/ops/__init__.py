"""Operators: functions, and the primitives made of them."""

from msbridge.ops import operations, tensor_methods
from msbridge.ops.activation import *
from msbridge.ops.arithmetic import *
from msbridge.ops.attention import *
from msbridge.ops.banded import *
from msbridge.ops.blocks import *
from msbridge.ops.borders import *
from msbridge.ops.boxes import *
from msbridge.ops.classification_loss import *
from msbridge.ops.comparison import *
from msbridge.ops.composite import *
from msbridge.ops.control import *
from msbridge.ops.convolution import *
from msbridge.ops.creation import *
from msbridge.ops.cumulative import *
from msbridge.ops.decomposition import *
from msbridge.ops.diagonals import *
from msbridge.ops.division import *
from msbridge.ops.dropout import *
from msbridge.ops.elementwise import *
from msbridge.ops.embedding import *
from msbridge.ops.float_status import *
from msbridge.ops.image import *
from msbridge.ops.indexing import *
from msbridge.ops.inplace import *
from msbridge.ops.joining import *
from msbridge.ops.linalg import *
from msbridge.ops.loss import *
from msbridge.ops.normalization import *
from msbridge.ops.operations import *
from msbridge.ops.placing import *
from msbridge.ops.pooling import *
from msbridge.ops.primitive import (
    Primitive,
    PrimitiveWithCheck,
    PrimitiveWithInfer,
    constexpr,
    prim_attr_register,
)
from msbridge.ops.random import *
from msbridge.ops.recurrent import *
from msbridge.ops.reduction import *
from msbridge.ops.reshaping import *
from msbridge.ops.sampling import *
from msbridge.ops.scattering import *
from msbridge.ops.segments import *
from msbridge.ops.sequences import *
from msbridge.ops.sorting import *
from msbridge.ops.special import *
from msbridge.ops.spectral import *
from msbridge.ops.summaries import *
from msbridge.ops.trigonometry import *
from msbridge.ops.unpooling import *
