"""Primitives: the operators as classes, one file per family."""

from msbridge.ops.operations import (
    activation,
    arithmetic,
    attention,
    banded,
    blocks,
    communication,
    comparison,
    control,
    convolution,
    creation,
    dropout,
    elementwise,
    embedding,
    float_status,
    image,
    indexing,
    linalg,
    loss,
    normalization,
    pooling,
    random,
    recurrent,
    reduction,
    reshaping,
    scattering,
    special,
    summaries,
)
from msbridge.ops.operations.activation import *
from msbridge.ops.operations.arithmetic import *
from msbridge.ops.operations.attention import *
from msbridge.ops.operations.banded import *
from msbridge.ops.operations.blocks import *
from msbridge.ops.operations.communication import *
from msbridge.ops.operations.comparison import *
from msbridge.ops.operations.control import *
from msbridge.ops.operations.convolution import *
from msbridge.ops.operations.creation import *
from msbridge.ops.operations.dropout import *
from msbridge.ops.operations.elementwise import *
from msbridge.ops.operations.embedding import *
from msbridge.ops.operations.float_status import *
from msbridge.ops.operations.image import *
from msbridge.ops.operations.indexing import *
from msbridge.ops.operations.linalg import *
from msbridge.ops.operations.loss import *
from msbridge.ops.operations.normalization import *
from msbridge.ops.operations.pooling import *
from msbridge.ops.operations.random import *
from msbridge.ops.operations.recurrent import *
from msbridge.ops.operations.reduction import *
from msbridge.ops.operations.reshaping import *
from msbridge.ops.operations.scattering import *
from msbridge.ops.operations.special import *
from msbridge.ops.operations.summaries import *

__all__: list[str] = []
__all__ += activation.__all__
__all__ += arithmetic.__all__
__all__ += attention.__all__
__all__ += banded.__all__
__all__ += blocks.__all__
__all__ += communication.__all__
__all__ += comparison.__all__
__all__ += control.__all__
__all__ += convolution.__all__
__all__ += creation.__all__
__all__ += dropout.__all__
__all__ += elementwise.__all__
__all__ += embedding.__all__
__all__ += float_status.__all__
__all__ += image.__all__
__all__ += indexing.__all__
__all__ += linalg.__all__
__all__ += loss.__all__
__all__ += normalization.__all__
__all__ += pooling.__all__
__all__ += random.__all__
__all__ += recurrent.__all__
__all__ += reduction.__all__
__all__ += reshaping.__all__
__all__ += scattering.__all__
__all__ += special.__all__
__all__ += summaries.__all__
