"""Primitives of the collective operations.

Follows: mindspore.ops.operations.comm_ops (2.10).
"""

from msbridge.distributed import collectives
from msbridge.ops.primitive import REQUIRED, derive

DERIVED = (
    derive("AllGather", collectives.gathered, "group"),
    derive("AllReduce", collectives.reduced, "op group"),
    derive("AlltoAll", collectives.exchanged, "split_count split_dim concat_dim group"),
    derive("Barrier", collectives.barrier, "group"),
    derive("Broadcast", collectives.broadcasted, "root_rank group"),
    derive(
        "CollectiveGather",
        collectives.gather_into_tensor,
        "dest_rank group",
        renamed={"dest_rank": "dst"},
        dest_rank=REQUIRED,
    ),
    derive("CollectiveScatter", collectives.scatter_tensor, "src_rank group", renamed={"src_rank": "src"}),
    derive("Reduce", collectives.reduce, "dest_rank op group", renamed={"dest_rank": "dst"}),
    derive("ReduceScatter", collectives.reduce_scattered, "op group"),
)
