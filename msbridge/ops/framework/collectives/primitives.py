"""Primitives of the collective operations.

Follows: mindspore.ops.operations.comm_ops (2.10).
"""

from msbridge.distributed import collectives, neighbours
from msbridge.ops.framework.collectives.bases import Batch, Bordered, Collective, Receiver
from msbridge.ops.primitive.primitive import derive

DERIVED = (
    derive("AllGather", collectives.all_gather, "group", base=Collective),
    derive("AllGatherV", collectives.all_gather_v, "group", base=Collective),
    derive("AllReduce", collectives.all_reduce, "op group", base=Collective),
    derive("AlltoAll", collectives.all_to_all, "split_count split_dim concat_dim group", base=Collective),
    derive("AlltoAllV", collectives.all_to_all_v, "group block_size", base=Collective),
    derive("AlltoAllVC", collectives.all_to_all_v_c, "group block_size transpose", base=Collective),
    derive("Barrier", collectives.barrier, "group", base=Collective),
    derive(
        "BatchISendIRecv",
        neighbours.batch_isend_irecv,
        "op_types remote_ranks receive_shapes receive_dtypes group",
        base=Batch,
    ),
    derive("Broadcast", collectives.broadcast, "root_rank group", base=Collective),
    derive("CollectiveGather", collectives.gather, "dest_rank group", base=Collective),
    derive("CollectiveScatter", collectives.scatter, "src_rank group", base=Collective),
    derive(
        "NeighborExchange",
        neighbours.neighbor_exchange,
        "send_rank_ids recv_rank_ids recv_shapes send_shapes recv_type group",
        base=Collective,
    ),
    derive(
        "NeighborExchangeV2",
        neighbours.neighbor_exchange_borders,
        "send_rank_ids send_lens recv_rank_ids recv_lens data_format group",
        base=Bordered,
    ),
    derive("Receive", neighbours.receive, "sr_tag src_rank shape dtype group group_back", base=Receiver),
    derive("Reduce", collectives.reduce, "dest_rank op group", base=Collective),
    derive("ReduceScatter", collectives.reduce_scatter, "op group", base=Collective),
    derive("ReduceScatterV", collectives.reduce_scatter_v, "op group", base=Collective),
    derive("Send", neighbours.send, "sr_tag dest_rank group group_back", base=Collective),
)
