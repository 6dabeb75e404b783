"""Collective operations of a process that was started alone: what their constructors show and refuse.

To call them needs a launch of several processes; tests/ops/framework/test_collectives.py has these.
"""

import mindspore as ms  # noqa: F401  used by the expressions
from mindspore.communication import comm_func as F  # noqa: F401  used by the expressions
from mindspore.communication import management as M  # noqa: F401
from mindspore.mint import distributed as D  # noqa: F401
from mindspore.ops import communication as C  # noqa: F401
from mindspore.ops import operations as P  # noqa: F401
from mindspore.ops.operations import comm_ops as V  # noqa: F401

from tests.oracle.case import Case, each

BORDERS = ([-1] * 8, [0] * 4, [-1] * 8, [0] * 4, "NCHW")

CASES = [
    *each("""
        repr(P.AllReduce()), repr(P.AllReduce("max")), repr(P.AllReduce("median")), P.AllReduce().attrs
        repr(P.AllGather()), P.AllGather("g").rank_size, P.AllGather().rank, repr(P.AllGatherV())
        repr(P.AllGatherV("g")), repr(P.ReduceScatter()), repr(P.ReduceScatter("sum", "g"))
        repr(P.ReduceScatterV()), repr(P.ReduceScatterV("max")), repr(P.Reduce(0)), repr(P.Reduce(1, "min", "g"))
        repr(P.Broadcast(0)), repr(P.Broadcast(3, "g")), repr(P.AlltoAll(1, 0, 1))
        repr(P.AlltoAll(2, 0, 0, "g")), repr(P.AlltoAllV()), repr(P.AlltoAllV("g", 2)), repr(P.AlltoAllVC())
        repr(P.AlltoAllVC(None, 3, True)), repr(P.CollectiveGather(0)), repr(P.CollectiveGather(2, "g"))
        repr(P.CollectiveScatter()), repr(P.CollectiveScatter(1)), repr(P.Barrier()), repr(P.Barrier("g"))
        repr(P.Send(0, 1)), repr(P.Send(3, 1, "g", "h")), repr(P.Receive(0, 1, [2], ms.float32))
        repr(P.Receive(1, 0, [2, 3], ms.int32, "g", "h"))
        repr(P.NeighborExchange([0], [0], ([2],), ([2],), ms.float32)), repr(P.NeighborExchangeV2(*BORDERS))
        repr(P.NeighborExchangeV2([0, *[-1] * 7], [1, 0, 0, 0], [-1] * 8, [0] * 4, "NCHW", "g"))
        repr(P.BatchISendIRecv(["isend"], [0]))
        repr(P.BatchISendIRecv(("irecv",), (0,), [[2]], [ms.float32], "g")), repr(V._VirtualDataset())
        repr(V._VirtualOutput()), repr(V._VirtualDiv(2.0)), repr(V._VirtualAdd()), repr(V._VirtualAssignAdd())
        repr(V._VirtualAccuGrad()), repr(V._VirtualPipelineEnd()), repr(V._GetTensorSlice())
        repr(V._VirtualAssignKvCache()), repr(V._MirrorOperator("g", 2, True))
        repr(V._MirrorMiniStepOperator("g", 2, True, 4)), repr(V._MirrorMicroStepOperator("g", 2, True))
        repr(V._AllSwap()), repr(V._HostAllGather((0, 1))), repr(V._HostReduceScatter("sum", [0, 1, 2]))
        repr(V._MiniStepAllGather()), repr(V._MicroStepAllGather()), repr(V.virtual_dataset), repr(V.virtual_div)
        repr(V.mirror), repr(V.mirror_mini_step), M.get_rank(), M.get_group_size(), M.get_rank("g")
        M.get_group_size("g"), M.get_local_rank(), M.get_local_rank_size(), M.DEFAULT_WORLD_COMM_GROUP
        M.DEVICE_TO_BACKEND, str(M.Backend("hccl")), str(M.Backend("MCCL")), M.Backend.NCCL, repr(F.CommHandle())
        F.CommHandle().wait(), F.get_cache_group_size(), C.set_comm_ops_inplace(True)
    """),
    *each(
        """
        P.AllReduce(1)
        P.AllReduce(group=1)
        P.AllGather(1)
        P.ReduceScatter(1)
        P.ReduceScatter("sum", 1)
        P.Reduce(0, 1)
        P.Reduce(0, "sum", 1)
        P.Broadcast("0")
        P.Broadcast(0, 1)
        P.Broadcast()
        P.AlltoAll("1", 0, 0)
        P.AlltoAll(1, 0, 0, 1)
        P.CollectiveGather(0, 1)
        P.CollectiveScatter(0, 1)
        P.AlltoAllV(1)
        P.AlltoAllV(block_size="1")
        P.AlltoAllVC(1)
        P.AlltoAllVC(block_size=1.0)
        P.AllGatherV(1)
        P.ReduceScatterV(1)
        P.ReduceScatterV("sum", 1)
        P.NeighborExchangeV2(*BORDERS, 1)
        P.BatchISendIRecv(1, [0])
        P.BatchISendIRecv(["isend"], 0)
        P.BatchISendIRecv(["irecv"], [0], 2, [ms.float32])
        V._HostAllGather(1)
        P.Receive(0, 0, [2], ms.bool_)
        M.get_rank(1)
        M.get_group_size(1)
        M.create_group(1, [0])
        M.Backend(1)
        F.all_reduce(1)
        F.all_reduce(Tensor([1.0]), 1)
        F.all_reduce(Tensor([1.0]), "median")
        F.all_gather_into_tensor(1)
        F.reduce_scatter_tensor(1)
        F.reduce(1, 0)
        F.broadcast(1)
        F.broadcast(Tensor([1.0]), "0")
        F.scatter_tensor(1)
        F.scatter_tensor(Tensor([1.0]), "0")
        F.gather_into_tensor(1)
        F.send(1)
        F.recv(1)
        F.isend(1)
        F.recv(Tensor([1.0]), "0")
        F.all_to_all_with_output_shape(1, [Tensor([1.0])])
        F.all_to_all_with_output_shape([(1,)], [1])
        F.all_to_all_with_output_shape([1], [Tensor([1.0])])
        F.all_to_all_with_output_shape([(1,), (1,)], [Tensor([1.0]), Tensor([1])])
        F.all_to_all_single_with_output_shape((1,), 1)
        F.all_to_all_single_with_output_shape(1, Tensor([1.0]))
        F.P2POp(1, Tensor([1.0]), 0)
        F.P2POp("isend", 1, 0)
        F.P2POp("isend", Tensor([1.0]), "0")
        F.P2POp("irecv", (1,), 0, recv_dtype=1)
        F.batch_isend_irecv(1)
        F.batch_isend_irecv([])
        F.all_to_all_v_c(1, Tensor([1.0]), [1])
        F.all_to_all_v_c(Tensor([1.0]), 1, [1])
        F.all_to_all_v_c(Tensor([1.0]), Tensor([1.0]), (1,))
        F.all_to_all_v_c(Tensor([1.0]), Tensor([1.0]), [1.0])
        F.all_to_all_v_c(Tensor([1.0]), Tensor([1.0]), [1, 1])
        F.all_to_all_v_c(Tensor([1.0]), Tensor([1.0]), [1], 1)
        F.barrier(1)
        M.destroy_group(1)
        D.new_group("x")
        D.all_reduce(1)
        D.all_gather(1, Tensor([1.0]))
        D.all_gather_into_tensor(Tensor([1.0]), 1)
        D.broadcast(Tensor([1.0]), "0")
        D.broadcast_object_list(1)
        D.reduce(Tensor([1.0]), "0")
        D.reduce_scatter(Tensor([1.0]), 1)
        D.scatter(Tensor([1.0]), 1)
        D.all_to_all(1, 1)
        D.all_to_all_single(Tensor([1.0]), 1)
        D.send(1)
        D.recv(1)
        D.isend(Tensor([1.0]), "0")
        D.irecv(Tensor([1.0]), "0")
        D.batch_isend_irecv([])
        D.barrier(1)
        D.init_process_group(init_method=1)
        D.init_process_group(timeout=1)
        D.init_process_group(rank="0")
        D.TCPStore(1, 2)
        """,
        raises=TypeError,
    ),
    *each(
        """
        P.NeighborExchangeV2([5, *[-1] * 7], [0] * 4, [-1] * 8, [0] * 4, "NCHW")
        P.BatchISendIRecv(["isend"], [0, 1])
        P.BatchISendIRecv(["irecv"], [0], [[2]], [])
        V._HostAllGather()
        V._HostAllGather((0,))
        V._HostAllGather((0, 9))
        V._HostReduceScatter("sum", (0,))
        F.P2POp("all_reduce", Tensor([1.0]), 0)
        M.Backend("foo")
        D.init_process_group("foo")
        F.batch_isend_irecv([F.P2POp("irecv", (1,), 0)])
        F.all_to_all_v_c(Tensor([1.0]), Tensor([[1.0, 2.0]]), [1])
        """,
        raises=ValueError,
    ),
    Case("M.create_group('g', [0])", raises=RuntimeError),
    Case("M.destroy_group('g')", raises=RuntimeError),
    Case("M.get_process_group_ranks()", raises=RuntimeError),
    Case("F.P2POp('isend', Tensor([1.0]), 0, None, 1)", raises=NotImplementedError),
    Case("V._HostAllGather((0, 1))(Tensor([1.0]))", raises=NotImplementedError),
    Case("V._HostReduceScatter('sum', (0, 1))(Tensor([1.0]))", raises=NotImplementedError),
]
