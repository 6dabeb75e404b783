"""Several processes: groups, collective operations, gradient reduction, and the parallel setting."""

from msbridge.distributed import algorithm, parallel
from msbridge.distributed.algorithm import *
from msbridge.distributed.collectives import functions, isend_irecv
from msbridge.distributed.collectives.functions import *
from msbridge.distributed.collectives.isend_irecv import *
from msbridge.distributed.collectives.primitives import ReduceOp
from msbridge.distributed.gradient_buckets import all_reduce_mean
from msbridge.distributed.groups import group
from msbridge.distributed.groups.group import *
from msbridge.distributed.groups.handles import CommHandle, default_handle
from msbridge.distributed.layout import Layout
from msbridge.distributed.parallel import *

__all__ = [
    "CommHandle",
    "Layout",
    "ReduceOp",
    "all_reduce_mean",
    "default_handle",
]
__all__ += algorithm.__all__
__all__ += functions.__all__
__all__ += isend_irecv.__all__
__all__ += group.__all__
__all__ += parallel.__all__
