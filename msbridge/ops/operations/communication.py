"""Primitives of the collective operations.

Follows: mindspore.ops.operations.comm_ops (2.10).
"""

from msbridge.distributed import collectives
from msbridge.distributed.group import HCCL_WORLD_COMM_GROUP
from msbridge.ops.primitive import REQUIRED, derive

_GROUP = {"group": HCCL_WORLD_COMM_GROUP}

AllGather = derive("AllGather", collectives.gathered, _GROUP)
AllReduce = derive("AllReduce", collectives.reduced, {"op": "sum", **_GROUP})
AlltoAll = derive(
    "AlltoAll",
    collectives.exchanged,
    {"split_count": REQUIRED, "split_dim": REQUIRED, "concat_dim": REQUIRED, **_GROUP},
)
Barrier = derive("Barrier", collectives.barrier, _GROUP)
Broadcast = derive("Broadcast", collectives.broadcasted, {"root_rank": REQUIRED, **_GROUP})
CollectiveGather = derive(
    "CollectiveGather", collectives.gather_into_tensor, {"dest_rank": REQUIRED, **_GROUP}, {"dest_rank": "dst"}
)
CollectiveScatter = derive(
    "CollectiveScatter", collectives.scatter_tensor, {"src_rank": 0, **_GROUP}, {"src_rank": "src"}
)
Reduce = derive("Reduce", collectives.reduce, {"dest_rank": REQUIRED, "op": "sum", **_GROUP}, {"dest_rank": "dst"})
ReduceScatter = derive("ReduceScatter", collectives.reduce_scattered, {"op": "sum", **_GROUP})

__all__ = [
    "AllGather",
    "AllReduce",
    "AlltoAll",
    "Barrier",
    "Broadcast",
    "CollectiveGather",
    "CollectiveScatter",
    "Reduce",
    "ReduceScatter",
]
