"""Primitives of the collective operations.

Follows: mindspore.ops.operations.comm_ops (2.10).
"""

from msbridge.distributed.collectives import point_to_point, primitives
from msbridge.ops.framework.collectives.bases import Batch, Bordered, Collective, Receiver
from msbridge.ops.primitive.primitive import derive

DERIVED = (
    derive("AllGather", primitives.all_gather, "group", base=Collective),
    derive("AllGatherV", primitives.all_gather_v, "group", base=Collective),
    derive("AllReduce", primitives.all_reduce, "op group", base=Collective),
    derive("AlltoAll", primitives.all_to_all, "split_count split_dim concat_dim group", base=Collective),
    derive("AlltoAllV", primitives.all_to_all_v, "group block_size", base=Collective),
    derive("AlltoAllVC", primitives.all_to_all_v_c, "group block_size transpose", base=Collective),
    derive("Barrier", primitives.barrier, "group", base=Collective),
    derive(
        "BatchISendIRecv",
        point_to_point.batch_isend_irecv,
        "op_types remote_ranks receive_shapes receive_dtypes group",
        base=Batch,
    ),
    derive("Broadcast", primitives.broadcast, "root_rank group", base=Collective),
    derive("CollectiveGather", primitives.gather, "dest_rank group", base=Collective),
    derive("CollectiveScatter", primitives.scatter, "src_rank group", base=Collective),
    derive(
        "NeighborExchange",
        point_to_point.neighbor_exchange,
        "send_rank_ids recv_rank_ids recv_shapes send_shapes recv_type group",
        base=Collective,
    ),
    derive(
        "NeighborExchangeV2",
        point_to_point.neighbor_exchange_borders,
        "send_rank_ids send_lens recv_rank_ids recv_lens data_format group",
        base=Bordered,
    ),
    derive("Receive", point_to_point.receive, "sr_tag src_rank shape dtype group group_back", base=Receiver),
    derive("Reduce", primitives.reduce, "dest_rank op group", base=Collective),
    derive("ReduceScatter", primitives.reduce_scatter, "op group", base=Collective),
    derive("ReduceScatterV", primitives.reduce_scatter_v, "op group", base=Collective),
    derive("Send", point_to_point.send, "sr_tag dest_rank group group_back", base=Collective),
)
