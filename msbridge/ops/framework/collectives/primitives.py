"""Primitives of the collective operations.

Follows: mindspore.ops.operations.comm_ops (2.10).
"""

from msbridge.distributed import collectives, neighbours
from msbridge.ops.framework.collectives.bases import Batch, Bordered, Collective, Receiver
from msbridge.ops.primitive.primitive import derive

DERIVED = (
    derive("AllGather", collectives.gathered, "group", base=Collective),
    derive("AllGatherV", collectives.gathered_v, "group", base=Collective),
    derive("AllReduce", collectives.reduced, "op group", base=Collective),
    derive("AlltoAll", collectives.exchanged, "split_count split_dim concat_dim group", base=Collective),
    derive("AlltoAllV", collectives.all_to_all_v, "group block_size", base=Collective),
    derive("AlltoAllVC", collectives.all_to_all_v_c, "group block_size transpose", base=Collective),
    derive("Barrier", collectives.waited, "group", base=Collective),
    derive(
        "BatchISendIRecv",
        neighbours.batch_transferred,
        "op_types remote_ranks receive_shapes receive_dtypes group",
        base=Batch,
    ),
    derive("Broadcast", collectives.broadcasted, "root_rank group", base=Collective),
    derive("CollectiveGather", collectives.gathered_to, "dest_rank group", base=Collective),
    derive("CollectiveScatter", collectives.scattered, "src_rank group", base=Collective),
    derive(
        "NeighborExchange",
        neighbours.exchanged_with_neighbours,
        "send_rank_ids recv_rank_ids recv_shapes send_shapes recv_type group",
        base=Collective,
    ),
    derive(
        "NeighborExchangeV2",
        neighbours.with_borders,
        "send_rank_ids send_lens recv_rank_ids recv_lens data_format group",
        base=Bordered,
    ),
    derive("Receive", neighbours.received, "sr_tag src_rank shape dtype group group_back", base=Receiver),
    derive("Reduce", collectives.reduced_to, "dest_rank op group", base=Collective),
    derive("ReduceScatter", collectives.reduce_scattered, "op group", base=Collective),
    derive("ReduceScatterV", collectives.reduce_scattered_v, "op group", base=Collective),
    derive("Send", neighbours.sent, "sr_tag dest_rank group group_back", base=Collective),
)
